/// A guarantee about operations of several clients. The contract gives all of them; a product that
/// does not give one declares a deviation.
public enum ConsistencyPromise: String, CaseIterable, Hashable, Sendable {
  /// A read shows every write that was acknowledged before the read began.
  case reads
  /// A page of the feed shows every write that was acknowledged before the request.
  case feed
  /// The feed has changes in the order of their acknowledgements.
  case feedOrder
  /// An answer of an index shows every write that was acknowledged before the request.
  case indexes
  /// The counts of `info` are those of one moment between request and response.
  case counts
}
