internal import Conformance
internal import Datastore
internal import Diagnosis
internal import JSON
internal import ReferenceDatastore

/// `touchstone vectors lint`: finds vectors that depend on a behaviour that they do not cite.
struct VectorsLintCommand: Command {
  let isJSON: Bool
  let vectors: String?
  let deviations: [Deviation]
  let jobs: Int

  static let manual = Manual(
    words: ["vectors", "lint"],
    summary: "Find vectors that depend on a behaviour that they do not cite.",
    options: [
      .init(
        name: "--deviation", value: "ID", isRepeatable: true,
        help: "Run only this deviation; the default is all."),
      .init(
        name: "--json",
        help: "Print one JSON object: unexplained findings, entries with another count, totals."),
      .vectors,
      .explorationJobs,
    ],
    notes: """
      Runs the hand-written and the generated vectors on the model with one deviation at a time. A \
      vector that fails although it cites none of the clauses of the deviation depends on a second \
      behaviour: a product with this deviation fails a vector about another rule. Change the \
      vector, cite the clause if the vector shows it, or add an entry with the reason to \
      lint.json. Vectors of the profiles couchdb, cdt-digest and cdt-collation and recorded \
      vectors are left out. Also reports clauses of layers whose level has no basis: a MUST rests \
      on a public source, a guide or a ruling, or names an option for the other behaviour. Exits \
      with 1 if a vector has no entry, if an entry explains another number of vectors than its \
      count, or if a level has no basis.
      """,
    examples: [
      ("touchstone vectors lint", "check all vectors under all deviations"),
      (
        "touchstone vectors lint --deviation path-by-suffix",
        "list the vectors that depend on one deviation"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    isJSON = arguments.has("--json")
    vectors = arguments.value("--vectors")
    let ids = arguments.values("--deviation")
    for id in ids where Deviation.named(id) == nil {
      throw UsageError(
        "unknown deviation '\(id)'", Self.manual,
        suggestions: nearestIDs(to: id, among: Deviation.all.map(\.id)))
    }
    deviations = ids.isEmpty ? Deviation.all : Deviation.named(ids)
    jobs = try arguments.number("--jobs", 1...1024, for: Self.manual) ?? Files.processorCount
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let corpus = try Corpus.forCommand(vectors)
    let list: LintList
    do throws(CorpusError) { list = try LintList.read(corpus.folder) } catch {
      throw CommandFailure("\(error)")
    }
    let lint = VectorLint(corpus)
    var line = ProgressLine(context)
    let findings = ParallelMap<Deviation, VectorLint.Finding, Never>(deviations) {
      lint.finding(under: $0)
    }.values(jobs: jobs) { line.show($0, of: deviations.count, "deviations") }
    line.finish()
    let report = LintReport(findings, known: list)
    context.output(
      isJSON
        ? json(report, of: lint, unfounded: corpus.unfoundedClauses)
        : text(report, of: lint, unfounded: corpus.unfoundedClauses, in: context))
    return report.isClean && corpus.unfoundedClauses.isEmpty ? .success : .failure
  }

  private func text(
    _ report: LintReport, of lint: VectorLint, unfounded: [Clause], in context: Context
  ) -> String {
    let style = context.style
    var lines: [String] = []
    for finding in report.unexplained {
      let deviation = finding.deviation
      lines += TextLayout.wrapped(
        "\(deviation.id): \(deviation.sentence) Breaks \(deviation.clauses.joined(separator: " ")).",
        width: context.width, indent: "")
      let rows = finding.vectors.map { vector in
        [
          "  " + vector.id.description,
          vector.clauses.map(\.id.description).joined(separator: " "), vector.file,
        ]
      }
      lines += TextTable.lines(rows) { _ in false } + [""]
    }
    for miscount in report.miscounts {
      let entry = miscount.entry
      let words =
        "entry \(miscount.number) ('\(entry.vectors)' under \(entry.deviation.id)) explains "
        + (miscount.count == 0
          ? "no vector; remove it"
          : "\(TextLayout.counted(miscount.count, "vector")), expected \(entry.count); check each "
            + "vector and change 'count'")
      lines.append(TextLayout.printable("\(LintList.fileName): \(words)"))
    }
    for clause in unfounded {
      let words =
        clause.basis.map { "\(clause.level.rawValue), but its basis is \($0.state.rawValue)" }
        ?? "no basis"
      lines.append("\(clause.id): \(words)")
    }
    let scope =
      "\(TextLayout.counted(lint.vectors.count, "vector")) under "
      + TextLayout.counted(deviations.count, "deviation")
    let open = report.unexplained.reduce(0) { $0 + $1.vectors.count }
    let known =
      "\(TextLayout.counted(report.explainedCount, "failure")) explained by \(LintList.fileName)"
    let verdict = "\(open) unexplained"
    lines.append(
      "\(scope): \(known), \(report.isClean ? style.good(verdict) : style.bad(verdict))")
    return lines.map { $0 + "\n" }.joined()
  }

  private func json(
    _ report: LintReport, of lint: VectorLint, unfounded: [Clause]
  ) -> String {
    let unexplained = report.unexplained.map { finding -> JSONValue in
      [
        "deviation": .text(finding.deviation.id),
        "clauses": .array(finding.deviation.clauses.map { .text($0) }),
        "vectors": .array(finding.vectors.map { $0.id.json }),
      ]
    }
    let miscounts = report.miscounts.map { miscount -> JSONValue in
      [
        "entry": .integer(Int64(miscount.number)), "deviation": .text(miscount.entry.deviation.id),
        "vectors": .string(miscount.entry.vectors.pattern),
        "expected": .integer(Int64(miscount.entry.count)), "found": .integer(Int64(miscount.count)),
      ]
    }
    let value: JSONValue = [
      "vectors": .integer(Int64(lint.vectors.count)),
      "deviations": .integer(Int64(deviations.count)),
      "unexplained": .array(unexplained), "miscounts": .array(miscounts),
      "unfounded": .array(unfounded.map(\.id.json)),
      "explained": .integer(Int64(report.explainedCount)),
    ]
    return value.pretty() + "\n"
  }
}
