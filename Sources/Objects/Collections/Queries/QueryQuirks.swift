/// What the product does when a query is built and should not do.
///
/// Source: KinveyKit 1.41, `KCSQuery`.
public struct QueryQuirks: Hashable, Sendable {
  /// A second condition on a field takes the place of the first.
  public var replacesConditions: Bool
  /// `all` and `size` make the query one for everything.
  public var forgetsArrayConditions: Bool
  /// A copy skips as many objects as the query was limited to.
  public var copiesLimitAsSkip: Bool

  public init(
    replacesConditions: Bool = false, forgetsArrayConditions: Bool = false,
    copiesLimitAsSkip: Bool = false
  ) {
    self.replacesConditions = replacesConditions
    self.forgetsArrayConditions = forgetsArrayConditions
    self.copiesLimitAsSkip = copiesLimitAsSkip
  }

  /// All that the product does.
  public static let product = QueryQuirks(
    replacesConditions: true, forgetsArrayConditions: true, copiesLimitAsSkip: true)
}
