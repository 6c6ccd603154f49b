/// An error of a store after a crash or a failure.
public struct CrashFinding: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// The store does not open.
    case closed
    /// SQLite finds damage in the database.
    case damaged
    /// An acknowledged write is missing or differs.
    case lost
    /// The store contains data that no client wrote.
    case stranger
    /// A result differs from that of the model after the acknowledged operations, with or without
    /// the one in flight.
    case answer
    /// The store accepts no more writes.
    case stuck
    /// Replication does not end, or does not converge.
    case diverged
  }

  public let kind: Kind
  /// The expected and the actual state.
  public let sentence: String

  init(_ kind: Kind, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }
}
