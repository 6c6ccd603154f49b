internal import Datastore
internal import JSON
internal import Scenarios

/// A run as TAP 14: one test point per vector, with the witness of a failure as YAML.
///
/// A deviation from a recommendation, a failure that only the grade `contract` counts and a known
/// failure are a `TODO`, which by the format fails no run. Problems of the whole run are test
/// points after those of the vectors.
struct TAPReport {
  private let report: RunReport

  init(_ report: RunReport) { self.report = report }

  var text: String {
    let faults = RunSummary(report).runFaults
    var lines = ["TAP version 14", "1..\(report.results.count + faults.count)"]
    for (index, result) in report.results.enumerated() {
      lines += Self.point(index + 1, result)
    }
    for (index, fault) in faults.enumerated() {
      lines.append("not ok \(report.results.count + index + 1) - \(Self.description(fault))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func point(_ number: Int, _ result: RunReport.Result) -> [String] {
    let name = description(result.vector.id.description)
    switch result.verdict {
    case .pass: return ["ok \(number) - \(name)"]
    case .skipped(let skip):
      return ["ok \(number) - \(name) # SKIP \(description(skip.description))"]
    case .harnessError(let failure):
      return ["not ok \(number) - \(name)"] + yaml([("harnessError", .text(failure.description))])
    case .fail(let witness):
      let directive =
        result.knownFailure.map { " # TODO \($0.name): \(description($0.explanation))" }
        ?? (result.isDeviation
          ? " # TODO deviates from a recommendation"
          : result.isContractOnlyFailure ? " # TODO required by grade contract alone" : "")
      return ["not ok \(number) - \(name)\(directive)"] + yaml(witness)
    }
  }

  private static func yaml(_ witness: Witness) -> [String] {
    let clauses = witness.vector.clauses.map { "\($0.id) \($0.level.rawValue) \($0.text)" }
    var members: [(String, JSONValue)] = [
      ("file", .text(witness.vector.file)), ("clauses", .array(clauses.map { .text($0) })),
      ("step", witness.step.map { .integer(Int64($0)) } ?? .null),
      ("operation", witness.exchange.operation), ("expected", witness.expected),
      ("actual", witness.exchange.outcome),
    ]
    if let rerun = witness.rerun { members.append(("rerun", .text(rerun))) }
    return yaml(members)
  }

  /// A block of YAML: JSON on one line is also YAML.
  private static func yaml(_ members: [(String, JSONValue)]) -> [String] {
    ["  ---"] + members.map { "  \($0): \(SafeJSON($1).yamlLine)" } + ["  ..."]
  }

  /// Text as a description: a bare hash starts a directive, and a line break ends the point.
  private static func description(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in TextLayout.printable(text).unicodeScalars {
      if scalar == "#" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
