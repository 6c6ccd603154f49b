internal import Conformance
internal import Datastore
internal import Diagnosis
internal import JSON
internal import ReferenceDatastore
internal import Scenarios
internal import Simulation

/// The result of a diagnosis, for readers.
struct DiagnosisText {
  private let diagnosis: StoreDiagnosis
  private let width: Int
  private let style: TextStyle

  init(_ diagnosis: StoreDiagnosis, width: Int, style: TextStyle) {
    self.diagnosis = diagnosis
    self.width = width
    self.style = style
  }

  /// The number of failures listed without a cause.
  private static let namedMax = 12

  var text: String {
    let store = TextLayout.printable("\(diagnosis.store.name) \(diagnosis.store.version)")
    let failures = TextLayout.counted(diagnosis.failureCount, "failure")
    var lines = [
      "\(style.strong(store)): \(failures) in \(TextLayout.counted(diagnosis.vectorCount, "vector"))"
    ]
    guard diagnosis.failureCount > 0 else { return lines[0] + "\n" }
    let causes = diagnosis.causes.count
    let rest = diagnosis.unexplained.count
    let words =
      "\(TextLayout.counted(causes, "cause")) \(causes == 1 ? "explains" : "explain") "
      + "\(diagnosis.explainedCount) of \(failures)"
    lines.append(
      rest == 0
        ? style.good(words) : causes == 0 ? style.bad("unknown cause") : "\(words); \(rest) remain")
    for cause in diagnosis.causes { lines += [""] + self.lines(cause) }
    if rest > 0 {
      lines += ["", "\(style.bad("unknown cause")) of \(TextLayout.counted(rest, "failure")):"]
      for failure in diagnosis.unexplained.prefix(Self.namedMax) {
        let line = "\(failure.witness.vector.id)  \(failure.witness.message)"
        lines.append("  " + TextLayout.abbreviated(line, width: width - 2, remark: "…"))
      }
      if rest > Self.namedMax { lines.append("  … \(rest - Self.namedMax) more") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(_ cause: StoreDiagnosis.Cause) -> [String] {
    let number = String(cause.failures.count)
    let padding = String(repeating: " ", count: max(0, 5 - number.count))
    var lines = [
      "\(padding)\(style.warning(number))  \(style.strong(cause.origin.name))  \(kind(cause.origin))"
    ]
    lines += TextLayout.wrapped(cause.origin.sentence, width: width, indent: "       ")
    if cause.contradictions > 0 {
      lines += TextLayout.wrapped(
        "Uncertain: \(TextLayout.counted(cause.contradictions, "vector")) that the store passes "
          + "would fail with this cause.", width: width, indent: "       ")
    }
    let shortest = cause.failures.min { left, right in left.operationCount < right.operationCount }
    if let witness = shortest?.witness {
      let id = TextLayout.printable(witness.vector.id.description)
      lines.append("       \(id), step \(witness.step.map { "\($0)" } ?? "0"):")
      lines.append(line("operation", witness.exchange.operation))
      lines.append(line("outcome", witness.exchange.outcome))
      lines.append(line("expected", witness.expected))
    }
    return lines
  }

  private func line(_ name: String, _ value: JSONValue) -> String {
    let text = "\(TextLayout.padded(name, 9))  \(SafeJSON(value).line)"
    return "         " + TextLayout.abbreviated(text, width: width - 9, remark: "…")
  }

  private func kind(_ origin: StoreDiagnosis.Origin) -> String {
    switch origin {
    case .mutant: style.faint("(mutant)")
    case .deviation(let deviation):
      style.faint(
        "(deviation of \(deviation.products.map(\.product).joined(separator: ", ")))")
    }
  }

  /// The result of the random sequences after the vectors.
  ///
  /// - Parameters:
  ///   - new: deviations that no vector showed.
  ///   - refuted: deviations that explain sequences and would fail vectors that the store passes.
  ///   - words: the options that name the implementation.
  func exploration(
    _ report: CampaignReport, new: [Deviation],
    refuted: [(deviation: Deviation, contradictions: Int)], _ words: [String]
  ) -> String {
    let counts = "\(TextLayout.counted(report.runs, "random sequence"))"
    var lines = [""]
    for deviation in new {
      lines.append("\(style.warning("new")): \(style.strong(deviation.id))  \(deviation.sentence)")
    }
    for (deviation, count) in refuted {
      let vectors = TextLayout.counted(count, "vector")
      lines += TextLayout.wrapped(
        "\(style.bad("unknown cause")): random sequences have outcomes as with \(deviation.id), but "
          + "the store passes \(vectors) that would then fail.", width: width, indent: "")
    }
    let classes = Set(report.failures.map(\.finding.shape)).count
    if classes > 0 {
      let command = (["touchstone", "compare"] + words).map(shellQuoted).joined(separator: " ")
      lines.append(
        "\(counts): \(style.bad("unknown cause")) of "
          + "\(TextLayout.counted(report.failures.count, "difference")); to see them: \(command)")
    } else if refuted.isEmpty {
      lines.append("\(counts): \(style.good("nothing else found"))")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// The causes of the failures of a recorded run, for readers.
struct RecordedDiagnosisText {
  private let run: RecordedRun
  private let search: CauseSearch
  private let width: Int
  private let style: TextStyle

  init(_ run: RecordedRun, _ search: CauseSearch, width: Int, style: TextStyle) {
    self.run = run
    self.search = search
    self.width = width
    self.style = style
  }

  var text: String {
    let store = TextLayout.printable("\(run.store.name) \(run.store.version)")
    let unfollowed = run.failures.filter { $0.transcript == nil }
    let explained =
      run.failures.count - unfollowed.count - search.unexplained.count - search.permitted.count
    var lines = [
      "\(style.strong(store)): \(TextLayout.counted(run.failures.count, "failure")) in the report",
      "\(TextLayout.counted(search.causes.count, "cause")) "
        + "\(search.causes.count == 1 ? "explains" : "explain") \(explained) of them",
    ]
    for cause in search.causes {
      let number = String(cause.vectors.count)
      let padding = String(repeating: " ", count: max(0, 5 - number.count))
      lines += ["", "\(padding)\(style.warning(number))  \(style.strong(cause.deviation.id))"]
      lines += TextLayout.wrapped(cause.deviation.sentence, width: width, indent: "       ")
      if let last = cause.demonstration.exchanges.last {
        for text in [
          "operation  \(last.operation)", "outcome    \(last.outcome.json.serialized())",
        ] {
          lines.append(
            "         "
              + TextLayout.abbreviated(TextLayout.printable(text), width: width - 9, remark: "…"))
        }
      }
    }
    lines += list("unknown cause", search.unexplained.map(\.string))
    lines += list(
      "with outcomes that the rules permit, so the vector is stricter than the rules",
      search.permitted.map(\.string))
    lines += list(
      "not followed, because the report has no outcome or not all operations",
      unfollowed.map(\.vector.string))
    return lines.joined(separator: "\n") + "\n"
  }

  private func list(_ title: String, _ names: [String]) -> [String] {
    guard !names.isEmpty else { return [] }
    let printable = names.map { TextLayout.printable($0) }
    return ["", "\(style.bad("\(names.count)")) \(title):"]
      + TextLayout.joined(printable, by: ", ", width: width - 2).map { "  \($0)" }
  }
}
