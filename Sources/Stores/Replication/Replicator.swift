public import Datastore
internal import JSON

/// Copies what one store has and another lacks: a state machine without clock, socket, thread or
/// chance.
///
/// A session reads who both stores are, finds the newest checkpoint that both remember, and then
/// walks through the changes of the source in pages: it asks the target what it lacks (`revsDiff`),
/// fetches that from the source (`getRevisions` with `latest`) and gives it to the target
/// (`insertRevisions`). A page is settled when everything in it is stored, refused by the target's
/// validation, or gone from the source. The checkpoint follows the settled pages without a gap and
/// is never ahead of what the target has acknowledged. At the end both stores must still be who
/// they were.
///
/// Attachments come with their bytes where the target cannot have them; `+Attachments` says what
/// happens when it has them not, and `+Contents` brings what is too large for a record.
///
/// Read `+Opening`, `+Pages`, `+Transfer`, `+Checkpoints`, `+Closing`; `+Requests` repeats what
/// failed. All requests can be repeated without harm, so a lost answer and a lost request are one.
public struct Replicator: ReplicationMachine, Hashable, Sendable {
  public let configuration: ReplicatorConfiguration
  public internal(set) var state: ReplicatorState = .pending
  public internal(set) var report = ReplicationReport()

  var phase: Phase = .opening
  var session: JSONString = ""
  /// Requests without an answer, sent or waiting for their repetition, oldest first.
  var requests: [Request] = []
  var lastNumber: RequestNumber = 0
  /// What the event at hand leads to.
  var effects: [ReplicatorEffect] = []

  // Who the stores are, and what they remember.
  var sourceIncarnation: JSONString?
  var targetIncarnation: JSONString?
  var sourceHistory: CheckpointHistory?
  var targetHistory: CheckpointHistory?

  var feed = Feed()
  /// Pages that are not settled or wait for an earlier one, in the order of the feed.
  var pages: [Page] = []
  var lastPage: Int64 = 0
  /// Whether the source understands questions about attachments, as far as is known.
  var sourceHasAttachments = true
  /// Content on its way to the target, the oldest first, each once.
  var contents: [Content] = []
  /// Records that wait for content.
  var deferredRecords: [DeferredRecord] = []
  /// Whether a page failed: no checkpoint passes it.
  var isBlocked = false
  /// The end of the last page of an unbroken row of settled ones.
  var settled: UpdateSequence?
  var save: Save?
  /// Whether the last save failed; it is not tried again for the same sequence.
  var unsavable: UpdateSequence?
  var isCheckpointTimerSet = false
  var isPollTimerSet = false

  public init(_ configuration: ReplicatorConfiguration = ReplicatorConfiguration()) {
    self.configuration = configuration
  }

  enum Phase: Hashable, Sendable {
    /// Asking both sides who they are.
    case opening
    /// Reading both checkpoints.
    case recalling
    case copying
    /// Nothing is left to do until the source changes.
    case resting
    /// Asking both sides whether they are still who they were.
    case verifying
  }

  /// The walk through the changes of the source.
  struct Feed: Hashable, Sendable {
    /// Where the next page begins; nil is the beginning.
    var position: UpdateSequence?
    var isAsking = false
    var isExhausted = false
    /// Whether a position that the source does not know was given up once already.
    var hasStartedOver = false
    /// Whether a page could not be had.
    var hasFailed = false
  }

  /// Some rows of the feed on their way to the target.
  struct Page: Hashable, Sendable {
    let number: Int64
    let last: UpdateSequence
    /// Requests without which the page is not settled.
    var open = 0
    var hasFailed = false
  }

  /// A checkpoint on its way.
  struct Save: Hashable, Sendable {
    let sequence: UpdateSequence
    let source: CheckpointHistory
    let target: CheckpointHistory
  }

  /// A request without an answer.
  struct Request: Hashable, Sendable {
    let number: RequestNumber
    let side: ReplicationSide
    let content: PeerRequest
    let purpose: Purpose
    let attempt: Int
    /// Whether it failed and waits for its repetition.
    var isWaiting = false
  }

  /// What an answer is for.
  enum Purpose: Hashable, Sendable {
    case identity
    case checkpoint
    case changes
    case diff(page: Int64)
    case fetch(page: Int64, Round)
    /// Whether what the source said to be missing is known to it nevertheless.
    case lookup(page: Int64, Round)
    /// How many asked revisions the records stand for.
    case insert(page: Int64, covered: Int64, Round)
    /// A step of bringing the content with this digest.
    case content(JSONString)
    case flush
    case saveTarget
    case saveSource
  }

  /// How often a record was fetched.
  enum Round: Hashable, Sendable {
    /// With the content that the target cannot have, as far as it says what it has.
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
    // Nothing of the event stays behind, so that equal histories are equal replicators.
    defer { effects = [] }
    return effects
  }
}
