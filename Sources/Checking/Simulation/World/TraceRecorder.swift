internal import Datastore
internal import JSON
internal import Oracles
internal import Replication
internal import Scenarios

/// Records a run for readers: the trace, and the delivery of messages.
final class TraceRecorder: EventObserver {
  private(set) var trace: Trace
  let topics = Set(EventTopic.allCases).subtracting([.answers])
  /// Messages with faults or delays, by their keys.
  private(set) var fates: [Scenario.Override] = []
  private let scenario: Scenario
  private let places: [ReplicaName: Int]
  /// The last recorded documents of each replica.
  private var shown: [Shown]
  private var now: UInt64 = 0

  /// The documents of a replica as last recorded.
  private struct Shown {
    /// In the order of their first appearance.
    var ids: [DocumentID] = []
    var branches: [DocumentID: [Trace.Branch]] = [:]
  }

  init(_ scenario: Scenario, _ places: [ReplicaName: Int]) {
    self.scenario = scenario
    self.places = places
    trace = Trace(scenario)
    shown = scenario.replicas.map { _ in Shown() }
  }

  /// Records the labels of the replicas if they have several implementations.
  func name(_ replicas: [Replica]) {
    let labels = replicas.map(\.label)
    if labels != scenario.replicas.map(\.text) { trace.replicaLabels = labels }
  }

  func observe(_ event: WorldEvent, in state: WorldState, _ findings: inout [WorldFinding]) {
    now = state.now
    switch event {
    case .directed(let step): record(step, state.replicas)
    case .performed(let replica, let step, let operation, let outcome):
      record(replica, step, event: .performed(operation, outcome))
      if let ids = changed(by: operation.action, outcome, at: replica) {
        recordHoldings(of: ids, at: replica, step, state)
      }
    case .application(let replica, let step, let operation, let outcome):
      record(replica, step, event: .performed(operation, outcome))
    case .crashing(let replica, let kind, let step, isArmed: true):
      record(replica, step, event: .directed(.crash(scenario.replicas[replica], kind)))
    case .crashed(let replica, let kind, let step, _): record(replica, step, event: .crashed(kind))
    case .restarted(let replica, let step):
      record(replica, step, event: .restarted)
      recordHoldings(of: shown[replica].ids, at: replica, step, state)
    case .reopened(let replica, let step):
      recordHoldings(of: shown[replica].ids, at: replica, step, state)
    case .calmed: record(nil, "settle", event: .calmed)
    default: recordSession(event, state)
    }
  }

  private func recordSession(_ event: WorldEvent, _ state: WorldState) {
    func record(_ number: Int, at replica: Int? = nil, _ event: Trace.Event) {
      let session = state.sessions[number]
      self.record(replica ?? session.by, session.step, event: event)
    }
    func session(_ message: World.RequestMessage) -> Session { state.sessions[message.session] }
    switch event {
    case .sessionBegan(let number):
      let session = state.sessions[number]
      record(number, .sessionBegan(session: session.name, session.directive))
    case .sessionEnded(let number):
      let session = state.sessions[number]
      record(
        number,
        .sessionEnded(
          session: session.name, state: JSONString(session.machine.state.rawValue),
          reason: session.machine.report.failures.first?.reason))
    case .sessionGone(let number):
      let name = state.sessions[number].name
      record(number, .sessionEnded(session: name, state: "gone", reason: nil))
    case .sent(let message, isRemote: true):
      let to = session(message).place(of: message.side)
      record(
        message.session,
        .sent(
          Trace.Request(
            message: message.message, session: session(message).name,
            to: scenario.replicas[to], operation: JSONString(message.content.action.name),
            attempt: message.attempt)))
    case .spoilt(let message, let leg, let fate, _):
      let key = message.keyText(leg, session(message))
      fates.append(Scenario.Override(key: key, fate: fate))
      recordMishap(message, leg, mishap: .fate(key: key, fate), state: state)
    case .blocked(let message, let leg, _):
      recordMishap(message, leg, mishap: .wayClosed, state: state)
    case .unserved(let message, let replica):
      record(
        message.session, at: replica,
        .spoilt(message: message.message, .request, .nobodyThere))
    case .served(let message, let replica, let operation, let outcome):
      let session = session(message)
      record(
        message.session, at: replica,
        replica == session.by
          ? .served(session: session.name, operation, outcome)
          : .arrived(message: message.message, operation, outcome))
      if case .insertRevisions = operation.action {
        recordHoldings(of: operation.action.documents, at: replica, session.step, state)
      }
    case .heard(let number, let message, let left, let response):
      record(number, .answered(message: message, left: left, said: response.summary))
    case .unheard(let number, let message):
      record(number, .spoilt(message: message, .answer, .nobodyWaits))
    default: break
    }
  }

