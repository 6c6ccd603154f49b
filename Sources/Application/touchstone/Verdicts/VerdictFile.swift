internal import Conformance
internal import JSON

/// The outcome of a run in a form that another person can check with `touchstone verify`.
///
/// `{"format": "touchstone-verdict", "version": 1, "identity", "conclusion", "counts": {verdict:
/// number}, "notPassed": {id: verdict}, "digest"}`. A vector of the selection that `notPassed` does
/// not name passed.
struct VerdictFile: Hashable {
  /// The options choose the vectors and the grade.
  var identity: CampaignIdentity
  /// The name of the conclusion in reports, such as `conformant`.
  var conclusion: JSONString
  var outcomes: VerdictOutcomes

  private static let format: JSONString = "touchstone-verdict"
  private static let formatVersion: Int64 = 1

  /// Creates the verdict of a complete run.
  init(_ report: RunReport, identity: CampaignIdentity) {
    self.identity = identity
    conclusion = JSONString(RunSummary(report).conclusion.name)
    outcomes = VerdictOutcomes(
      report.results.map { ($0.vector.id, JSONString($0.verdict.name)) })
  }

  var json: JSONValue {
    .object(
      JSONObject(
        [
          ("format", .string(Self.format)), ("version", .integer(Self.formatVersion)),
          ("identity", identity.json), ("conclusion", .string(conclusion)),
        ] + outcomes.members))
  }

  /// Reads a verdict.
  init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    try reader.requireFormat(Self.format, version: Self.formatVersion)
    identity = try CampaignIdentity(try reader.required("identity"), path: "identity")
    try Self.check(identity.options)
    conclusion = try reader.text("conclusion")
    outcomes = try VerdictOutcomes(&reader)
    try reader.finish()
  }

  /// The options that a verdict may have. None of them starts a program or writes a file.
  private static let optionNames: [JSONString] = ["--grade", "--product", "--profile", "--filter"]

  private static func check(_ options: [JSONString]) throws(DecodingFailure) {
    for place in stride(from: 0, to: options.count, by: 2)
    where !optionNames.contains(options[place]) {
      let known = optionNames.map(\.string).joined(separator: ", ")
      throw DecodingFailure(
        path: "identity.options[\(place)]", message: "expected one of \(known)")
    }
    guard options.count.isMultiple(of: 2) else {
      throw DecodingFailure(path: "identity.options", message: "the last option has no value")
    }
  }
}
