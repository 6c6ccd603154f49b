internal import Conformance
internal import Datastore
internal import Defects
internal import JSON
internal import ObjectDefects

/// `touchstone defects`: runs the vectors against the mutants that they must kill.
struct DefectsCommand: Command {
  let isJSON: Bool
  let isByHand: Bool
  let writes: Bool
  let globs: [Glob]
  let binary: String?
  let vectors: String?
  let jobs: Int
  let limitSeconds: UInt64
  /// The server whose HTTP interface the mutants change; nil for the mutants of the contract.
  let server: ImplementationEntry?

  static let manual = Manual(
    words: ["defects"],
    summary: "Run the vectors against the mutants, and show which vectors kill which.",
    options: [
      .init(
        name: "--json",
        help: "Print one JSON object: defects, clauses, unproven clauses, idle vectors."),
      .init(
        name: "--by-hand",
        help: "Run only the hand-written vectors; faster, and enough to prove clauses."),
      .init(
        name: "--write",
        help: """
          Write mutants.json beside the clauses, and the pages generated from it. With --filter, \
          keep the entries of all other mutants.
          """),
      .init(
        name: "--filter", value: "GLOB", isRepeatable: true,
        help: "Run only mutants with a matching name or clause; * matches any text, ? any one byte."
      ),
      .init(
        name: "--binary", value: "PATH",
        help:
          "The program built by tools/mutants/build.py; the default is .build/mutants/touchstone."),
      .init(
        name: "--vectors", value: "DIR",
        help: "Read clauses.json and vectors from DIR."),
      .init(
        name: "--jobs", value: "N", help: "Number of mutants to run at a time; the default is 2."),
      .init(
        name: "--time-limit", value: "SECONDS",
        help: "Count a mutant as killed if its process takes longer; the default is 600."),
      .init(
        name: "--http", value: "couchdb:URL",
        help:
          "Run the mutants of the HTTP interface in front of this server, each with the vectors of "
          + "its clause."),
      .allowRemote,
    ],
    notes: """
      A mutant is a wrapper around the model that changes requests or responses, or a patch of the \
      sources (tools/mutants). It proves the clause that it breaks if a hand-written vector that \
      cites the clause kills it, and if every hand-written killer that cites a clause of the same \
      family (TREE-…) also cites this clause: the mutant then breaks this clause and no other one \
      of the family. Observed and generated vectors prove nothing here. Exits with 1 if a mutant \
      survives, and with 3 if a run fails.
      """,
    examples: [
      ("touchstone defects", "show the kill matrix"),
      ("touchstone defects --by-hand", "show which clauses are proven"),
      ("touchstone defects --filter 'TREE-*'", "run the mutants that break a rule about trees"),
      ("touchstone defects --write", "update mutants.json and the pages"),
      (
        "touchstone defects --http couchdb:http://127.0.0.1:5984",
        "show which vectors of HTTP kill which mutants"
      ),
      ("touchstone defects --json | jq '.idle[]'", "list the vectors that kill no mutant"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    isJSON = arguments.has("--json")
    isByHand = arguments.has("--by-hand")
    writes = arguments.has("--write")
    globs = arguments.values("--filter").map { Glob(JSONString($0)) }
    guard !writes || !isByHand else {
      throw UsageError("--write needs all vectors; leave out --by-hand", Self.manual)
    }
    binary = arguments.value("--binary")
    vectors = arguments.value("--vectors")
    jobs = try arguments.number("--jobs", 1...100_000, for: Self.manual) ?? 2
    limitSeconds = UInt64(
      try arguments.number("--time-limit", 1...100_000, for: Self.manual) ?? 600)
    server = try Self.server(arguments, context)
  }
}

extension DefectsCommand {
  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    if let server { return try runWire(server, context) }
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
      throw CommandFailure(
        "--write needs the source mutants; run tools/mutants/build.py to build them")
    }
    var findings = try wrapperFindings(corpus, context)
    if let program {
      findings += try mutantFindings(program, corpus, context: context)
    } else {
      context.error("source mutants are left out; run tools/mutants/build.py to build them\n")
    }
    let matrix = DefectMatrix(findings: findings, corpus: corpus)
    let known = Set(corpus.clauses.map(\.id.description))
    if let stray = findings.first(where: { !known.contains($0.clause) }) {
      throw CommandFailure("\(stray.name) breaks \(stray.clause), which is not in clauses.json")
    }
    if writes { try write(matrix, context) }
    context.output(
      isJSON
        ? matrix.json.pretty() + "\n" : matrix.text(context.style))
    return matrix.survivors.isEmpty ? .success : .failure
  }

  /// Writes the list of mutants, then the pages that are generated from it.
  private func write(_ matrix: DefectMatrix, _ context: Context) throws(CommandFailure) {
    let folder = matrix.corpus.folder
    guard matrix.corpus.isWhole else {
      throw CommandFailure("--write needs all vectors; let --vectors name a folder")
    }
    let earlier: MutantList?
    do { earlier = try MutantList.read(folder) } catch { throw CommandFailure("\(error)") }
    let list = MutantList(
      try merged(matrix.findings.map(\.mutant), earlier?.mutants ?? []),
      retired: earlier?.retired ?? [])
    let file = GeneratedFile(
      name: MutantList.fileName, text: list.json.pretty(indent: 1) + "\n")
    // The messages about written files must not mix with the output of --json.
    var context = context
    if isJSON { context.output = context.error }
    try GeneratedFile.write([file], in: folder, context)
    try GeneratedFile.write(try VectorsPages(folder: folder).files, in: folder, context)
  }

  /// Returns the new entries and, with `--filter`, the earlier entries of all other mutants, in the
  /// order of the catalogue.
  private func merged(
    _ new: [Mutant], _ earlier: [Mutant]
  ) throws(CommandFailure) -> [Mutant] {
    guard !globs.isEmpty else { return new }
    let all = new + earlier.filter { !isSelected($0.name.string, $0.clause.description) }
    let wrappers = Dictionary(grouping: all.filter { $0.kind == .wrapper }, by: \.name)
    var list: [Mutant] = []
    for defect in Defect.all {
      guard let entries = wrappers[JSONString(defect.name)] else {
        throw CommandFailure("mutants.json has no entry '\(defect.name)'; add it to --filter")
      }
      list += entries
    }
    return list
      + all.filter { $0.kind == .source }.sorted {
        "\($0.name) \($0.implementation)".utf8.lexicographicallyPrecedes(
          "\($1.name) \($1.implementation)".utf8)
      }
  }

  func isSelected(_ name: String, _ clause: String) -> Bool {
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
    // The program must pass without a mutant; otherwise its kills mean nothing.
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
      throw CommandFailure("cannot start \(program.path): \(error)")
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
