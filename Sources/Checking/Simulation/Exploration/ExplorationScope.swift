/// The bounds of one path of an explorer, which enumerates all paths within them.
public struct ExplorationScope: Hashable, Sendable {
  /// The number of replicas.
  public var replicas: Int
  /// The number of documents.
  public var documents: Int
  /// The number of client writes.
  public var operations: Int
  /// The number of sessions that begin.
  public var sessions: Int
  /// The number of crashes, lost messages, refused requests and incomplete responses.
  public var faults: Int

  /// Creates a scope.
  public init(
    replicas: Int = 2, documents: Int = 1, operations: Int = 4, sessions: Int = 2, faults: Int = 1
  ) {
    self.replicas = replicas
    self.documents = documents
    self.operations = operations
    self.sessions = sessions
    self.faults = faults
  }
}

/// The counts of an exploration.
public struct ExplorationReport: Hashable, Sendable {
  /// Distinct states, apart from the names of replicas, revisions, sessions and sequences.
  public var states = 0
  /// Moves performed.
  public var transitions = 0
  /// Distinct contents of the stores: states apart from live sessions and messages in flight. Each
  /// one was healed and checked.
  public var holdings = 0
  /// Distinct common contents of the stores after healing.
  public var ends = 0
  /// The number of moves of the longest path to a new state.
  public var depth = 0
}
