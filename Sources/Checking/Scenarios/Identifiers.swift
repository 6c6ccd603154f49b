public import Datastore

/// The name of a vector, such as `winner-live-beats-deleted`; it never changes and is never reused.
public typealias VectorID = Identifier<Named.Vector>

/// The name of a clause, such as `TREE-021`.
public typealias ClauseID = Identifier<Named.Clause>

extension Named {
  /// Marks the ids of vectors.
  public enum Vector: Sendable {}
  /// Marks the ids of clauses.
  public enum Clause: Sendable {}
}
