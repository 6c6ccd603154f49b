/// Why a failure of a vector does not fail the run.
public enum KnownFailure: Hashable, Sendable {
  /// A list of known failures contains it.
  case listed(KnownFailures.Entry)
  /// Declared deviations explain every outcome exactly.
  case explained([DeclaredDeviation])

  /// The entry of the list; nil for an explained failure.
  public var entry: KnownFailures.Entry? {
    if case .listed(let entry) = self { entry } else { nil }
  }

  /// The deviations that explain the failure; empty for a listed failure.
  public var deviations: [DeclaredDeviation] {
    if case .explained(let deviations) = self { deviations } else { [] }
  }

  /// The kind of the failure in reports.
  var name: String {
    switch self {
    case .listed: "known failure"
    case .explained: "explained failure"
    }
  }

  /// The reason in one phrase.
  var explanation: String {
    switch self {
    case .listed(let entry): entry.explanation
    case .explained(let deviations):
      "declared \(deviations.count == 1 ? "deviation" : "deviations") "
        + deviations.map(\.id).joined(separator: ", ")
    }
  }
}
