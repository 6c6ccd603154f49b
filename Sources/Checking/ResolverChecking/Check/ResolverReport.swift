/// The result of a check of a conflict resolver.
public struct ResolverReport: Hashable, Sendable {
  /// The number of conflicts of the small domain that were checked.
  public var enumerated: Int
  /// The number of random conflicts.
  public var random: Int
  /// The number of answers.
  public var answers: Int
  /// The guarantees that were checked.
  public var expected: Set<ResolverGuarantee>
  /// The leaves that the resolver received.
  public var leaves: ResolvedLeaves
  /// The broken guarantees, each with a minimal conflict.
  public var findings: [ResolverFinding]

  /// The report as text.
  public var text: String {
    (findings.map(\.text) + [verdict]).joined(separator: "\n")
  }

  private var verdict: String {
    var lines = [
      "\(enumerated) enumerated and \(random) random conflicts, \(answers) answers.",
      findings.isEmpty
        ? "The resolver keeps all \(expected.count) guarantees that were checked."
        : "The resolver breaks \(findings.count) of \(expected.count) guarantees.",
    ]
    let skipped = ResolverGuarantee.allCases.filter { !expected.contains($0) }
    if !skipped.isEmpty {
      lines.append("Not checked: \(skipped.map(\.rawValue).joined(separator: ", ")).")
    }
    if let finding = findings.first(where: { [.answers, .deterministic].contains($0.guarantee) }) {
      lines.append("The check ended at \(finding.guarantee.rawValue); fix this first.")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
