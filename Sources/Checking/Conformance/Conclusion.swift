internal import Scenarios

/// The conclusion of a whole run.
public enum Conclusion: Hashable, Sendable {
  /// All required vectors of the released corpus ran, and none failed.
  case conformant
  /// All vectors that ran passed; declared restrictions make others untestable.
  case restricted
  /// All vectors that ran passed; a selection proves no conformance.
  case selectionPassed
  /// All vectors of another corpus than the released one passed, which proves no conformance.
  case otherCorpusPassed(reasons: [String])
  /// The corpus differs from its own manifest, so neither passes nor failures count.
  case incomplete(reasons: [String])
  /// Declared deviations break requirements of the whole family, and explain every failure exactly.
  case explained(reasons: [String])
  /// Required vectors failed, all of them as listed.
  case knownFailuresOnly(reasons: [String])
  /// Required vectors failed, or the run itself has problems.
  case notConformant(reasons: [String])
  /// No vector failed, but some have no verdict.
  case harnessFailed(reasons: [String])

  /// All names.
  package static let names: Set<String> = [
    "conformant", "restricted", "selectionPassed", "otherCorpusPassed", "incomplete", "explained",
    "knownFailuresOnly", "notConformant", "harnessFailed",
  ]

  /// The name of the conclusion in reports.
  public var name: String {
    switch self {
    case .conformant: "conformant"
    case .restricted: "restricted"
    case .selectionPassed: "selectionPassed"
    case .otherCorpusPassed: "otherCorpusPassed"
    case .incomplete: "incomplete"
    case .explained: "explained"
    case .knownFailuresOnly: "knownFailuresOnly"
    case .notConformant: "notConformant"
    case .harnessFailed: "harnessFailed"
    }
  }

  /// The conclusion in words.
  public var words: String {
    switch self {
    case .conformant: "conformant"
    case .restricted: "passed with restrictions"
    case .selectionPassed, .otherCorpusPassed: "passed"
    case .incomplete: "incomplete"
    case .explained: "explained"
    case .knownFailuresOnly: "not conformant, as listed"
    case .notConformant: "not conformant"
    case .harnessFailed: "no verdict"
    }
  }

  /// The reasons, each as a phrase; empty for a run that passed.
  public var reasons: [String] {
    switch self {
    case .conformant, .restricted: []
    case .selectionPassed: ["a selection of vectors does not prove conformance"]
    case .otherCorpusPassed(let reasons), .incomplete(let reasons),
      .explained(let reasons), .knownFailuresOnly(let reasons), .notConformant(let reasons),
      .harnessFailed(let reasons):
      reasons
    }
  }
}

extension Conclusion {
  init(
    _ report: RunReport, total: Tally, core: RunSummary.OfferSummary?, faults: [String]
  ) {
    var reasons = faults
    if total.requiredFailures > 0 {
      reasons.append("\(TextLayout.counted(total.requiredFailures, "vector")) failed")
    }
    let skipped = report.results.count { $0.vector.vector.isCore && $0.verdict.isRefusal }
    if skipped > 0 {
      reasons.append("\(TextLayout.counted(skipped, "core vector")) skipped")
    }
    if !report.knownFailureProblems.isEmpty {
      let count = TextLayout.counted(report.knownFailureProblems.count, "error")
      reasons.append("\(count) in the list of known failures")
    }
    let stop = report.stop.map { stop in
      "stopped with \(report.selectedCount - report.results.count) of "
        + "\(TextLayout.counted(report.selectedCount, "vector")) left: \(stop.words)"
    }
    if !reasons.isEmpty, let stop { reasons.append(stop) }
    if let reservation = report.corpus.integrity.reservation, !report.corpus.differences.isEmpty {
      self = .incomplete(reasons: [reservation] + reasons)
    } else if !reasons.isEmpty {
      self = .notConformant(reasons: reasons)
    } else if let stop {
      self = .harnessFailed(reasons: [stop])
    } else if total.harnessErrors > 0 {
      var reasons = ["\(TextLayout.counted(total.harnessErrors, "vector")) without a verdict"]
      if let only = Self.onlyHarnessError(report) {
        reasons.append("all for the same reason: \(only)")
      }
      self = .harnessFailed(reasons: reasons)
    } else if total.known > 0 {
      let noun = total.known == 1 ? "vector fails" : "vectors fail"
      let explained = total.explained > 0 ? [Self.explanation(report, total)] : []
      self = .knownFailuresOnly(reasons: ["\(total.known) \(noun) as listed"] + explained)
    } else if total.explained > 0 || report.product?.breakingFamily(report.corpus).isEmpty == false
    {
      let scope =
        report.isWhole
        ? report.corpus.integrity.reservation : "only a selection of the vectors was run"
      self = .explained(reasons: [Self.explanation(report, total)] + [scope].compactMap { $0 })
    } else if let core, core.tally.count > 0, report.isWhole {
      let reservation = report.corpus.integrity.reservation
      self =
        reservation.map { .otherCorpusPassed(reasons: [$0]) }
        ?? (total.notTested > 0 ? .restricted : .conformant)
    } else {
      self = .selectionPassed
    }
  }

  /// The number of failures that declared deviations explain.
  private static func explanation(_ report: RunReport, _ total: Tally) -> String {
    let causes = Set(report.results.flatMap { $0.knownFailure?.deviations ?? [] })
    let vectors = report.results.count { $0.knownFailure?.deviations.isEmpty == false }
    return "\(TextLayout.counted(vectors, "failure")) by "
      + "\(TextLayout.counted(causes.count, "declared deviation")), "
      + "\(total.requiredFailures) unexplained"
  }

  /// The message, if all vectors that ran failed with the same one, and there are several.
  private static func onlyHarnessError(_ report: RunReport) -> String? {
    var messages: Set<String> = []
    var count = 0
    for result in report.results {
      switch result.verdict {
      case .harnessError(let failure):
        messages.insert(failure.message)
        count += 1
      case .pass, .fail: return nil
      case .skipped: break
      }
    }
    return count > 1 && messages.count == 1 ? messages.first : nil
  }
}

extension RunReport {
  /// Whether all vectors of the implementation's offers ran, and the corpus is complete.
  var isWhole: Bool {
    let asked = Set(results.map(\.vector.id))
    return corpus.isWhole
      && corpus.vectors.allSatisfy { asked.contains($0.id) || $0.skip(for: implementation) != nil }
  }
}
