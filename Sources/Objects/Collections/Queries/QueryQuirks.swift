/// Undesirable behavior of the product when a query is built.
///
/// Source: KinveyKit 1.41, `KCSQuery`.
public struct QueryQuirks: Hashable, Sendable {
  /// A second condition on a field replaces the first.
  public var replacesConditions: Bool
  /// `all` and `size` turn the query into one that matches everything.
  public var forgetsArrayConditions: Bool
  /// A copy uses the limit of the query as its skip.
  public var copiesLimitAsSkip: Bool

  /// Creates a choice of quirks; by default none.
  public init(
    replacesConditions: Bool = false, forgetsArrayConditions: Bool = false,
    copiesLimitAsSkip: Bool = false
  ) {
    self.replacesConditions = replacesConditions
    self.forgetsArrayConditions = forgetsArrayConditions
    self.copiesLimitAsSkip = copiesLimitAsSkip
  }

  /// All quirks of the product.
  public static let product = QueryQuirks(
    replacesConditions: true, forgetsArrayConditions: true, copiesLimitAsSkip: true)
}
