internal import Datastore
public import JSON
internal import Scenarios

/// The verdict on an implementation, and the counts behind it.
public struct RunSummary: Sendable {
  /// The counts of all vectors.
  public let total: Tally
  /// The rules that decide the conclusion.
  public let grade: ConformanceGrade
  /// The number of vectors in the corpus.
  public let vectorCount: Int
  /// The core, and every capability and profile with vectors in the corpus.
  public let offers: [OfferSummary]
  /// The counts by the family of a vector's first clause, in the order of the clauses.
  public let families: [(family: JSONString, tally: Tally)]
  /// Every clause of the corpus.
  public let clauses: [(clause: Clause, verdict: ClauseVerdict)]
  /// The verdict on the implementation.
  public let conclusion: Conclusion
  /// The problems of the run itself: no vector ran, invalid limits, an invalid list of known
  /// failures, a corpus that differs from its manifest.
  public let runFaults: [String]

  /// The offers that ran on layers which all bundled stores share; nil if none did.
  public let sharedLayers: String?
  /// The number of vectors that are not tested, by restriction; nil without such vectors.
  public let notTested: String?
  /// A sentence with the declared limits that no vector reaches; nil if vectors test all of them.
  public let untestedLimits: String?

  /// The result of a run for one offer.
  public struct OfferSummary: Hashable, Sendable {
    /// The core, a capability or a profile.
    public let offer: Offer
    /// True if the implementation declares the offer.
    public let isMade: Bool
    /// The counts of its vectors.
    public let tally: Tally
    /// The number of its vectors that were not selected.
    public let unselected: Int
    /// The grade.
    public let grade: Grade
  }

  /// The combined verdict of the vectors of a clause.
  public enum ClauseVerdict: String, Sendable {
    /// At least one vector passed, and none failed.
    case pass
    /// A vector failed.
    case fail
    /// None of its vectors ran.
    case notAsked
    /// None of its vectors ran, at least one of them because of a declared restriction.
    case notTested
    /// A vector has no verdict, and none failed.
    case harnessError
  }
}

extension Vector {
  /// Whether a run with this vector should report an untested limit.
  fileprivate func isAbout(_ limit: LimitName) -> Bool {
    // Its minimum is the largest size in any vector, so no vector tests this limit.
    if limit == .attachmentBytes { return capabilities.contains(.attachmentPieces) }
    return testedLimits.contains(limit)
  }
}

/// The number of vectors by verdict.
public struct Tally: Hashable, Sendable {
  /// Vectors that passed.
  public private(set) var passed = 0
  /// All failures, also those that do not count.
  public private(set) var failed = 0
  /// Failures of vectors of recommendations.
  public private(set) var deviations = 0
  /// Failures of vectors that only the grade `contract` requires, in a run at `family`.
  public private(set) var contractOnly = 0
  /// Listed failures of required vectors.
  public private(set) var known = 0
  /// Failures that declared deviations explain, also of vectors that are not required.
  public private(set) var explained = 0
  /// Vectors that did not run, without those that a restriction leaves out.
  public private(set) var skipped = 0
  /// Skipped vectors about sizes that the implementation does not declare; they are not in `count`.
  public private(set) var outOfReach = 0
  /// Vectors that a declared restriction makes untestable.
  public private(set) var notTested = 0
  /// Vectors without a verdict.
  public private(set) var harnessErrors = 0

  /// Creates counts of 0.
  public init() {}

  init(_ results: some Sequence<RunReport.Result>) {
    for result in results { add(result) }
  }

  mutating func add(_ result: RunReport.Result) {
    switch result.verdict {
    case .pass: passed += 1
    case .fail: failed += 1
    case .skipped(let skip) where skip.isRestricted: notTested += 1
    case .skipped(let skip):
      skipped += 1
      if skip.isOutOfReach { outOfReach += 1 }
    case .harnessError: harnessErrors += 1
    }
    if result.knownFailure?.deviations.isEmpty == false {
      explained += 1
    } else if result.isDeviation {
      deviations += 1
    } else if result.isContractOnlyFailure {
      contractOnly += 1
    } else if result.knownFailure != nil {
      known += 1
    }
  }

  /// The number of vectors that ran.
  public var executed: Int { passed + failed + harnessErrors }
  /// The number of vectors that a store with these declarations can be asked to pass, with those
  /// that its restrictions leave out.
  public var count: Int { executed + skipped + notTested - outOfReach }
  /// Failures of required vectors that are not listed as known.
  public var requiredFailures: Int { failed - deviations - contractOnly - known - explained }
}