  private func record(_ replica: Int?, _ step: StepID, event: Trace.Event) {
    trace.entries.append(
      Trace.Entry(
        time: now, replica: replica.map { scenario.replicas[$0] }, event: event, step: step))
  }

  /// Records directives without an event of their own; at a replica that is down they have no
  /// effect.
  private func record(_ step: ScenarioStep, _ replicas: [Replica]) {
    switch step.directive {
    case .perform, .replicate, .crash, .restart, .settle: break
    case .loseCheckpoint(let replica), .copyStore(let replica), .restoreStore(let replica):
      guard let place = places[replica], replicas[place].isUp else { return }
      record(place, step.id, event: .directed(step.directive))
    case .clock(let replica, _), .storage(let replica, _):
      record(places[replica], step.id, event: .directed(step.directive))
    case .stop, .partition, .block, .heal: record(nil, step.id, event: .directed(step.directive))
    }
  }

  /// Records the fault of a message at its sender.
  private func recordMishap(
    _ message: World.RequestMessage, _ leg: World.Leg, mishap: Trace.Mishap, state: WorldState
  ) {
    let session = state.sessions[message.session]
    record(
      leg == .request ? session.by : session.place(of: message.side), session.step,
      event: .spoilt(message: message.message, leg == .request ? .request : .answer, mishap))
  }

  // MARK: Contents

  /// The documents that an operation may have changed; nil for none.
  private func changed(by action: StoreAction, _ outcome: Outcome, at place: Int) -> [DocumentID]? {
    switch (action, outcome) {
    case (.attaching(_, let write), _): changed(by: write, outcome, at: place)
    case (.destroy, .ok): shown[place].ids
    case (.create, .ok(.written(let id, _))): [id]
    case (.update, .ok), (.delete, .ok), (.resolve, .ok), (.purge, .ok), (.batch, .ok),
      (.insertRevisions, .ok):
      action.documents
    default: nil
    }
  }

  /// Reads the store outside of the run: nothing is checked, hashed or drawn.
  private func recordHoldings(
    of ids: [DocumentID], at place: Int, _ step: StepID, _ state: WorldState
  ) {
    let replica = state.replicas[place]
    guard replica.isUp, replica.isOpen, !ids.isEmpty,
      let witness = try? replica.store.witness(of: scenario.store)
    else { return }
    for id in ids {
      let branches = branches(of: id, witness, replica.environment)
      guard branches != shown[place].branches[id] ?? [] else { continue }
      if shown[place].branches.updateValue(branches, forKey: id) == nil {
        shown[place].ids.append(id)
      }
      record(place, step, event: .holds(id, branches))
    }
  }

  /// The branches of a document; empty if the store returns none.
  private func branches(
    of id: DocumentID, _ store: any ImplementationUnderTest, _ environment: RunEnvironment
  ) -> [Trace.Branch] {
    // Reading for the trace must not change what the run draws.
    let environment = environment.copy()
    guard
      case .ok(.leaves(let leaves))? = try? store.perform(
        StoreOperation(scenario.store, .leaves(id: id)), environment)
    else { return [] }
    let query = RevisionQuery(id: id, revs: leaves.map { $0.rev })
    var paths: [RevisionID: [RevisionID]] = [:]
    if case .ok(.revisions(let answers))? = try? store.perform(
      StoreOperation(scenario.store, .getRevisions([query])), environment)
    {
      for answer in answers {
        if case .records(let records) = answer.found { paths[answer.rev] = records.first?.path }
      }
    }
    return leaves.map { Trace.Branch(path: paths[$0.rev] ?? [$0.rev], deleted: $0.deleted) }
  }

  /// Completes the trace with the findings, and with the ledger in names.
  func finish(_ findings: [Trace.Finding], _ ledger: [LedgerEntry]) {
    trace.findings = findings
    trace.writes = ledger.map { entry in
      Trace.Write(
        step: StepID(entry.step), replica: scenario.replicas[entry.replica], id: entry.id,
        rev: entry.rev, fate: JSONString(entry.fate.rawValue),
        missing: entry.missing.map { scenario.replicas[$0] })
    }
  }
}

extension PeerResponse {
  /// The response in one or two words.
  fileprivate var summary: JSONString {
    switch self {
    case .ok: "ok"
    case .refused(let error): JSONString("\(error.kind)")
    case .status(let code): JSONString("status \(code)")
    }
  }
}
