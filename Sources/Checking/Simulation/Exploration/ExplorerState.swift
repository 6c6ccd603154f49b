internal import Datastore
internal import JSON
internal import Oracles
internal import ReferenceDatastore
internal import Replication

/// The complete state between two moves; a value, so that every move can start from it.
struct ExplorerState {
  private(set) var stores: [ReferenceDatastore.Snapshot]
  /// The contents of each store after the last write.
  private(set) var contents: [StoreContents]
  /// Live sessions in the order of their beginnings.
  var sessions: [ExplorerSession] = []
  /// Requests in flight whose session no longer waits for them.
  var strays: [Stray] = []
  /// The state of the oracles. It is equal on all paths to a state: it follows from the trees and
  /// the checkpoints.
  var oracles: Oracles
  var writes = 0
  var begun = 0
  var faults = 0
  /// The requests that the last move performed, in order, for the description of the path.
  var done: [(session: Int, number: RequestNumber)] = []

  static let store: StoreName = "notes"

  struct Stray {
    var session: Int
    var side: ReplicationSide
    var replica: Int
    var content: PeerRequest
  }

  /// - Parameter seed: the seed of the run; the names of checkpoints depend on it.
  init(_ scope: ExplorationScope, names: [JSONString], seed: UInt64 = 1) {
    oracles = Oracles(replicas: names)
    stores = (0..<scope.replicas).map { place in
      var store = ReferenceDatastore.Snapshot()
      let environment = RunEnvironment(ofReplica: place, seed: seed)
      _ = store.perform(StoreOperation(Self.store, .open()), environment)
      return store
    }
    contents = stores.compactMap { $0.contents(of: Self.store) }
  }
}

/// A live session.
struct ExplorerSession {
  let number: Int
  let source: Int
  let target: Int
  var machine: any ReplicationMachine
  /// Requests not yet performed, oldest first.
  var pending: [Request] = []
  var isSaveTimerSet = false
  /// All events that the machine received; they determine its state.
  var heard: [Heard] = []

  struct Request {
    var number: RequestNumber
    var side: ReplicationSide
    var content: PeerRequest
    var attempt: Int
  }

  enum Heard {
    case response(RequestNumber, PeerResponse)
    case lost(RequestNumber)
    case saveTimer
  }

  func place(of side: ReplicationSide) -> Int { side == .source ? source : target }
}

extension ExplorerState {
  /// Performs an operation on a store. The model uses randomness only to create a store.
  mutating func perform(_ action: StoreAction, at replica: Int) -> Outcome {
    let environment = RunEnvironment(seed: 0)
    let outcome = stores[replica].perform(StoreOperation(Self.store, action), environment)
    switch action {
    case .create, .update, .delete, .resolve, .insertRevisions, .writeLocal:
      if let now = stores[replica].contents(of: Self.store) { contents[replica] = now }
    default: break
    }
    return outcome
  }

  /// Performs a move; returns the violation, if any.
  mutating func make(
    _ move: ExplorerMove, _ explorer: ExplorerRules
  ) -> OracleFinding? {
    done = []
    switch move {
    case .write(let replica, let action):
      writes += 1
      let outcome = perform(action, at: replica)
      return oracles.observe(
        .client(
          replica: replica, step: JSONString("w\(writes)"), StoreOperation(Self.store, action),
          outcome))
    case .begin(let source, let target):
      return begin(from: source, to: target, explorer) ?? recall(of: sessions.count - 1)
    case .deliver(let session, let number): return deliver(number, of: session, spoiling: nil)
    case .spoil(let session, let number, let spoiling):
      faults += 1
      return deliver(number, of: session, spoiling: spoiling)
    case .save(let session):
      sessions[session].isSaveTimerSet = false
      let pending = sessions[session].pending.count
      let finding = tell(session, .timer(.checkpoint))
      // Without new requests, the machine is unchanged.
      if session < sessions.count, sessions[session].pending.count != pending {
        sessions[session].heard.append(.saveTimer)
      }
      return finding
    case .arrive(let place): return arrive(strays.remove(at: place))
    case .crash(let replica):
      faults += 1
      return endSessions { $0.source == replica || $0.target == replica }
    }
  }