extension RunSummary {
  /// Remarks beside the conclusion: failures that do not count at the grade of the run, and vectors
  /// that declared restrictions make untestable.
  var remarks: [String] {
    var remarks: [String] = []
    if total.contractOnly > 0 {
      let count = TextLayout.counted(total.contractOnly, "vector")
      remarks.append("\(count) failed (required by grade contract only)")
    }
    if let notTested { remarks.append(notTested) }
    return remarks
  }

  /// The number of vectors that ran, and the total.
  var asked: String { "\(total.executed) of \(TextLayout.counted(vectorCount, "vector"))" }

  /// Computes the summary of a report.
  public init(_ report: RunReport) {
    grade = report.corpus.grade
    vectorCount = report.corpus.vectors.count
    total = Tally(report.results)
    offers = Self.parts(report).compactMap { OfferSummary($0, report) }
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
    notTested = Self.notTested(report)
    families = Self.families(report)
    clauses = Self.clauses(report)
    let faults = Self.faults(report, total: total)
    runFaults =
      faults + report.knownFailureProblems.map { "known failures: \($0)" }
      + report.corpus.differences.map { "incomplete corpus: \($0)" }
    conclusion = Conclusion(
      report, total: total, core: offers.first { $0.offer == .core }, faults: faults)
  }

  /// What belongs to one offer.
  fileprivate struct Part {
    let offer: Offer
    /// Its vectors in the corpus, and how many of them were not selected.
    var vectors: [CorpusVector] = []
    var unselected = 0
    var results: [RunReport.Result] = []
  }

  /// The parts of a report, in one pass: a corpus has thousands of vectors.
  private static func parts(_ report: RunReport) -> [Part] {
    var parts = Offer.all.map { Part(offer: $0) }
    for vector in report.corpus.vectors {
      let isSelected = report.selection.contains(vector)
      for place in parts.indices where parts[place].offer.includes(vector.vector) {
        parts[place].vectors.append(vector)
        if !isSelected { parts[place].unselected += 1 }
      }
    }
    for result in report.results {
      for place in parts.indices where parts[place].offer.includes(result.vector.vector) {
        parts[place].results.append(result)
      }
    }
    return parts
  }

  /// Remarks of reports for readers beside the counts.
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

  private static func notTested(_ report: RunReport) -> String? {
    var (total, counts) = (0, [Restriction: Int]())
    for result in report.results {
      guard case .skipped(let skip) = result.verdict, skip.isRestricted else { continue }
      total += 1
      for restriction in skip.restrictions { counts[restriction, default: 0] += 1 }
    }
    guard total > 0 else { return nil }
    let named = Restriction.allCases.compactMap { restriction in
      counts[restriction].map { "\(restriction.rawValue) \($0)" }
    }
    return "\(TextLayout.counted(total, "vector")) not tested (\(named.joined(separator: ", ")))"
  }

  /// The problems of the run, without those of the list of known failures.
  private static func faults(_ report: RunReport, total: Tally) -> [String] {
    let isEmpty = total.executed == 0
    let reason = total.count == 0 && report.stop == nil ? "no vector was selected" : "no vector ran"
    return (isEmpty ? [reason] : []) + report.implementation.declarationFaults
  }

  private static func families(_ report: RunReport) -> [(family: JSONString, tally: Tally)] {
    var tallies: [JSONString: Tally] = [:]
    for result in report.results { tallies[result.vector.family, default: Tally()].add(result) }
    var families: [(family: JSONString, tally: Tally)] = []
    // The clauses have an order, the counts have none.
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
        case (.pass, nil), (.pass, .notTested): verdicts[id] = .pass
        case (.skipped(let skip), nil) where skip.isRestricted: verdicts[id] = .notTested
        default: break
        }
      }
    }
    return report.corpus.clauses.map { ($0, verdicts[$0.id] ?? .notAsked) }
  }
}

extension RunSummary.OfferSummary {
  /// Nil if the corpus has no vector of a capability or profile.
  fileprivate init?(_ part: RunSummary.Part, _ report: RunReport) {
    guard !part.vectors.isEmpty || part.offer == .core else { return nil }
    offer = part.offer
    isMade = offer.isMade(by: report.implementation)
    tally = Tally(part.results)
    unselected = part.unselected
    grade = Grade(offer, vectors: part.vectors, results: part.results, report)
  }

  /// The offer in one phrase, such as `core 112/112` or `compact not offered`.
  public var phrase: String {
    if !isMade { return "\(offer.name) not offered" }
    if tally.count == 0 { return "\(offer.name) not run" }
    let skipped = tally.skipped > 0 ? " (\(tally.skipped) skipped)" : ""
    let notTested = tally.notTested > 0 ? " (\(tally.notTested) not tested)" : ""
    return "\(offer.name) \(tally.passed)/\(tally.count)\(skipped)\(notTested)"
  }
}
