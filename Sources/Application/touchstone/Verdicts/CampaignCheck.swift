internal import Conformance
internal import JSON
internal import Scenarios
internal import Simulation

/// The comparison of the report of a campaign with a repetition of its seeds.
struct CampaignCheck {
  private var differences = VerdictDifferences()
  private let count: Int
  private let total: Int
  /// What the report is about.
  private let subject: String
  /// The number of requested seeds that did not run, and the number of requested ones.
  private let missing: (count: UInt64, asked: UInt64)

  /// - Parameters:
  ///   - sample: the seeds that should have run again; nil for all seeds of the campaign. Only then
  ///     are its sums compared.
  ///   - report: their repetition.
  ///   - identity: what the repetition depends on.
  init(
    _ merge: CampaignMerge, sample: [SeedRange]?, _ report: CampaignReport,
    by identity: CampaignIdentity
  ) {
    let file = merge.file
    missing = (merge.asked - min(merge.ran, merge.asked), merge.asked)
    var options = file.identity.map { $0.options.map(\.string) } ?? []
    // Reports of simulations name no command.
    if options.first?.utf8.starts(with: "--".utf8) ?? true { options.insert("simulate", at: 0) }
    let findings = TextLayout.counted(file.report.failures.count, "finding")
    subject =
      (options + ["by \(identity.name) \(identity.version):", findings])
      .joined(separator: " ")
    (count, total) = (report.runs, file.report.runs)
    if let stated = file.identity { differences.compare(stated, found: identity) }
    var found: [UInt64: JSONString] = [:]
    for failure in report.failures { found[failure.seed] = Self.line(failure) }
    for failure in file.report.failures
    where sample?.contains(where: { $0.has(failure.seed) }) ?? true {
      let actual = found.removeValue(forKey: failure.seed)
      differences.compare(
        "seed \(failure.seed)", stated: Self.line(failure),
        found: actual?.string ?? Self.noFinding)
    }
    for failure in report.failures where found[failure.seed] != nil {
      differences.compare(
        "seed \(failure.seed)", stated: JSONString(Self.noFinding), found: Self.line(failure).string
      )
    }
    // A case that does not run again must not pass as checked.
    differences.compare(
      "cases that ran again", stated: JSONString("\(sample?.reduce(0) { $0 + $1.count } ?? total)"),
      found: "\(count)")
    if differences.isEmpty, sample == nil { compareSums(file.report, report) }
  }

  private static let noFinding = "no finding"

  private static func line(_ failure: CampaignReport.Failure) -> JSONString {
    let finding = failure.finding
    return JSONString(
      "\(finding.oracle) \(finding.shape) at \(finding.time) ns: \(finding.sentence)")
  }

  private mutating func compareSums(_ stated: CampaignReport, _ found: CampaignReport) {
    func compare(_ what: String, _ stated: some BinaryInteger, found: some BinaryInteger) {
      differences.compare(what, stated: JSONString("\(stated)"), found: "\(found)")
    }
    compare("runs", stated.runs, found: found.runs)
    compare("events", stated.events, found: found.events)
    compare("simulated milliseconds", stated.milliseconds, found: found.milliseconds)
    compare("digest of all events", stated.digest, found: found.digest)
    for probe in Probe.allCases {
      compare("probe \(probe.rawValue)", stated.probes[probe], found: found.probes[probe])
    }
    for (kind, left, right) in [
      ("count", stated.counts, found.counts),
      ("sequences with", stated.deviationCounts, found.deviationCounts),
    ] {
      for name in Set(left.keys).union(right.keys).inByteOrder {
        differences.compare(
          "\(kind) \(name)", stated: JSONString(left[name].map { "\($0)" } ?? "none"),
          found: right[name].map { "\($0)" } ?? "none")
      }
    }
  }

  var holds: Bool { differences.isEmpty }

  /// The result for readers.
  var text: String {
    differences.text(
      "\(count) of \(TextLayout.counted(total, "case"))",
      outcome: "the stated outcome\(count == total ? ", with the same events" : "")",
      about: [subject]
        + (missing.count == 0
          ? [] : ["\(missing.count) of the \(missing.asked) requested seeds did not run"]))
  }
}
