internal import Conformance
internal import Datastore
internal import JSON
internal import WireConformance
internal import WireDefects

/// A run of the mutants of the HTTP interface in front of a server.
struct WireDefectRun {
  let corpus: WireCorpus
  private(set) var findings: [Finding] = []
  /// Whether all mutants run.
  private var isWhole = true

  /// A mutant, and the vectors of its clause that kill it.
  struct Finding {
    let mutant: WireMutant
    let killers: [WireVector]
  }

  init(_ corpus: WireCorpus) { self.corpus = corpus }

  /// Runs each mutant against the vectors that cite its clause, after the correct server passed
  /// them.
  mutating func run(
    _ mutants: [WireMutant], jobs: Int, context: Context,
    connect: @escaping ImplementationEntry.WireMaker
  ) throws(CommandFailure) {
    isWhole = mutants.count == WireMutant.all.count
    let cited = corpus.vectors.filter { entry in
      mutants.contains { entry.vector.cites($0.clause) }
    }
    var correct = WireRun("correct", corpus)
    try correct.run(cited, jobs: jobs, context: context, connect: connect)
    let broken = correct.results.filter { !$0.verdict.isPass }
    guard broken.isEmpty else {
      let names = broken.prefix(5).map(\.entry.vector.id.string)
      throw CommandFailure(
        "the server fails \(TextLayout.counted(broken.count, "vector")) without a mutant: "
          + names.joined(separator: ", "))
    }
    let (corpus, label) = (corpus, String(UInt64.random(in: 0...UInt64.max), radix: 36))
    let map = ParallelMap(Array(mutants.enumerated())) { element throws(CommandFailure) in
      let (number, mutant) = element
      var killers: [WireVector] = []
      for (index, entry) in corpus.vectors.enumerated() where entry.vector.cites(mutant.clause) {
        do {
          let runner = WireRunner(
            mutant.applied(to: try connect()), label: "\(label)-\(number + 1)")
          let verdict = try runner.run(entry.vector, number: index + 1)
          if !verdict.isPass { killers.append(entry.vector) }
        } catch {
          throw CommandFailure("\(mutant.name): \(error)")
        }
      }
      return Finding(mutant: mutant, killers: killers)
    }
    var line = ProgressLine(context)
    defer { line.finish() }
    findings = try map.values(jobs: jobs) { line.show($0, of: mutants.count, "mutants") }
  }

  var survivors: [Finding] { findings.filter(\.killers.isEmpty) }

  /// The MUST clauses to prove: of a selection of mutants, only theirs.
  private var required: [WireClause] {
    corpus.clauses.filter { clause in
      clause.isRequired
        && (isWhole || findings.contains { JSONString($0.mutant.clause) == clause.id })
    }
  }

  /// The MUST clauses that no mutant breaks, or only surviving ones.
  var unproven: [WireClause] {
    required.filter { clause in
      !findings.contains { JSONString($0.mutant.clause) == clause.id && !$0.killers.isEmpty }
    }
  }

  /// The findings for readers: a line for each mutant, the survivors, and the counts.
  func text(_ style: TextStyle) -> String {
    let nameWidth = findings.map(\.mutant.name.unicodeScalars.count).max() ?? 0
    var lines = findings.map { finding in
      let name = TextLayout.padded(finding.mutant.name, nameWidth)
      let killer = finding.killers.first.map(\.id.string) ?? style.bad("survived")
      return "\(name)  \(finding.mutant.clause)  \(killer)"
    }
    for finding in survivors {
      lines.append(
        style.bad("survived: ") + "\(finding.mutant.name) (\(finding.mutant.sentence))")
    }
    let must = required.count
    lines.append(
      "\(findings.count - survivors.count) of \(findings.count) mutants killed by a vector of "
        + "their clause; \(must - unproven.count) of \(must) MUST clauses proven")
    if !unproven.isEmpty {
      lines += TextLayout.wrapped(
        "not proven: " + unproven.map(\.id.string).joined(separator: " "), width: 96, indent: "  ")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The findings for programs.
  var json: JSONValue {
    [
      "defects": .array(
        findings.map { finding in
          [
            "name": .text(finding.mutant.name), "clause": .text(finding.mutant.clause),
            "sentence": .text(finding.mutant.sentence),
            "end": .text(finding.killers.isEmpty ? "survived" : "killed"),
            "killers": .array(finding.killers.map { .string($0.id) }),
          ]
        }),
      "unproven": .array(unproven.map { .string($0.id) }),
    ]
  }
}

extension WireVector {
  fileprivate func cites(_ clause: String) -> Bool { clauses.contains(JSONString(clause)) }
}
