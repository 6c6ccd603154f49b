public import Datastore
internal import JSON
public import ReferenceDatastore
internal import Scenarios

/// A check whose cases follow from seeds, one case for each seed.
///
/// A case depends only on its seed. So cases can run in any order and in any process, and their
/// reports are joined.
public protocol Experiment {
  /// Runs the case of a seed.
  ///
  /// - Returns: the report of this case alone.
  mutating func report(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport
}

extension Campaign: Experiment {
  public mutating func report(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport {
    var report = CampaignReport()
    report.add(try runCollecting(seed: seed), seed: seed)
    return report
  }
}

extension Laws: Experiment {
  /// Checks all laws under a seed; ends at the first that does not hold.
  public func report(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport {
    for law in Law.allCases {
      guard let finding = try check(law, seed: seed) else { continue }
      return CampaignReport(
        seed: seed, counts: ["laws": 1],
        Trace.Finding(
          oracle: "law", shape: JSONString(law.rawValue), sentence: finding.sentence, time: 0))
    }
    return CampaignReport(seed: seed, counts: ["laws": Law.allCases.count])
  }
}

extension Differential: Experiment {
  /// Compares the sequence of a seed and keeps the disagreement.
  public mutating func report(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport {
    try sequenceReport(ofSeed: seed)
  }
}

extension CampaignReport {
  /// The deviations that occurred, with the number of their cases; the most frequent first.
  public var deviations: [(deviation: Deviation, count: Int)] {
    let found = Deviation.all.compactMap { deviation in
      deviationCounts[JSONString(deviation.id)].map { (deviation: deviation, count: $0) }
    }
    return found.enumerated().sorted {
      (-$0.element.count, $0.offset) < (-$1.element.count, $1.offset)
    }
    .map(\.element)
  }
}
