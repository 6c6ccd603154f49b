public import Datastore
internal import JSON

/// Copies the revisions of one store that another one lacks: a deterministic state machine without
/// clock, sockets or threads.
///
/// A session reads the identities of both stores, finds the newest checkpoint that both have, and
/// then iterates over the changes of the source in pages. For each page it requests the missing
/// revisions from the target (`revsDiff`), fetches them from the source (`getRevisions` with
/// `latest`) and sends them to the target (`insertRevisions`). A page is complete when each of its
/// revisions is stored, rejected by the target's validation, or gone from the source. The
/// checkpoint follows the completed pages without a gap and is never ahead of the acknowledgements
/// of the target. At the end the identities of both stores are verified.
///
/// Attachments are sent with their bytes if the target cannot have them. `+Attachments` handles
/// targets that lack expected content, and `+Contents` transfers content that is too large for a
/// record.
///
/// Read `+Opening`, `+Pages`, `+Transfer`, `+Checkpoints`, `+Closing`; `+Requests` repeats failed
/// requests. All requests are idempotent, so a lost response and a lost request are handled alike.
public struct Replicator: ReplicationMachine, Hashable, Sendable {
  public let configuration: ReplicatorConfiguration
  public internal(set) var state: ReplicatorState = .pending
  public internal(set) var report = ReplicationReport()

  var phase: Phase = .opening
  var session: JSONString = ""
  /// Requests without a response, sent or waiting for their repetition, oldest first.
  var requests: [Request] = []
  var lastNumber: RequestNumber = 0
  /// The effects of the current event.
  var effects: [ReplicatorEffect] = []

  // The identities of the stores and their checkpoints.
  var sourceIncarnation: JSONString?
  var targetIncarnation: JSONString?
  var sourceHistory: CheckpointHistory?
  var targetHistory: CheckpointHistory?

  var feed = Feed()
  /// Pages that are not complete or follow an incomplete one, in the order of the feed.
  var pages: [Page] = []
  var lastPage: Int64 = 0
  /// Whether the source supports attachment arguments, as far as known.
  var sourceHasAttachments = true
  /// Content in transfer to the target, oldest first, each once.
  var contents: [Content] = []
  /// Records that wait for content.
  var deferredRecords: [DeferredRecord] = []
  /// Whether a page failed: no checkpoint is saved beyond it.
  var isBlocked = false
  /// The end of the last page of the unbroken sequence of completed ones.
  var settled: UpdateSequence?
  var save: Save?
  /// The sequence of a failed save; it is not saved again for the same sequence.
  var unsavable: UpdateSequence?
  var isCheckpointTimerSet = false
  var isPollTimerSet = false

  public init(_ configuration: ReplicatorConfiguration = ReplicatorConfiguration()) {
    self.configuration = configuration
  }

  enum Phase: Hashable, Sendable {
    /// Requests the identities of both sides.
    case opening
    /// Reads both checkpoints.
    case recalling
    case copying
    /// Idle until the source changes.
    case resting
    /// Verifies the identities of both sides.
    case verifying
  }

  /// The iteration over the changes of the source.
  struct Feed: Hashable, Sendable {
    /// The start of the next page; nil for the beginning.
    var position: UpdateSequence?
    var isAsking = false
    var isExhausted = false
    /// Whether the feed has already been restarted after an unknown position.
    var hasStartedOver = false
    /// Whether a page could not be fetched.
    var hasFailed = false
  }

  /// Rows of the feed in transfer to the target.
  struct Page: Hashable, Sendable {
    let number: Int64
    let last: UpdateSequence
    /// The number of pending requests without which the page cannot complete.
    var open = 0
    var hasFailed = false
  }

  /// A checkpoint that is being saved.
  struct Save: Hashable, Sendable {
    let sequence: UpdateSequence
    let source: CheckpointHistory
    let target: CheckpointHistory
  }

  /// A request without a response.
  struct Request: Hashable, Sendable {
    let number: RequestNumber
    let side: ReplicationSide
    let content: PeerRequest
    let purpose: Purpose
    let attempt: Int
    /// Whether the request failed and waits for its repetition.
    var isWaiting = false
  }

  /// The purpose of a request.
  enum Purpose: Hashable, Sendable {
    case identity
    case checkpoint
    case changes
    case diff(page: Int64)
    case fetch(page: Int64, Round)
    /// Checks whether the source still lists a revision that it reported as missing.
    case lookup(page: Int64, Round)
    /// `covered` is the number of requested revisions that the records answer.
    case insert(page: Int64, covered: Int64, Round)
    /// A step of the transfer of the content with this digest.
    case content(JSONString)
    case flush
    case saveTarget
    case saveSource
  }

  /// The round of a fetch of a record.
  enum Round: Hashable, Sendable {
    /// With the content that the target cannot have according to its reported revisions.
    case first
    /// With all content, because something was missing or damaged at the target.
    case second
  }

  public mutating func handle(_ event: ReplicatorEvent) -> [ReplicatorEffect] {
    guard !state.isFinal else { return [] }
    switch event {
    case .start(let session):
      guard state == .pending else { return [] }
      state = .started
      self.session = session
      askWhoTheyAre()
    case .cancel: cancel()
    case .response(let number, let response):
      guard let request = take(number) else { return [] }
      receive(response, to: request)
    case .lost(let number, let reason):
      guard let request = take(number) else { return [] }
      tryAgain(request, reason)
    case .timer(.retry(let number)):
      guard let request = requests.first(where: { $0.number == number && $0.isWaiting })
      else { return [] }
      requests.removeAll { $0.number == number }
      send(request.side, request.content, purpose: request.purpose, attempt: request.attempt + 1)
    case .timer(.checkpoint):
      isCheckpointTimerSet = false
      if phase == .copying { beginSave() }
    case .timer(.poll):
      isPollTimerSet = false
      wake()
    case .poke: wake()
    }
    advance()
    assertInvariants()
    // No effects remain stored, so equal histories yield equal replicators.
    defer { effects = [] }
    return effects
  }
}
