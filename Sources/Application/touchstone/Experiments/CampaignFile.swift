internal import Conformance
internal import JSON
internal import Simulation

/// The report of a campaign, or of a part of one, as `simulate --report` writes it.
///
/// Version 2 is `{"format": "touchstone campaign", "version": 2, "identity": …, "seeds": […],
/// "report": …}`. Version 1 was the member `report` alone, without an identity.
struct CampaignFile: Hashable {
  /// Nil in a file of version 1, and in the report of a worker process.
  var identity: CampaignIdentity?
  /// Nil in a file of version 1.
  var seeds: [SeedPart]?
  var report: CampaignReport

  static let format: JSONString = "touchstone campaign"
  private static let version: Int64 = 2

  init(_ report: CampaignReport, _ seeds: [SeedPart], identity: CampaignIdentity?) {
    (self.report, self.seeds, self.identity) = (report, seeds, identity)
  }

  var json: JSONValue {
    [
      "format": .string(Self.format), "version": .integer(Self.version),
      "identity": identity?.json ?? .null, "seeds": .array((seeds ?? []).map { $0.json }),
      "report": report.json,
    ]
  }

  /// Writes the report to a file; `-` is standard output.
  ///
  /// - Returns: true if the report goes to standard output, which then has no text for readers.
  func write(to path: String, _ context: Context) throws(CommandFailure) -> Bool {
    let text = json.serialized() + "\n"
    if path == "-" {
      context.output(text)
    } else {
      try onFiles { () throws(Files.Failure) in try Files.write(text, to: path) }
    }
    return path == "-"
  }

  /// Reads a report, and checks its consistency.
  init(_ json: JSONValue) throws(DecodingFailure) {
    guard json.objectValue?["format"] != nil else {
      report = try CampaignReport(json)
      return
    }
    var reader = try ObjectReader(json, path: "")
    guard try reader.text("format") == Self.format else {
      throw DecodingFailure(path: "format", message: "expected \"\(Self.format)\"")
    }
    guard try reader.integer("version") == Self.version else {
      throw DecodingFailure(
        path: "version",
        message: "expected \(Self.version); another version of touchstone wrote this file")
    }
    let identity = try reader.required("identity")
    self.identity = identity == .null ? nil : try CampaignIdentity(identity, path: "identity")
    let seeds = try reader.elements("seeds") { (element, path) throws(DecodingFailure) in
      try SeedPart(element, path: path)
    }
    self.seeds = seeds
    report = try CampaignReport(try reader.required("report"), path: "report")
    try reader.finish()
    let ran = seeds.reduce((0 as UInt64, false)) { sum, part in
      let (total, overflows) = sum.0.addingReportingOverflow(part.ranCount)
      return (total, sum.1 || overflows)
    }
    guard !ran.1, ran.0 == UInt64(report.runs) else {
      throw DecodingFailure(
        path: "report.runs", message: "\(report.runs) runs, but \(ran.0) seeds ran")
    }
    for failure in report.failures where !seeds.contains(where: { $0.contains(failure.seed) }) {
      throw DecodingFailure(
        path: "report.failures", message: "failed seed \(failure.seed) is not among the seeds")
    }
    // A report has the first finding of a run.
    var failed: Set<UInt64> = []
    for failure in report.failures where !failed.insert(failure.seed).inserted {
      throw DecodingFailure(
        path: "report.failures", message: "seed \(failure.seed) has two findings")
    }
  }
}
