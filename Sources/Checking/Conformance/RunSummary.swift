internal import Datastore
public import JSON
internal import Scenarios

/// The verdict on an implementation, and the counts that it rests on.
public struct RunSummary: Sendable {
  public let total: Tally
  /// The rules that decide the conclusion.
  public let grade: ConformanceGrade
  /// How many vectors the corpus has.
  public let vectorCount: Int
  /// The core, and every capability and profile that some vector of the corpus is about.
  public let offers: [OfferSummary]
  /// By what the first clause of a vector is about, in the order of the clauses.
  public let families: [(family: JSONString, tally: Tally)]
  /// Every clause of the corpus.
  public let clauses: [(clause: Clause, verdict: ClauseVerdict)]
  public let conclusion: Conclusion
  /// What speaks against the run itself and not against a vector: nothing asked, wrong limits, a
  /// list of known failures that is not right, a corpus that differs from its manifest.
  public let runFaults: [String]

  /// Which of the offers that were asked run code that all bundled stores share; nil when none does.
  public let sharedLayers: String?
  /// A sentence that names the declared limits which no vector reaches; nil if vectors test all of them.
  public let untestedLimits: String?

  public struct OfferSummary: Hashable, Sendable {
    public let offer: Offer
    public let isMade: Bool
    public let tally: Tally
    /// How many vectors about it were not selected.
    public let unselected: Int
    public let grade: Grade
  }

  /// What all vectors that show a clause say together.
  public enum ClauseVerdict: String, Sendable {
    case pass
    case fail
    /// No vector that shows it was asked.
    case notAsked
    case harnessError
  }
}

extension Vector {
  /// Whether a run that has this vector should say that a limit was not tested.
  fileprivate func isAbout(_ limit: LimitName) -> Bool {
    // Its minimum is the largest size that a vector makes, so that no vector tests this limit.
    if limit == .attachmentBytes { return capabilities.contains(.attachment) }
    return testedLimits.contains(limit)
  }
}

/// How many vectors came to which verdict.
public struct Tally: Hashable, Sendable {
  public private(set) var passed = 0
  /// All failures, also those that do not decide the verdict.
  public private(set) var failed = 0
  /// Failures of vectors that only recommend.
  public private(set) var deviations = 0
  /// Failures of vectors that only the grade `contract` requires, in a run at `family`.
  public private(set) var contractOnly = 0
  /// Failures of required vectors that a list knows.
  public private(set) var known = 0
  public private(set) var skipped = 0
  /// Vectors about sizes that the implementation does not declare; they count nowhere else.
  public private(set) var outOfReach = 0
  public private(set) var harnessErrors = 0

  public init() {}

  init(_ results: some Sequence<RunReport.Result>) {
    for result in results { add(result) }
  }

  mutating func add(_ result: RunReport.Result) {
    switch result.verdict {
    case .pass: passed += 1
    case .fail: failed += 1
    case .skipped(let skip) where skip.isOutOfReach: outOfReach += 1
    case .skipped: skipped += 1
    case .harnessError: harnessErrors += 1
    }
    if result.isDeviation {
      deviations += 1
    } else if result.isContractOnlyFailure {
      contractOnly += 1
    } else if result.knownFailure != nil {
      known += 1
    }
  }

  /// How many were asked.
  public var executed: Int { passed + failed + harnessErrors }
  /// How many there are, skipped ones among them.
  public var count: Int { executed + skipped }
  /// Failures of vectors that the grade requires and that no list knows.
  public var requiredFailures: Int { failed - deviations - contractOnly - known }
}

extension RunSummary {
  /// What the conclusion does not say: failures that do not count at the grade of the run.
  var remarks: [String] {
    guard total.contractOnly > 0 else { return [] }
    let count = TextLayout.counted(total.contractOnly, "vector")
    return ["\(count) failed (required by grade contract only)"]
  }

  /// How many vectors were asked, of how many there are.
  var asked: String { "\(total.executed) of \(TextLayout.counted(vectorCount, "vector"))" }

