internal import Datastore
internal import JSON
internal import Oracles
internal import ReferenceDatastore
internal import Replication
internal import Scenarios

/// Operations on the stores of replicas, and their judges.
extension World {
  /// Opens the store of a replica that has just been made or restarted.
  mutating func open(_ place: Int) throws(HarnessError) {
    let operation = Operation(scenario.store, .open())
    let outcome = try ask(place, operation)
    judge(place, operation, outcome)
  }

  /// Performs an operation of a client, with all judges present.
  @discardableResult
  mutating func perform(
    _ action: Action, at place: Int, for step: StepID
  ) throws(HarnessError) -> Outcome {
    let operation = Operation(scenario.store, action)
    let outcome = try ask(place, operation)
    eventCount += 1
    fold(place, outcome)
    judge(place, operation, outcome)
    if trace != nil { recordOperation(operation, outcome, at: place, step) }
    if let finding = oracles.observe(
      .client(replica: place, step: step.text, operation, outcome))
    {
      find(finding)
    }
    return outcome
  }

  /// Performs what a session asks of a store, and says what the session will see of it.
  mutating func answer(
    _ message: RequestMessage, at place: Int
  ) throws(HarnessError) -> (Operation, Outcome) {
    let spells = sessions[message.session].spellsAnew && message.side == .source
    let operation = Operation(scenario.store, message.content.withPlainSequence.action)
    var outcome = try ask(place, operation)
    eventCount += 1
    fold(place, outcome)
    judge(place, operation, outcome)
    let shown = Operation(scenario.store, message.content.action)
    if spells {
      outcome = outcome.withSequences(spelledAnewAt: now)
      probes[.reencoded] += 1
    }
    if let finding = oracles.observe(
      .session(message.session, isSource: message.side == .source, shown, outcome))
    {
      find(finding)
    }
    return (shown, outcome)
  }

  /// Asks the store, unless its disk refuses or its replica crashes in the midst of it.
  private mutating func ask(
    _ place: Int, _ operation: Operation
  ) throws(HarnessError) -> Outcome {
    if let crash = replicas[place].armedCrash {
      replicas[place].armedCrash = nil
      probes[.crashedInOperation] += 1
      try replicas[place].store.performCrashing(
        operation, &replicas[place].environment, crash.kind, draw: crash.draw)
      takeDown(place, crash.kind, crash.step)
      return .unknown
    }
    if replicas[place].storage != .well, operation.action.isWrite {
      let fault: DatastoreError.StorageFault
      if replicas[place].storage == .full {
        probes[.storageFull] += 1
        fault = .full
      } else {
        probes[.storageFailing] += 1
        fault = .io
      }
      return .error(DatastoreError(.storage(fault), "the disk of the simulation"))
    }
    let nanoseconds = Int64(bitPattern: now) &+ replicas[place].clockOffset
    replicas[place].environment.nowNanoseconds = UInt64(max(0, nanoseconds))
    return try replicas[place].store.implementation.perform(
      operation, &replicas[place].environment)
  }

  private mutating func fold(_ place: Int, _ outcome: Outcome) {
    digest.fold(now)
    digest.fold(UInt64(place))
    digest.fold(outcome)
  }

  /// Compares a store with the model; a refusal of the simulated disk is no answer of the store.
  private mutating func judge(_ place: Int, _ operation: Operation, _ outcome: Outcome) {
    guard replicas[place].judge != nil else { return }
    if case .error(let error) = outcome, case .storage = error.kind { return }
    defer { if outcome == .unknown { replicas[place].judge?.crashed() } }
    switch replicas[place].judge?.admit(operation, outcome) {
    case .violation(let violation):
      let accepted = violation.accepted.map { $0.json.serialized() }.joined(separator: " or ")
      findings.append(
        Trace.Finding(
          oracle: "model", shape: Text(operation.action.name),
          sentence: Text(
            "\(replicas[place].name) answers \(outcome.json.serialized()) to "
              + "\(operation.json.serialized()), and the rules accept \(accepted)"),
          time: now, document: operation.action.documents.first))
    case .inconclusive:
      // Judging goes on with nothing: the other oracles still see everything.
      replicas[place].judge = nil
    case .admitted, nil: break
    }
  }
}

extension Action {
  /// Whether the operation changes something that a disk has to take.
  fileprivate var isWrite: Bool {
    switch self {
    case .create, .update, .delete, .insertRevisions, .writeLocal, .resolve, .purge, .batch: true
    default: false
    }
  }
}
