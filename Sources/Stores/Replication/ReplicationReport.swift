public import Datastore
public import JSON

/// What a replicator has done so far.
public struct ReplicationReport: Hashable, Sendable {
  /// Revisions that the target lacks, as far as they were found.
  public var total: Int64 = 0
  /// How many of them are settled: stored, refused, vanished or failed.
  public var processed: Int64 = 0
  /// Records that the target's validation refused; they are passed for good.
  public var refused: Int64 = 0
  /// Revisions that the source purged between its answers.
  public var vanished: Int64 = 0
  /// What went wrong, the first hundred of them; a run that ends in `error` has at least one.
  public var failures: [Failure] = []
  /// Whether it ended because a store was another one than at the beginning.
  public var metOtherStore = false
  /// Why the last checkpoint could not be saved; the data are there, the next run does more work.
  public var unsavedCheckpoint: JSONString?
  /// The sequence of the source up to which everything is settled, as far as it was saved.
  public var recorded: UpdateSequence?

  /// The id of the local document in which both sides remember the session; nil before it is known.
  public var checkpoint: DocumentID?

  public init() {}

  /// Something that is not at the target although it should be.
  public struct Failure: Hashable, Sendable {
    /// The document, where one is concerned.
    public var id: DocumentID?
    public var rev: RevisionID?
    public var reason: JSONString

    public init(id: DocumentID? = nil, rev: RevisionID? = nil, reason: JSONString) {
      self.id = id
      self.rev = rev
      self.reason = reason
    }
  }

  mutating func note(_ failure: Failure) {
    if failures.count < 100 { failures.append(failure) }
  }
}
