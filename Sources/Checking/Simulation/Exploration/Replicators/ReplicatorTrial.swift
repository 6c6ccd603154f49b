internal import Datastore
internal import JSON
internal import Oracles
internal import Replication

/// The state of three runs of one replicator between two stores: the first with events, the second
/// and the third without.
///
/// With model stores and a machine that is a value, a copy is independent of the original, so every
/// event can be tried from it.
struct ReplicatorTrial {
  let setting: ReplicatorSetting
  /// Makes the machine of a run; runs count from 0.
  let makeMachine: (ReplicatorSetting, _ run: Int) -> any ReplicationMachine
  /// The sides whose requests are visible; an implementation's own replicator accesses its own
  /// store without the harness.
  let visible: Set<ReplicationSide>
  /// Whether events are left out at requests that they commute with.
  var reduces = true
  var stores: any ReplicatorStores
  var machine: any ReplicationMachine
  var run = 0
  /// The effects that the machine requested, oldest first; the first one is a request unless the
  /// run is over.
  var effects: [ReplicatorEffect] = []
  /// Requests of this run that were answered or lost.
  var requests = 0
  var isCut = false
  /// Whether all further requests are lost: a machine behind `replicate` cannot be killed, so its
  /// connection is cut instead.
  var isSevered = false
  var eventsLeft: Int
  var facts = TrialFacts()
  var tally = RunTally()
  var trail: Trail?
  /// All events that the machine received in this run; they determine its state.
  var heard: [ReplicatorEvent] = []

  init(
    _ setting: ReplicatorSetting, _ stores: any ReplicatorStores, eventsLeft: Int,
    visible: Set<ReplicationSide> = Set(ReplicationSide.allCases),
    makeMachine: @escaping (ReplicatorSetting, Int) -> any ReplicationMachine
  ) {
    self.setting = setting
    self.stores = stores
    self.eventsLeft = eventsLeft
    self.visible = visible
    self.makeMachine = makeMachine
    machine = makeMachine(setting, 0)
  }

  /// A request or an event of the story, and the one before it.
  final class Trail {
    let before: Trail?
    let run: Int
    let request: Int
    let side: ReplicationSide?
    let content: PeerRequest?
    let event: Disturbance?

    init(
      _ before: Trail?, run: Int, request: Int, side: ReplicationSide? = nil,
      content: PeerRequest? = nil, event: Disturbance? = nil
    ) {
      self.before = before
      self.run = run
      self.request = request
      self.side = side
      self.content = content
      self.event = event
    }
  }

  /// The current request; nil if the run is over.
  var request: (number: RequestNumber, side: ReplicationSide, content: PeerRequest)? {
    guard !isCut, !machine.state.isFinal,
      case .send(let number, let side, let content, _) = effects.first
    else { return nil }
    return (number, side, content)
  }

  /// More requests than any run of a small setting needs.
  static let requestsMax = 1_000
  /// The maximum number of lost requests of a replicator without a connection.
  private static let severedMax = 200

  /// Runs the replicator from the target to the source if the setting requires it.
  mutating func prepare() throws(HarnessError) {
    guard setting.reversesFirst else { return }
    var machine = makeMachine(setting, 1)
    var queue = machine.handle(.start(session: "s0"))[...]
    while !machine.state.isFinal, let effect = queue.popFirst() {
      guard case .send(let number, let side, let content, _) = effect else { continue }
      let other: ReplicationSide = side == .source ? .target : .source
      let outcome = try stores.perform(content.action, at: other)
      guard let response = Peer.response(to: content, outcome) else { continue }
      queue += machine.handle(.response(number, response))
    }
  }

  /// Begins a run; facts about the stores are kept.
  mutating func begin(run: Int) throws(HarnessError) {
    self.run = run
    machine = makeMachine(setting, run)
    effects = []
    heard = []
    requests = 0
    isCut = false
    isSevered = false
    tally = RunTally()
    tally.knownAtStart = try leaves(at: .target)
    if run == 0 { facts.promised = try admitted(try leaves(at: .source), run: 0) }
    tell(.start(session: JSONString("s\(run + 1)")))
  }

  mutating func tell(_ event: ReplicatorEvent) {
    heard.append(event)
    effects += machine.handle(event)
    advanceTimers()
  }

  /// Ends all pauses at once, up to the next request.
  private mutating func advanceTimers() {
    while !machine.state.isFinal, case .wait(let timer, _) = effects.first {
      effects.removeFirst()
      switch timer {
      case .retry(let number):
        tally.wakes += 1
        guard tally.wakes <= Self.requestsMax else { return }
        effects += machine.handle(.timer(.retry(number)))
      case .checkpoint:
        if setting.savesEarly { effects += machine.handle(.timer(.checkpoint)) }
      case .poll: effects += machine.handle(.cancel)
      }
    }
  }

