public import Datastore

/// A violation in a history of several clients.
public struct HistoryFinding: Hashable, Sendable {
  /// The check that found it.
  public enum Check: String, CaseIterable, Hashable, Sendable {
    /// No order of the operations has these outcomes.
    case order
    /// The positions of the feed contradict the order of the writes.
    case feed
    /// A client does not see what it wrote or has already seen.
    case session
    /// An acknowledged revision is missing at the end, or one was never written.
    case conservation
    /// An outcome that is wrong in every state.
    case response
  }

  /// The check that found it.
  public var check: Check
  /// The documents that it concerns; empty for the counts of the store.
  public var documents: [DocumentID]
  /// What is wrong, as a sentence.
  public var sentence: String
  /// The operations that show it, as places in the history.
  public var operations: [Int]
  /// The place in the order of requests and responses from which on it is certain.
  public var until: Int64

  /// Creates a finding.
  public init(
    _ check: Check, of documents: [DocumentID], sentence: String, operations: [Int], until: Int64
  ) {
    self.check = check
    self.documents = documents
    self.sentence = sentence
    self.operations = operations
    self.until = until
  }
}
