internal import Conformance
internal import Datastore
internal import Diagnosis
internal import JSON
internal import Scenarios

// What the arguments of `touchstone run` mean.

extension RunCommand {
  static func implementations(
    _ arguments: Arguments, _ context: Context
  ) throws(UsageError) -> [ImplementationEntry] {
    var entries: [ImplementationEntry] = []
    let names = arguments.values("--implementation")
    let requiresSecret = try ImplementationEntry.requiresSecret(arguments, of: names, manual)
    let serverOptions = try ServerOptions(arguments, of: names, manual)
    for name in names {
      let entry = try ImplementationEntry.named(
        name, manual, context: context, requiresSecret: requiresSecret,
        serverOptions: serverOptions)
      if entries.contains(where: { $0.name == entry.name }) {
        throw UsageError("\(name) is given twice", manual)
      }
      entries.append(entry)
    }
    return entries.isEmpty ? [try .given(arguments, manual, context: context)] : entries
  }

  /// Returns the grade of `--grade`; bundled stores have a fixed grade.
  static func grade(
    _ arguments: Arguments, _ implementations: [ImplementationEntry]
  ) throws(UsageError) -> ConformanceGrade? {
    guard let name = arguments.value("--grade") else { return nil }
    let known = ConformanceGrade.allCases.map(\.rawValue)
    guard let grade = ConformanceGrade.allCases.first(where: { $0.rawValue == name }) else {
      throw UsageError(
        "unknown grade '\(name)'; expected one of \(known.joined(separator: ", "))", manual,
        suggestion: nearest(to: name, among: known))
    }
    if grade == .family, let bundled = implementations.first(where: \.followsModel) {
      throw UsageError("\(bundled.name) is always tested with --grade contract", manual)
    }
    return grade
  }

  /// Rejects options for one implementation where several are given.
  func requireFormsForSeveral() throws(UsageError) {
    for (name, isGiven) in [
      ("--known-failures", knownFailures != nil), ("--product", product != nil),
      ("--write-baseline", baseline != nil),
      ("--storage", storage != nil), ("--after", after != nil), ("--verdict", verdict != nil),
    ] where isGiven {
      throw UsageError("\(name) needs a single implementation, and several are given", Self.manual)
    }
    if let report = reports.first(where: { !$0.format.holdsSeveral }) {
      throw UsageError(
        "\(report.format.rawValue) needs a single implementation, and several are given",
        Self.manual)
    }
  }

  static func offer(_ name: String) throws(UsageError) -> Offer {
    if let offer = Offer.all.first(where: { $0.name == name }) { return offer }
    let known = Offer.all.map(\.name) + [WireRun.profile]
    throw UsageError(
      "unknown profile '\(name)'; expected one of \(known.joined(separator: ", "))", manual,
      suggestion: nearest(to: name, among: known))
  }

  static func report(_ text: String) throws(UsageError) -> ReportRequest {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    let known = ReportFormat.allCases.map(\.rawValue)
    guard let format = ReportFormat.allCases.first(where: { $0.rawValue == parts[0] }) else {
      throw UsageError(
        "unknown report '\(parts[0])'; expected one of \(known.joined(separator: ", "))", manual,
        suggestion: nearest(to: parts[0], among: known))
    }
    guard parts.count == 2, !parts[1].isEmpty else {
      throw UsageError("--report needs a file: \(format.rawValue)=FILE", manual)
    }
    return ReportRequest(format: format, file: parts[1])
  }
}
