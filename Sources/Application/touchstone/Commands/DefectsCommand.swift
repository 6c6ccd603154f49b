internal import Conformance
internal import Datastore
internal import Defects
internal import JSON
internal import ObjectDefects

/// `touchstone defects`: judges the vectors by mistakes that they have to see.
struct DefectsCommand: Command {
  let isJSON: Bool
  let isByHand: Bool
  let writes: Bool
  let globs: [Glob]
  let binary: String?
  let vectors: String?
  let jobs: Int
  let limitSeconds: UInt64

  static let manual = Manual(
    words: ["defects"],
    summary: "Judge the vectors: which of them sees which known mistake.",
    options: [
      .init(
        name: "--json",
        help: "As one JSON object: defects, clauses, unproven clauses, idle vectors."),
      .init(
        name: "--by-hand",
        help: "Only by vectors that are written by hand: all that proves something, and quick."),
      .init(
        name: "--write",
        help: """
          Write mistakes.json beside the clauses, and the pages that follow from it. With --filter \
          the entries of all other mutants stay.
          """),
      .init(
        name: "--filter", value: "GLOB", isRepeatable: true,
        help: "Only mistakes with such a name or clause; * is any text, ? any one byte."),
      .init(
        name: "--binary", value: "PATH",
        help: "The program of tools/mutants/build.py; .build/mutants/touchstone is looked for."),
      .init(
        name: "--vectors", value: "DIR",
        help: "A folder with clauses.json and vectors."),
      .init(
        name: "--jobs", value: "N", help: "How many mistakes are tried at a time; 2 is the default."
      ),
      .init(
        name: "--time-limit", value: "SECONDS",
        help: "A process that takes longer has shown its mistake; 600 is the default."),
    ],
    notes: """
      A mistake is a wrapper around the model, which changes what is asked or answered, or a patch \
      of the sources (tools/mutants). It proves the clause that it breaks when a vector that is \
      written by hand and cites the clause sees it, and every such vector that sees it and cites a \
      clause of the same family (TREE-…) cites this one: it breaks this clause and nothing else \
      near it. Vectors that were observed or generated prove nothing here. Exits with 1 when a \
      mistake survives, 3 when a run cannot be judged.
      """,
    examples: [
      ("touchstone defects", "who kills whom"),
      ("touchstone defects --by-hand", "which clauses are proven, in a fraction of the time"),
      ("touchstone defects --filter 'TREE-*'", "mistakes that break a rule about trees"),
      ("touchstone defects --write", "keep for 'touchstone explain' who sees what"),
      ("touchstone defects --json | jq '.idle[]'", "vectors that see no mistake"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    isJSON = arguments.has("--json")
    isByHand = arguments.has("--by-hand")
    writes = arguments.has("--write")
    globs = arguments.values("--filter").map { Glob(JSONString($0)) }
    guard !writes || !isByHand else {
      throw UsageError("--write is about all vectors, and goes with no --by-hand", Self.manual)
    }
    binary = arguments.value("--binary")
    vectors = arguments.value("--vectors")
    jobs = Int(try Self.count(arguments, "--jobs") ?? 2)
    limitSeconds = try Self.count(arguments, "--time-limit") ?? 600
  }

  private static func count(
    _ arguments: Arguments, _ name: String
  ) throws(UsageError) -> UInt64? {
    guard let text = arguments.value(name) else { return nil }
    guard let count = UInt64(text), (1...100_000).contains(count) else {
      throw UsageError("\(name) is a number from 1 to 100000, not '\(text)'", manual)
    }
    return count
  }
}

extension DefectsCommand {
  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    var corpus = try Corpus.forCommand(vectors)
    if isByHand {
      corpus = Corpus(
        folder: corpus.folder, clauses: corpus.clauses,
        vectors: corpus.vectors.filter(\.isHandWritten))
    }
    let program = try (binary ?? MutantProgram.find(corpus)).map { path throws(CommandFailure) in
      try MutantProgram(path: path)
    }
    guard program != nil || !writes || !globs.isEmpty else {
      throw CommandFailure("--write needs the mutants: tools/mutants/build.py makes them")
    }
    var findings = try wrapperFindings(corpus, context)
    if let program {
      findings += try mutantFindings(program, corpus, context: context)
    } else {
      context.error("no mutants: tools/mutants/build.py makes them\n")
    }
    let matrix = DefectMatrix(findings: findings, corpus: corpus)
    let known = Set(corpus.clauses.map(\.id.description))
    if let stray = findings.first(where: { !known.contains($0.clause) }) {
      throw CommandFailure("\(stray.name) breaks \(stray.clause), which is no clause")
    }
    if writes { try write(matrix, context) }
    context.output(
      isJSON
        ? matrix.json.pretty() + "\n" : matrix.text(context.style))
    return matrix.survivors.isEmpty ? .success : .failure
  }

  /// Writes the list of mistakes, then what follows from it.
  private func write(_ matrix: DefectMatrix, _ context: Context) throws(CommandFailure) {
    let folder = matrix.corpus.folder
    guard matrix.corpus.isWhole else {
      throw CommandFailure("--write is about all vectors; --vectors is a folder then")
    }
    let earlier: MistakeList?
    do { earlier = try MistakeList.read(folder) } catch { throw CommandFailure("\(error)") }
    let list = MistakeList(
      try merged(matrix.findings.map(\.mistake), earlier?.mistakes ?? []),
      retired: earlier?.retired ?? [])
    let file = GeneratedFile(
      name: MistakeList.fileName, text: list.json.pretty(indent: 1) + "\n")
    // What is said about the files must not get between the lines of --json.
    var context = context
    if isJSON { context.output = context.error }
    try GeneratedFile.write([file], in: folder, context)
    try GeneratedFile.write(try VectorsPages(folder: folder).files, in: folder, context)
  }

  /// The new entries, and with `--filter` the earlier ones of all other mutants, in the same order.
  private func merged(
    _ new: [Mistake], _ earlier: [Mistake]
  ) throws(CommandFailure) -> [Mistake] {
    guard !globs.isEmpty else { return new }
    let all = new + earlier.filter { !isSelected($0.name.string, $0.clause.description) }
    let wrappers = Dictionary(grouping: all.filter { $0.kind == .wrapper }, by: \.name)
    var list: [Mistake] = []
    for defect in Defect.all {
      guard let entries = wrappers[JSONString(defect.name)] else {
        throw CommandFailure("mistakes.json has no '\(defect.name)'; add it to --filter")
      }
      list += entries
    }
    return list
      + all.filter { $0.kind == .source }.sorted {
        "\($0.name) \($0.implementation)".utf8.lexicographicallyPrecedes(
          "\($1.name) \($1.implementation)".utf8)
      }
  }

  private func isSelected(_ name: String, _ clause: String) -> Bool {
    globs.isEmpty
      || globs.contains { $0.matches(JSONString(name)) || $0.matches(JSONString(clause)) }
  }

  private func wrapperFindings(
    _ corpus: Corpus, _ context: Context
  ) throws(CommandFailure) -> [DefectFinding] {
    let name = "reference"
    guard let entry = context.implementations.first(where: { $0.name == name }) else { return [] }
    let defects = Defect.all.filter { isSelected($0.name, $0.clause) }
    let map = ParallelMap(defects) { defect throws(CommandFailure) in
      do throws(HarnessError) {
        let store = defect.applied(to: try entry.make(.memory))
        let report = Runner(store).run(corpus)
        try store.shutdown()
        let killers = report.results.filter {
          if case .fail = $0.verdict { true } else { false }
        }.map(\.vector)
        return DefectFinding(
          name: defect.name, kind: .wrapper, implementation: name, sentence: defect.sentence,
          clause: defect.clause, link: defect.link, end: killers.isEmpty ? .survived : .killed,
          killers: killers)
      } catch {
        throw CommandFailure("\(defect.name): \(error)")
      }
    }
    var line = ProgressLine(context)
    defer { line.finish() }
    return try map.values(jobs: jobs) { line.show($0, of: defects.count, "wrappers") }
  }

  private func mutantFindings(
    _ program: MutantProgram, _ corpus: Corpus, context: Context
  ) throws(CommandFailure) -> [DefectFinding] {
    var findings: [DefectFinding] = []
    for mutant in program.mutants where isSelected(mutant.name, mutant.clause) {
      for implementation in mutant.implementations {
        findings.append(
          DefectFinding(
            name: mutant.name, kind: .source, implementation: implementation,
            sentence: mutant.sentence, clause: mutant.clause, link: mutant.link, end: .survived))
      }
    }
    let arguments = { (implementation: String) in
      MutantProgram.arguments(implementation, vectors ?? corpus.folder)
        + (isByHand ? corpus.vectors.flatMap { ["--filter", $0.id.description] } : [])
    }
    // Without a mistake the program must pass, or nothing that follows would mean anything.
    for implementation in Set(findings.map(\.implementation)).sorted() {
      let subject = try start(program, arguments(implementation), name: "")
      guard finish(subject, context) == .exited(0) else {
        throw CommandFailure(
          "\(program.path) fails without a mutant; run tools/mutants/build.py to rebuild it")
      }
    }
    var line = ProgressLine(context)
    var running: [(place: Int, process: Subprocess, startNanoseconds: UInt64)] = []
    var next = 0
    var done = 0
    while done < findings.count {
      while running.count < jobs, next < findings.count {
        let finding = findings[next]
        let process = try start(program, arguments(finding.implementation), name: finding.name)
        running.append((next, process, context.nanoseconds()))
        next += 1
      }
      for (place, process, start) in running {
        if !process.advance(milliseconds: 5), isLate(start, context) { process.stop() }
        guard let end = process.end else { continue }
        findings[place].read(process.output, end, corpus: corpus)
        done += 1
        line.show(done, of: findings.count, "mutants")
      }
      running.removeAll { $0.process.end != nil }
    }
    line.finish()
    return findings
  }

  private func start(
    _ program: MutantProgram, _ arguments: [String], name: String
  ) throws(CommandFailure) -> Subprocess {
    do throws(Subprocess.Failure) {
      return try Subprocess(
        program.path, arguments, variables: MutantProgram.variables(name))
    } catch {
      throw CommandFailure("\(program.path) cannot be started: \(error)")
    }
  }

  private func isLate(_ start: UInt64, _ context: Context) -> Bool {
    context.nanoseconds() &- start > limitSeconds * 1_000_000_000
  }

  private func finish(_ process: Subprocess, _ context: Context) -> Subprocess.End? {
    let start = context.nanoseconds()
    while !process.advance(milliseconds: 50) {
      if isLate(start, context) { process.stop() }
    }
    return process.end
  }
}
