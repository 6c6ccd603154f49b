public import Datastore
internal import JSON

/// The configuration of a replicator; times are in nanoseconds.
public struct ReplicatorConfiguration: Hashable, Sendable {
  /// The filter of the copied revisions; nil copies all.
  public var filter: Filter?
  /// Whether the replicator continues to look for changes until it is cancelled.
  public var isContinuous = false
  /// The number of rows of one page of changes, 1 or more.
  public var pageRows: Int64 = 100
  /// Whether the source returns changes after a sequence; otherwise every session reads the whole
  /// feed in one page.
  public var continuesFeed = true
  /// The number of revisions of one `revsDiff` request, 1 or more.
  public var diffRevisions = 500
  /// The number of revisions of one fetch and one insert, 1 or more.
  public var batchRevisions = 50
  /// The maximum number of pages in progress at the same time, 1 or more.
  public var pagesInFlight = 2
  /// Whether the replicator requests attachments, with the bytes of those that the target cannot
  /// have. Useless if either store lacks attachments. If the source does not support these
  /// arguments, the request is repeated without them.
  public var asksForAttachments = true
  /// Whether content may be transferred in chunks, separately from its record. Useless unless both
  /// stores have the capability `attachmentPieces`: without it, content is sent within records only.
  public var usesPieces = true
  /// The length in bytes of a chunk of separately transferred content, 1 or more, and at most the
  /// limit of both stores.
  public var pieceBytes: Int64 = 65_536
  /// The maximum number of separate transfers at the same time, with one chunk in transit for each,
  /// 1 or more.
  public var contentsInFlight = 2
  /// The maximum number of attempts of a request before it fails, 1 or more.
  public var attemptsMax = 7
  /// The pause before the first repetition; each further pause is twice as long.
  public var retryPause: UInt64 = 200_000_000
  public var retryPauseMax: UInt64 = 30_000_000_000
  /// The time after which a driver treats a request as lost.
  public var requestTimeout: UInt64 = 30_000_000_000
  /// The minimum time between two checkpoints of a session.
  public var checkpointInterval: UInt64 = 5_000_000_000
  /// The idle time of a continuous replicator between two polls.
  public var pollInterval: UInt64 = 1_000_000_000
  /// Whether the target makes writes durable only with `flush` (capability `delayedDurability`).
  public var flushesTarget = false

  public init() {}

  /// The parameters that two sessions must share to continue from each other's checkpoints.
  var checkpointParameters: JSONValue {
    ["filter": filter?.json ?? .null]
  }
}