  public init(_ report: RunReport) {
    grade = report.corpus.grade
    vectorCount = report.corpus.vectors.count
    total = Tally(report.results)
    offers = Offer.all.compactMap { OfferSummary($0, report) }
    let shared = offers.compactMap { summary -> String? in
      guard case .capability(let capability) = summary.offer, summary.tally.executed > 0,
        report.implementation.sharedLayers.contains(capability)
      else { return nil }
      return summary.offer.name
    }
    sharedLayers =
      shared.isEmpty
      ? nil
      : "\(shared.joined(separator: ", ")): Touchstone's own layers over the store, "
        + "shared by all bundled stores"
    untestedLimits = Self.untestedLimits(report)
    families = Self.families(report)
    clauses = Self.clauses(report)
    let faults = Self.faults(report, total: total)
    runFaults =
      faults + report.knownFailureProblems.map { "known failures: \($0)" }
      + report.corpus.differences.map { "incomplete corpus: \($0)" }
    conclusion = Conclusion(
      report, total: total, core: offers.first { $0.offer == .core }, faults: faults)
  }

  /// What the reports for people say beside the tallies.
  var notes: [String] { [sharedLayers, untestedLimits].compactMap { $0 } }

  private static func untestedLimits(_ report: RunReport) -> String? {
    let limits = report.implementation.limits
    let untested = LimitName.allCases.filter { name in
      limits.declared.contains(name) && Int64(limits[name]) > name.testedMax
        && report.results.contains { $0.vector.vector.isAbout(name) }
    }
    guard !untested.isEmpty else { return nil }
    let named = untested.map { "\($0.rawValue) \(limits[$0])" }
    return "Declared limits above the sizes of all vectors: \(named.joined(separator: ", "))"
  }

  /// What speaks against the run, the list of known failures apart.
  private static func faults(_ report: RunReport, total: Tally) -> [String] {
    let isEmpty = total.executed == 0
    let reason = total.count == 0 ? "no vector was selected" : "no vector ran"
    return (isEmpty ? [reason] : []) + report.implementation.declarationFaults
  }

  private static func families(_ report: RunReport) -> [(family: JSONString, tally: Tally)] {
    var tallies: [JSONString: Tally] = [:]
    for result in report.results { tallies[result.vector.family, default: Tally()].add(result) }
    var families: [(family: JSONString, tally: Tally)] = []
    // The clauses have an order, the tallies have none.
    let order = report.corpus.clauses.map(\.family) + report.results.map(\.vector.family)
    for family in order {
      if let tally = tallies.removeValue(forKey: family) { families.append((family, tally)) }
    }
    return families
  }

  private static func clauses(
    _ report: RunReport
  ) -> [(clause: Clause, verdict: ClauseVerdict)] {
    var verdicts: [ClauseID: ClauseVerdict] = [:]
    for result in report.results {
      for id in result.vector.vector.clauses {
        switch (result.verdict, verdicts[id]) {
        case (.fail, _): verdicts[id] = .fail
        case (.harnessError, let verdict) where verdict != .fail: verdicts[id] = .harnessError
        case (.pass, nil): verdicts[id] = .pass
        default: break
        }
      }
    }
    return report.corpus.clauses.map { ($0, verdicts[$0.id] ?? .notAsked) }
  }
}

extension RunSummary.OfferSummary {
  /// Nil when the corpus has no vector about a capability or profile.
  init?(_ offer: Offer, _ report: RunReport) {
    let vectors = report.corpus.vectors.filter { offer.includes($0.vector) }
    guard !vectors.isEmpty || offer == .core else { return nil }
    self.offer = offer
    isMade = offer.isMade(by: report.implementation)
    tally = Tally(report.results.filter { offer.includes($0.vector.vector) })
    unselected = vectors.count { !report.selection.contains($0) }
    grade = Grade(offer, vectors, report: report)
  }

  /// The offer in one phrase, such as `core 112/112` or `compact not offered`.
  public var phrase: String {
    if !isMade { return "\(offer.name) not offered" }
    if tally.count == 0 { return "\(offer.name) not run" }
    let skipped = tally.skipped > 0 ? " (\(tally.skipped) skipped)" : ""
    return "\(offer.name) \(tally.passed)/\(tally.count)\(skipped)"
  }
}
