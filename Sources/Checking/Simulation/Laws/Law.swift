public import JSON

/// A metamorphic property of any store, checked without a model: two equivalent sequences of
/// operations have equal results.
public enum Law: String, CaseIterable, Hashable, Sendable {
  /// Another replication copies and changes nothing.
  case repetition
  /// The result does not depend on the order in which revisions arrive.
  case order
  /// The names of replicas make no difference.
  case replicaNames
  /// The names of documents make no difference.
  case documentNames
  /// The number of revisions per call and of rows per page makes no difference.
  case batches
  /// A replica can restart between any two operations.
  case restarts

  /// The law in a few words.
  public var sentence: String {
    switch self {
    case .repetition: "a repeated replication changes nothing"
    case .order: "the order of revisions does not matter"
    case .replicaNames: "the names of replicas do not matter"
    case .documentNames: "the names of documents do not matter"
    case .batches: "the division into batches does not matter"
    case .restarts: "closing and reopening a store changes nothing"
    }
  }
}

/// A seed under which a law does not hold.
public struct LawFinding: Hashable, Sendable {
  /// The law.
  public var law: Law
  /// The seed of the history.
  public var seed: UInt64
  /// The violation in a sentence.
  public var sentence: JSONString
}
