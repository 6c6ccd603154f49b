public import Datastore
public import JSON

/// The progress of a replicator.
public struct ReplicationReport: Hashable, Sendable {
  /// The number of revisions found so far that the target lacks.
  public var total: Int64 = 0
  /// The number of these that are done: stored, rejected, vanished or failed.
  public var processed: Int64 = 0
  /// Records that the target's validation rejected; they are not sent again.
  public var refused: Int64 = 0
  /// Revisions that the source purged between its responses.
  public var vanished: Int64 = 0
  /// The failures, at most the first hundred; a run that ends in `error` has at least one.
  public var failures: [Failure] = []
  /// Whether the run ended because a store was replaced by another one.
  public var metOtherStore = false
  /// The reason why the last checkpoint was not saved; the data is stored, but the next run repeats
  /// work.
  public var unsavedCheckpoint: JSONString?
  /// The sequence of the source up to which everything is done, as far as it was saved.
  public var recorded: UpdateSequence?

  /// The id of the local document in which both sides store the checkpoint; nil before it is known.
  public var checkpoint: DocumentID?

  public init() {}

  /// A failure to copy something to the target.
  public struct Failure: Hashable, Sendable {
    /// The document concerned, if there is one.
    public var id: DocumentID?
    public var rev: RevisionID?
    public var reason: JSONString

    public init(id: DocumentID? = nil, rev: RevisionID? = nil, reason: JSONString) {
      self.id = id
      self.rev = rev
      self.reason = reason
    }
  }

  mutating func record(_ failure: Failure) {
    if failures.count < 100 { failures.append(failure) }
  }
}
