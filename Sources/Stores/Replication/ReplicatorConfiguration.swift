public import Datastore
internal import JSON

/// How a replicator goes about its work; times in nanoseconds.
public struct ReplicatorConfiguration: Hashable, Sendable {
  /// Which revisions are copied; nil copies all.
  public var filter: Filter?
  /// Whether the replicator goes on looking for changes until it is cancelled.
  public var isContinuous = false
  /// Rows of one page of changes, 1 or more.
  public var pageRows: Int64 = 100
  /// Revisions of one question for what is missing, 1 or more.
  public var diffRevisions = 500
  /// Revisions of one fetch and one insert, 1 or more.
  public var batchRevisions = 50
  /// Pages that are worked on at the same time, 1 or more.
  public var pagesInFlight = 2
  /// Whether the source is asked for attachments, with the bytes of those that the target cannot have;
  /// useless where one of the two has none. A source that understands no such question is asked
  /// without it.
  public var asksForAttachments = true
  /// Bytes of one piece of content that travels by itself, 1 or more, and not more than what both
  /// stores take at once.
  public var pieceBytes: Int64 = 65_536
  /// Contents that travel by themselves at the same time, one piece of each, 1 or more.
  public var contentsInFlight = 2
  /// How often a request is sent before it counts as failed, 1 or more.
  public var attemptsMax = 7
  /// The first pause before a repetition; each further one is twice as long.
  public var retryPause: UInt64 = 200_000_000
  public var retryPauseMax: UInt64 = 30_000_000_000
  /// How long a driver waits for an answer before it calls a request lost.
  public var requestTimeout: UInt64 = 30_000_000_000
  /// The least time between two checkpoints of a session.
  public var checkpointInterval: UInt64 = 5_000_000_000
  /// How long a continuous replicator rests when there is nothing to do.
  public var pollInterval: UInt64 = 1_000_000_000
  /// Whether the target makes writes durable only with `flush` (capability `delayedDurability`).
  public var flushesTarget = false

  public init() {}

  /// What two sessions must share to go on from each other's checkpoints.
  var checkpointParameters: JSONValue {
    ["filter": filter?.json ?? .null]
  }
}