  /// Begins a session, with the identities of the stores, which never change.
  mutating func begin(
    from source: Int, to target: Int, _ explorer: ExplorerRules
  ) -> OracleFinding? {
    begun += 1
    var configuration = ReplicatorConfiguration()
    // One row per page, so that 2 documents are 2 pages.
    configuration.pageRows = 1
    configuration.batchRevisions = 1
    configuration.asksForAttachments = false
    let session = ExplorerSession(
      number: begun - 1, source: source, target: target,
      machine: explorer.makeMachine(configuration))
    sessions.append(session)
    let facts = SessionFacts(
      name: JSONString("s\(begun)"), source: source, target: target, filter: nil)
    return oracles.observe(.sessionBegan(session.number, facts))
      ?? tell(sessions.count - 1, .start(session: JSONString("s\(begun)")))
  }

  /// Lets a session read both checkpoints.
  private mutating func recall(of session: Int) -> OracleFinding? {
    while let request = sessions[session].pending.first(where: { request in
      if case .readLocal = request.content { true } else { false }
    }) {
      if let finding = deliver(request.number, of: session, spoiling: nil) { return finding }
    }
    return nil
  }

  /// Sends an event to a session and performs at once what is invisible to others.
  private mutating func tell(_ place: Int, _ event: ReplicatorEvent) -> OracleFinding? {
    for effect in sessions[place].machine.handle(event) {
      switch effect {
      case .send(let number, let side, let content, let attempt):
        sessions[place].pending.append(
          ExplorerSession.Request(
            number: number, side: side, content: content, attempt: attempt))
      case .wait(.retry(let number), _):
        // The end of a pause is indistinguishable from the arrival of the request after it.
        if let finding = tell(place, .timer(.retry(number))) { return finding }
        guard isLive(place) else { return nil }
      case .wait(.checkpoint, _): sessions[place].isSaveTimerSet = true
      case .wait(.poll, _): break
      }
    }
    let state = sessions[place].machine.state
    if state.isFinal {
      let end = SessionEnd(
        isComplete: state == .complete,
        saysUnsaved: sessions[place].machine.report.unsavedCheckpoint != nil)
      return oracles.observe(.sessionEnded(sessions.remove(at: place).number, end))
    }
    let question = sessions[place].pending.first { $0.content == .info }
    guard let question else { return nil }
    return deliver(question.number, of: place, spoiling: nil)
  }

  private func isLive(_ place: Int) -> Bool {
    place < sessions.count && !sessions[place].machine.state.isFinal
  }

  /// A store performs a request, and the session receives the response or the fault.
  mutating func deliver(
    _ number: RequestNumber, of place: Int, spoiling: ExplorerMove.Spoiling?
  ) -> OracleFinding? {
    guard let index = sessions[place].pending.firstIndex(where: { $0.number == number })
    else { return nil }
    let request = sessions[place].pending.remove(at: index)
    let session = sessions[place].number
    done.append((session, number))
    let replica = sessions[place].place(of: request.side)
    switch spoiling {
    case .lost:
      switch request.content {
      case .insertRevisions, .writeLocal:
        strays.append(
          Stray(
            session: session, side: request.side, replica: replica, content: request.content))
      default: break
      }
      sessions[place].heard.append(.lost(number))
      return tell(place, .lost(number, reason: "no response in time"))
    case .refused:
      sessions[place].heard.append(.response(number, .status(503)))
      return tell(place, .response(number, .status(503)))
    case .partial, nil: break
    }
    let outcome = perform(request.content.action, at: replica)
    let operation = StoreOperation(Self.store, request.content.action)
    if let finding = oracles.observe(
      .session(session, isSource: request.side == .source, operation, outcome))
    {
      return finding
    }
    guard var response = Peer.response(to: request.content, outcome) else { return nil }
    if spoiling == .partial { response = response.withoutLastItem ?? response }
    if case .changes(let since, _, _) = request.content, case .ok(.changes(let page)) = response,
      let finding = oracles.observe(.received(session, since: since, page))
    {
      return finding
    }
    sessions[place].heard.append(.response(number, response))
    return tell(place, .response(number, response))
  }

  private mutating func arrive(_ stray: Stray) -> OracleFinding? {
    let outcome = perform(stray.content.action, at: stray.replica)
    return oracles.observe(
      .session(
        stray.session, isSource: stray.side == .source,
        StoreOperation(Self.store, stray.content.action), outcome))
  }

  /// Ends sessions without notifying their machines.
  mutating func endSessions(where isAffected: (ExplorerSession) -> Bool) -> OracleFinding? {
    var finding: OracleFinding?
    for session in sessions where isAffected(session) {
      let end = SessionEnd(isComplete: false, saysUnsaved: false)
      finding = finding ?? oracles.observe(.sessionEnded(session.number, end))
    }
    sessions.removeAll(where: isAffected)
    return finding
  }
}
