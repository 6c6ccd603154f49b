internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

// A verdict of `touchstone run`, checked by running its vectors.

extension VerifyCommand {
  /// Runs the vectors of a verdict, or a sample of them.
  func verify(_ file: VerdictFile, _ context: Context) throws(CommandFailure) -> ExitCode {
    let run = try command(file, context)
    let corpus = try Corpus.forRun(vectors)
    let manifest = try RunCommand.manifest(of: corpus)
    guard manifest == file.identity.corpus else {
      let message =
        "\(path) is about the corpus with the manifest \(file.identity.corpus ?? "none") of touchstone "
        + "\(file.identity.tool); this one is \(manifest)"
      throw CommandFailure(TextLayout.printable(message))
    }
    let selected = run.selected(corpus)
    let grade: ConformanceGrade =
      run.implementations[0].followsModel ? .contract : run.grade ?? .family
    let graded = corpus.graded(grade)
    if let contradiction = contradiction(file, selected: selected)
      ?? contradiction(
        of: file.conclusion, outcomes: file.outcomes, on: graded, selection: run.selection,
        hasProduct: file.identity.options.contains("--product"))
    {
      context.output(TextLayout.printable("the verdict does not hold: \(contradiction)") + "\n")
      return .failure
    }
    let places = try chosen(of: selected.count, context)
    let report = try run.test(
      run.implementations[0], graded,
      only: places.map { Set($0.map { selected[$0] }) },
      context: context)
    guard report.stop == nil else {
      context.error("the run ended early; the verdict is not checked\n")
      return .harness
    }
    let identity = try self.identity(for: file.identity, report.implementation, context: context)
    let check = VerdictCheck(file, identity, selected: selected, report: report)
    context.output(TextLayout.printableLines(check.text))
    return check.holds ? .success : .failure
  }

  /// The run that the verdict describes, with the implementation of the command line.
  private func command(
    _ file: VerdictFile, _ context: Context
  ) throws(CommandFailure) -> RunCommand {
    var words = file.identity.options.map(\.string) + accessWords
    if let vectors { words += ["--vectors", vectors] }
    if let storage { words += ["--storage", storage] }
    if let jobs { words += ["--jobs", jobs] }
    do throws(UsageError) {
      words += [
        "--implementation", try subject(named: file.identity.implementation.string, context),
      ]
      return try RunCommand(Arguments(words, for: RunCommand.manual), context)
    } catch {
      throw wrong(error.message)
    }
  }

  /// Why a conclusion cannot follow from the outcomes; nil if it may.
  private func contradiction(
    of conclusion: JSONString, outcomes: VerdictOutcomes, on corpus: Corpus, selection: Selection,
    hasProduct: Bool
  ) -> String? {
    let unknown = outcomes.notPassed.first { !Verdict.names.contains($0.verdict.string) }
    if let unknown { return "its verdict on '\(unknown.id)' is unknown: '\(unknown.verdict)'" }
    guard Conclusion.names.contains(conclusion.string) else {
      return "its conclusion is unknown: '\(conclusion)'"
    }
    if Self.unwrittenConclusions.contains(conclusion) {
      return "its conclusion is '\(conclusion)', of which run writes no verdict"
    }
    guard hasProduct || conclusion != "explained" else {
      return "its conclusion is 'explained', but its options name no product"
    }
    guard Self.goodConclusions.contains(conclusion) else { return nil }
    let failed = Set(outcomes.notPassed.filter { $0.verdict == "fail" }.map(\.id))
    let required = corpus.vectors.first { $0.isRequired && failed.contains($0.id) }
    if let required {
      return "its conclusion is '\(conclusion)', but the required vector '\(required.id)' failed"
    }
    let isWhole = selection.offers.isEmpty && selection.globs.isEmpty
    guard isWhole || conclusion == "selectionPassed" || conclusion == "otherCorpusPassed" else {
      return "its conclusion is '\(conclusion)', but its options select a part of the corpus"
    }
    return nil
  }

  /// The conclusions of runs on a changed corpus, and with a list of known failures.
  private static let unwrittenConclusions: Set<JSONString> = ["incomplete", "knownFailuresOnly"]

  /// The conclusions of runs without a failure of a required vector.
  private static let goodConclusions: Set<JSONString> = [
    "conformant", "restricted", "selectionPassed", "otherCorpusPassed",
  ]

  /// What the file says about itself that cannot be true; nil if it is consistent.
  private func contradiction(_ file: VerdictFile, selected: [VectorID]) -> String? {
    let known = Set(selected)
    if let stray = file.outcomes.notPassed.first(where: { !known.contains($0.id) }) {
      return "its options do not select the vector '\(stray.id)' of notPassed"
    }
    if let passed = file.outcomes.notPassed.first(where: { $0.verdict == "pass" }) {
      return "its notPassed has the vector '\(passed.id)', which passed"
    }
    let stated = VerdictOutcomes(file.outcomes.verdicts(on: selected))
    if Set(stated.counts) != Set(file.outcomes.counts) {
      return "its counts are not those of its outcomes"
    }
    return stated.digest == file.outcomes.digest ? nil : "its digest is not that of its outcomes"
  }
}
