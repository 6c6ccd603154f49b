public import JSON

/// A law that binds any store and needs no model: two ways of doing one thing come to the same.
public enum Law: String, CaseIterable, Hashable, Sendable {
  /// Replicating once more changes nothing and moves nothing.
  case repetition
  /// In whatever order revisions arrive, what they come to is the same.
  case order
  /// What a replica is called makes no difference.
  case replicaNames
  /// What a document is called makes no difference.
  case documentNames
  /// How many revisions come in one call, and rows in one page, makes no difference.
  case batches
  /// Between any two operations a replica can end and start again.
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
