package import Datastore
internal import JSON
internal import Oracles
internal import ReferenceDatastore
internal import Replication
package import Scenarios

/// Operations on the stores of replicas, and their judges.
extension World {
  /// Opens the store of a replica that has just been made or restarted.
  mutating func open(_ place: Int) throws(HarnessError) {
    let operation = Operation(scenario.store, .open())
    let outcome = try ask(place, operation)
    judge(place, operation, outcome)
    replicas[place].isOpen = outcome.result != nil
  }

  /// Puts the disk of a replica into a condition.
  mutating func setStorage(
    _ condition: Directive.StorageCondition, at place: Int, draw: UInt64
  ) throws(HarnessError) {
    replicas[place].storage = condition
    replicas[place].hasDisk = try replicas[place].store.setStorage(condition, draw: draw)
  }

  /// Performs an operation of a client, with all judges present.
  @discardableResult
  package mutating func perform(
    _ action: Action, at place: Int, for step: StepID
  ) throws(HarnessError) -> Outcome {
    if participants.applications?.handles(action) == true {
      return try performAbove(action, at: place, for: step)
    }
    let operation = Operation(scenario.store, action)
    let outcome = try ask(place, operation)
    eventCount += 1
    fold(place, outcome)
    judge(place, operation, outcome)
    if trace != nil { recordOperation(operation, outcome, at: place, step) }
    observe(operation.action, outcome, at: place, step)
    return outcome
  }

  /// Tells the oracles what a client did; of a batch, write by write.
  private mutating func observe(
    _ action: Action, _ outcome: Outcome, at place: Int, _ step: StepID
  ) {
    if case .batch(let writes) = action {
      var results: [OperationResult] = []
      if case .ok(.batch(let each)) = outcome { results = each }
      for (number, write) in writes.enumerated() {
        let outcome = results.indices.contains(number) ? .ok(results[number]) : outcome
        observe(write, outcome, at: place, step)
      }
      return
    }
    let operation = Operation(scenario.store, action)
    if let finding = oracles.observe(
      .client(replica: place, step: step.text, operation, outcome))
    {
      find(finding)
    }
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
    let nanoseconds = Int64(bitPattern: now) &+ replicas[place].clockOffset
    replicas[place].environment.nowNanoseconds = UInt64(max(0, nanoseconds))
    asked = place
    if let refusal = try refusal(at: place, of: operation) { return refusal }
    guard let crash = replicas[place].armedCrash else {
      return try replicas[place].store.implementation.perform(
        operation, &replicas[place].environment)
    }
    let outcome = try replicas[place].store.performCrashing(
      operation, &replicas[place].environment, crash.kind, draw: crash.draw)
    if let outcome { return outcome }
    probes[.crashedInOperation] += 1
    takeDown(place, crash.kind, crash.step)
    return .unknown
  }

  /// Why the store is not even asked; nil when it is.
  private mutating func refusal(
    at place: Int, of operation: Operation
  ) throws(HarnessError) -> Outcome? {
    if case .open = operation.action { return nil }
    if !replicas[place].isOpen {
      // Its disk was in the way when the replica began; a program tries again.
      try open(place)
      guard replicas[place].isUp else { return .unknown }
      guard replicas[place].isOpen else {
        return .error(DatastoreError(.storage(.io), "the store does not open"))
      }
    }
    guard replicas[place].storage != .well, !replicas[place].hasDisk,
      replicas[place].armedCrash == nil, operation.action.isWrite
    else { return nil }
    let isFull = replicas[place].storage == .full
    probes[isFull ? .storageFull : .storageFailing] += 1
    return .error(
      DatastoreError(.storage(isFull ? .full : .io), "the disk of the simulation"))
  }

  private mutating func fold(_ place: Int, _ outcome: Outcome) {
    digest.fold(now)
    digest.fold(UInt64(place))
    digest.fold(outcome)
  }

  /// Compares a store with the model, which has no disk that could refuse anything.
  private mutating func judge(_ place: Int, _ operation: Operation, _ outcome: Outcome) {
    guard replicas[place].judge != nil else { return }
    if case .error(let error) = outcome, replicas[place].storage != .well,
      error.kind == .storage(.full) || error.kind == .storage(.io)
    {
      return
    }
    defer { if !replicas[place].isUp { replicas[place].judge?.crashed() } }
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
    case .create, .update, .delete, .insertRevisions, .writeLocal, .resolve, .purge, .batch,
      .attaching, .putBlob, .finding(.createIndex), .finding(.dropIndex):
      true
    default: false
    }
  }
}
