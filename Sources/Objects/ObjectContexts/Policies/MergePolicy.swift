/// The resolution of objects that were changed on both sides; the raw values are those of Core
/// Data.
///
/// Source: `NSMergePolicyType`.
public enum MergePolicy: Int64, CaseIterable, Sendable {
  /// The save fails and nothing is written.
  case error = 0
  /// Property by property; if both sides changed one, the store wins.
  case storeTrump = 1
  /// Property by property; if both sides changed one, the context wins.
  case objectTrump = 2
  /// The complete object of the context.
  case overwrite = 3
  /// The complete object of the store.
  case rollback = 4

  /// The name in the contract.
  public var name: String {
    switch self {
    case .error: "error"
    case .storeTrump: "storeTrump"
    case .objectTrump: "objectTrump"
    case .overwrite: "overwrite"
    case .rollback: "rollback"
    }
  }

  /// The policy with a name.
  public init?(named name: String) {
    guard let policy = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = policy
  }

  /// Whether the values of the context win if both sides changed.
  var prefersObject: Bool { self == .objectTrump || self == .overwrite }
}
