/// How much an explorer goes through: bounds of one path, and each path within them is taken.
public struct ExplorationScope: Hashable, Sendable {
  /// The number of replicas.
  public var replicas: Int
  /// The number of documents.
  public var documents: Int
  /// Writes of clients.
  public var operations: Int
  /// Sessions that begin.
  public var sessions: Int
  /// Crashes, lost messages, refused requests and incomplete answers.
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

/// What an exploration has come to.
public struct ExplorationReport: Hashable, Sendable {
  /// States that differ in more than the names of replicas, revisions, sessions and sequences.
  public var states = 0
  /// Moves that were made.
  public var transitions = 0
  /// What the stores hold between sessions: states that differ in more than live sessions and
  /// messages under way. From each of them everything was healed and checked.
  public var holdings = 0
  /// What the stores hold alike once everything is healed.
  public var ends = 0
  /// Moves of the longest path to a new state.
  public var depth = 0
}
