internal import Datastore
internal import JSON
internal import Oracles
internal import Replication
internal import Scenarios

/// What is kept for readers. Callers ask first whether there are any, so that a run without
/// readers pays nothing.
extension World {
  /// The documents of a replica as they were last shown to readers.
  struct Shown {
    /// In the order of their first appearance.
    var ids: [DocumentID] = []
    var branches: [DocumentID: [Trace.Branch]] = [:]
  }

  mutating func record(_ replica: Int?, _ step: StepID, _ event: Trace.Event) {
    trace?.entries.append(
      Trace.Entry(
        time: now, replica: replica.map { replicas[$0].name }, event: event, step: step))
  }

  /// Directives that show in no other event; those at a replica that is down do nothing.
  mutating func recordDirective(_ step: ScenarioStep) {
    switch step.directive {
    case .perform, .replicate, .crash, .restart, .settle: break
    case .loseCheckpoint(let replica), .copyStore(let replica), .restoreStore(let replica):
      guard let place = places[replica], replicas[place].isUp else { return }
      record(place, step.id, .directed(step.directive))
    case .clock(let replica, _), .storage(let replica, _):
      record(places[replica], step.id, .directed(step.directive))
    case .stop, .partition, .block, .heal:
      record(nil, step.id, .directed(step.directive))
    }
  }

  mutating func recordDeparture(_ message: RequestMessage) {
    let session = sessions[message.session]
    record(
      session.by, session.step,
      .sent(
        Trace.Request(
          message: message.message, session: session.name,
          to: replicas[session.place(of: message.side)].name,
          operation: Text(message.content.action.name), attempt: message.attempt)))
  }

  /// A store was asked by a session; what changed in it is shown as well.
  mutating func recordArrival(
    _ message: RequestMessage, at place: Int, _ operation: Operation, _ outcome: Outcome
  ) {
    let session = sessions[message.session]
    record(
      place, session.step,
      place == session.by
        ? .served(session: session.name, operation, outcome)
        : .arrived(message: message.message, operation, outcome))
    if case .insertRevisions = operation.action {
      recordHoldings(of: operation.action.documents, at: place, session.step)
    }
  }

  mutating func recordMishap(
    _ message: RequestMessage, _ leg: Trace.Leg, at place: Int, _ mishap: Trace.Mishap
  ) {
    record(
      place, sessions[message.session].step,
      .spoilt(message: message.message, leg, mishap))
  }

  mutating func recordOperation(
    _ operation: Operation, _ outcome: Outcome, at place: Int, _ step: StepID
  ) {
    record(place, step, .performed(operation, outcome))
    var action = operation.action
    if case .attaching(_, let write) = action { action = write }
    switch (action, outcome) {
    case (.destroy, .ok): recordHoldings(of: shown[place].ids, at: place, step)
    case (.create, .ok(.written(let id, _))): recordHoldings(of: [id], at: place, step)
    case (.update, .ok), (.delete, .ok), (.resolve, .ok), (.purge, .ok), (.batch, .ok),
      (.insertRevisions, .ok):
      recordHoldings(of: operation.action.documents, at: place, step)
    default: break
    }
  }

  /// Everything that a replica held may have changed: it was restarted, or set back.
  mutating func recordAllHoldings(at place: Int, _ step: StepID) {
    recordHoldings(of: shown[place].ids, at: place, step)
  }

  /// Asks the store itself, on no account of the run: nothing is judged, folded or drawn.
  private mutating func recordHoldings(of ids: [DocumentID], at place: Int, _ step: StepID) {
    guard replicas[place].isUp, replicas[place].isOpen, !ids.isEmpty,
      let witness = try? replicas[place].store.witness(of: scenario.store)
    else { return }
    for id in ids {
      let branches = branches(of: id, witness, replicas[place].environment)
      guard branches != shown[place].branches[id] ?? [] else { continue }
      if shown[place].branches.updateValue(branches, forKey: id) == nil {
        shown[place].ids.append(id)
      }
      record(place, step, .holds(id, branches))
    }
  }

  /// The branches of a document; empty when the store does not show any.
  private func branches(
    of id: DocumentID, _ store: any ImplementationUnderTest, _ environment: Environment
  ) -> [Trace.Branch] {
    var environment = environment
    guard
      case .ok(.leaves(let leaves))? = try? store.perform(
        Operation(scenario.store, .leaves(id: id)), &environment)
    else { return [] }
    let query = RevisionQuery(id: id, revs: leaves.map { $0.rev })
    var paths: [RevisionID: [RevisionID]] = [:]
    if case .ok(.revisions(let answers))? = try? store.perform(
      Operation(scenario.store, .getRevisions([query])), &environment)
    {
      for answer in answers {
        if case .records(let records) = answer.found { paths[answer.rev] = records.first?.path }
      }
    }
    return leaves.map { Trace.Branch(path: paths[$0.rev] ?? [$0.rev], deleted: $0.deleted) }
  }

  /// The ledger in names.
  mutating func recordLedger() {
    trace?.writes = ledger.map { entry in
      Trace.Write(
        step: StepID(entry.step), replica: replicas[entry.replica].name, id: entry.id,
        rev: entry.rev, fate: Text(entry.fate.rawValue),
        missing: entry.missing.map { replicas[$0].name })
    }
  }
}

extension PeerResponse {
  /// The answer in one or two words.
  var summary: Text {
    switch self {
    case .ok: "ok"
    case .refused(let error): Text("\(error.kind)")
    case .status(let code): Text("status \(code)")
    }
  }
}
