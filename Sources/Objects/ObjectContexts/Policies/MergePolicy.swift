/// What becomes of objects that were changed on both sides; the raw values are those of Core Data.
///
/// Source: `NSMergePolicyType`.
public enum MergePolicy: Int64, CaseIterable, Sendable {
  /// Nothing is written, and whoever saves is told.
  case error = 0
  /// Property by property; where both changed, the store wins.
  case storeTrump = 1
  /// Property by property; where both changed, the context wins.
  case objectTrump = 2
  /// The object of the context as a whole.
  case overwrite = 3
  /// The object of the store as a whole.
  case rollback = 4

  /// The name as the contract spells it.
  public var name: String {
    switch self {
    case .error: "error"
    case .storeTrump: "storeTrump"
    case .objectTrump: "objectTrump"
    case .overwrite: "overwrite"
    case .rollback: "rollback"
    }
  }

  /// The policy of a name.
  public init?(named name: String) {
    guard let policy = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = policy
  }

  /// Whether the values of the context win where both sides changed.
  var prefersObject: Bool { self == .objectTrump || self == .overwrite }
}