  /// Performs the current request unless a fault prevents it.
  mutating func deliver(_ fault: Disturbance.RequestFault? = nil) throws(HarnessError) {
    guard let request else { return }
    effects.removeFirst()
    requests += 1
    trail = Trail(
      trail, run: run, request: requests, side: request.side, content: request.content,
      event: fault.map { .fault($0) })
    if facts.isStopped, !request.content.savesCheckpoint { tally.afterStop += 1 }
    if isSevered {
      // A replicator that does not give up is cut after this number of requests.
      isCut = requests >= Self.severedMax
      return tell(isCut ? .cancel : .lost(request.number, reason: "no connection"))
    }
    switch fault {
    case .status(let code): return tell(.response(request.number, .status(code)))
    case .refused(let kind):
      return tell(.response(request.number, .refused(DatastoreError(kind))))
    case .lost(isPerformed: false):
      return tell(.lost(request.number, reason: "no response in time"))
    case .cut(isPerformed: false): return cut(request.number)
    case .lost(isPerformed: true), .cut(isPerformed: true), .partial, .record, .undelivered, nil:
      break
    }
    var content = request.content
    var response: PeerResponse?
    if case .record(let place, let kind) = fault, case .insertRevisions(var records) = content {
      let refused = records.remove(at: place)
      if kind == .forbidden { facts.note(refused) }
      content = .insertRevisions(records)
      response = try answer(content, at: request.side)
      if case .ok(.inserted(var errors)) = response {
        errors.insert(DatastoreError(kind), at: place)
        response = .ok(.inserted(errors))
      }
    } else {
      response = try answer(content, at: request.side)
    }
    if case .undelivered(let place, let hasName) = fault,
      case .ok(.revisions(var answers)) = response
    {
      answers[place].found = hasName ? .bodyMissing : .missing
      response = .ok(.revisions(answers))
    }
    if fault == .partial { response = response?.withoutLastItem ?? response }
    switch fault {
    case .cut: cut(request.number)
    case .lost: tell(.lost(request.number, reason: "no response in time"))
    default:
      if let response {
        note(request.content, response)
        tell(.response(request.number, response))
      } else {
        tell(.lost(request.number, reason: "the outcome is unknown"))
      }
    }
  }

  private mutating func cut(_ number: RequestNumber) {
    if visible.count < 2 {
      isSevered = true
      tell(.lost(number, reason: "no connection"))
    } else {
      isCut = true
    }
  }

  private mutating func answer(
    _ content: PeerRequest, at side: ReplicationSide
  ) throws(HarnessError) -> PeerResponse? {
    try tallyTransfers(content, at: side)
    let outcome = try stores.perform(content.action, at: side)
    if case .insertRevisions(let records) = content, case .ok(.inserted(let errors)) = outcome {
      for (record, error) in zip(records, errors) {
        if error?.kind == .forbidden { facts.note(record) }
      }
    }
    return Peer.response(to: content, outcome)
  }

  private mutating func note(_ content: PeerRequest, _ response: PeerResponse) {
    switch (content, response) {
    case (.insertRevisions, .ok(.inserted(let errors))):
      if run == 0 { facts.acknowledged += errors.count { $0 == nil } }
    case (.changes, .ok(.changes(let page))): tally.rows += page.rows.count
    default: break
    }
  }

  /// Counts requests that a run without changes does not need.
  private mutating func tallyTransfers(
    _ content: PeerRequest, at side: ReplicationSide
  ) throws(HarnessError) {
    tally.requests += 1
    switch content {
    case .changes(let since, _, _):
      if tally.changes == 0 { tally.since = .some(since) }
      tally.changes += 1
    case .revsDiff: tally.diffs += 1
    case .getRevisions(let queries):
      tally.transfers += 1
      if run > 0 { tally.repeated += queries.reduce(0) { $0 + tally.known($1.id, $1.revs) } }
    case .insertRevisions(let records):
      tally.transfers += 1
      if run > 0 {
        tally.repeated += records.reduce(0) {
          $0 + tally.known($1.id, $1.path.first.map { [$0] } ?? [])
        }
      }
    case .writeLocal: tally.saves += 1
    default: break
    }
  }
}

/// The facts of the past that the check of the final state needs.
struct TrialFacts: Hashable {
  /// Leaves that the first run has to copy because they existed when it began.
  var promised: Set<LeafName> = []
  /// Revisions that the target may lack: purged there, or rejected by its validation.
  var exempt: Set<LeafName> = []
  /// Revisions that clients wrote during the run.
  var written: Set<LeafName> = []
  /// Documents of which something was purged: the histories of their revisions may be cut.
  var purged: Set<DocumentID> = []
  /// Whether an event occurred after which a run may end in an error.
  var hasFault = false
  /// Whether a store was replaced; checkpoints of the old one must not be used.
  var isReplaced = false
  var isStopped = false
  /// Records that the target acknowledged in the first run.
  var acknowledged = 0

  /// The facts without those that concern only a stopped run.
  var atEnd: TrialFacts {
    var facts = self
    if isStopped { return facts }
    facts.acknowledged = 0
    facts.hasFault = false
    facts.promised = []
    return facts
  }

  mutating func note(_ refused: RevisionRecord) {
    // The ancestors of a rejected revision do not arrive either.
    for rev in refused.path { exempt.insert(LeafName(id: refused.id, rev: rev)) }
  }
}

/// One revision of one document.
struct LeafName: Hashable {
  var id: DocumentID
  var rev: RevisionID
}

/// The requests of one run.
struct RunTally {
  var requests = 0
  var changes = 0
  var rows = 0
  var diffs = 0
  /// The number of requests with records.
  var transfers = 0
  /// Revisions that were fetched or sent although the target had them when the run began.
  var repeated = 0
  var saves = 0
  /// Requests sent after the run was stopped, except those that save checkpoints.
  var afterStop = 0
  var wakes = 0
  /// The start sequence of the run; nil before its first request of changes.
  var since: UpdateSequence??
  var knownAtStart: Set<LeafName> = []

  func known(_ id: DocumentID, _ revs: [RevisionID]) -> Int {
    revs.count { knownAtStart.contains(LeafName(id: id, rev: $0)) }
  }
}
