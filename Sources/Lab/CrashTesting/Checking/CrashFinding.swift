/// What is wrong with a store after a crash or a failure.
public struct CrashFinding: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// The store does not open.
    case closed
    /// SQLite finds damage in the database.
    case damaged
    /// An acknowledged write is not there as it was written.
    case lost
    /// Something is there that nobody wrote.
    case stranger
    /// An answer is another than that of the model after the acknowledged operations, with or
    /// without the one that was on its way.
    case answer
    /// The store takes no more writes.
    case stuck
    /// Replication does not come to an end, or to an agreement.
    case diverged
  }

  public let kind: Kind
  /// What was expected, and what is there.
  public let sentence: String

  init(_ kind: Kind, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }
}
