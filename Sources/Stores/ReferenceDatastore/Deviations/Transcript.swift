public import Datastore

/// Operations with the outcomes of a store, from its first operation on.
public struct Transcript: Sendable {
  /// One operation with its outcome.
  public struct Exchange: Hashable, Sendable {
    public var operation: StoreOperation
    public var outcome: Outcome

    /// Creates an exchange.
    public init(_ operation: StoreOperation, _ outcome: Outcome) {
      self.operation = operation
      self.outcome = outcome
    }
  }

  public var exchanges: [Exchange]
  /// The operation after the exchanges to which the store gave no valid response; nil if every
  /// operation has an outcome.
  public var unanswered: StoreOperation?
  /// The declarations of the store.
  public let store: ImplementationDescription

  /// Creates a transcript.
  public init(
    _ exchanges: [Exchange] = [], unanswered: StoreOperation? = nil,
    of store: ImplementationDescription
  ) {
    self.exchanges = exchanges
    self.unanswered = unanswered
    self.store = store
  }

  /// The number of operations, with the one that has no valid response.
  public var operationCount: Int { exchanges.count + (unanswered == nil ? 0 : 1) }

  /// The result of following a store.
  public struct Following: Sendable {
    /// The number of operations before the first whose outcome is not permitted.
    public var count: Int
    /// The ids of the deviations that made a difference.
    public var occurred: Set<String>
    /// The outcomes that were permitted instead; empty if all of them are permitted.
    public var accepted: [Outcome]
    /// Whether too many states were possible, so that the rest is not checked.
    public var isInconclusive = false
  }

  /// Follows the store through the transcript with some deviations.
  public func followed(with deviations: [Deviation]) -> Following {
    var checker = OutcomeChecker(
      profiles: store.profiles, defaults: store.defaults, restrictions: store.restrictions,
      inlineBytesMax: store.limits.inlineBytesMax, deviations: deviations)
    for (place, exchange) in exchanges.enumerated() {
      switch checker.admit(exchange.operation, exchange.outcome) {
      case .admitted: continue
      case .violation(let violation):
        return Following(
          count: place, occurred: checker.occurred, accepted: violation.accepted)
      case .inconclusive:
        return Following(
          count: place, occurred: checker.occurred, accepted: [], isInconclusive: true)
      }
    }
    if let unanswered, !checker.admitUnanswered(unanswered) {
      return Following(count: exchanges.count, occurred: checker.occurred, accepted: [])
    }
    return Following(count: operationCount, occurred: checker.occurred, accepted: [])
  }

  /// Whether the rules with some deviations permit all outcomes.
  public func isPermitted(with deviations: [Deviation]) -> Bool {
    followed(with: deviations).count == operationCount
  }
}
