package import Datastore
internal import Replication
package import Scenarios

/// Operations on the stores of replicas.
extension World {
  /// Opens the store of a new or restarted replica.
  mutating func open(_ place: Int) throws(HarnessError) {
    let operation = StoreOperation(scenario.store, .open())
    let outcome = try request(operation, at: place)
    replicas[place].isOpen = outcome.result != nil
  }

  /// Sets the condition of a replica's disk.
  mutating func setStorage(
    _ condition: Directive.StorageCondition, at place: Int, draw: UInt64
  ) throws(HarnessError) {
    trouble(place)
    replicas[place].storage = condition
    replicas[place].hasDisk = try replicas[place].store.setStorage(condition, draw: draw)
  }

  /// Performs an operation of a client.
  @discardableResult
  package mutating func perform(
    _ action: StoreAction, at place: Int, for step: StepID
  ) throws(HarnessError) -> Outcome {
    if participants.applications?.handles(action) == true {
      return try performAbove(action, at: place, for: step)
    }
    let operation = StoreOperation(scenario.store, action)
    let outcome = try request(operation, at: place)
    eventCount += 1
    fold(place, outcome)
    emit(.performed(replica: place, step, operation, outcome))
    return outcome
  }

  /// Performs a session's request at a store, and determines the response that the session
  /// receives.
  mutating func answer(
    _ message: RequestMessage, at place: Int
  ) throws(HarnessError) -> (StoreOperation, Outcome) {
    let spells = sessions[message.session].spellsAnew && message.side == .source
    var action = message.content.withPlainSequence.action
    // A store without SHA-256 digests takes none, and its own digests mean nothing to others.
    if case .insertRevisions = action, !hasDigests(sessions[message.session]) {
      action = action.within([.ownDigests])
    }
    let operation = StoreOperation(scenario.store, action)
    let outcome = try request(operation, at: place)
    eventCount += 1
    fold(place, outcome)
    let shown = StoreOperation(scenario.store, message.content.action)
    return (shown, spells ? outcome.withSequences(spelledAnewAt: now) : outcome)
  }

  /// Whether both stores of a session report SHA-256 digests of attachments.
  private func hasDigests(_ session: Session) -> Bool {
    [session.source, session.target].allSatisfy { [replicas] in
      !replicas[$0].store.implementation.description.restrictions.contains(.ownDigests)
    }
  }

  /// Requests an operation from a store, and reports the answer.
  private mutating func request(
    _ operation: StoreOperation, at place: Int
  ) throws(HarnessError) -> Outcome {
    let outcome = try ask(place, operation)
    askedOperation = nil
    if hears(.answers) { emit(.answered(replica: place, operation, outcome)) }
    return outcome
  }

  /// Performs the operation at the store, unless its disk fails or its replica crashes during it.
  private mutating func ask(
    _ place: Int, _ operation: StoreOperation
  ) throws(HarnessError) -> Outcome {
    let nanoseconds = Int64(bitPattern: now) &+ replicas[place].clockOffset
    replicas[place].environment.nowNanoseconds = UInt64(max(0, nanoseconds))
    asked = place
    askedOperation = operation
    if let refusal = try refusal(at: place, of: operation) { return refusal }
    guard let crash = replicas[place].armedCrash else {
      return try replicas[place].store.implementation.perform(
        operation, replicas[place].environment)
    }
    let outcome = try replicas[place].store.performCrashing(
      operation, replicas[place].environment, kind: crash.kind, draw: crash.draw)
    if let outcome { return outcome }
    takeDown(place, crash.kind, step: crash.step, inOperation: true)
    return .unknown
  }

  /// The error that replaces the operation; nil if the store performs it.
  private mutating func refusal(
    at place: Int, of operation: StoreOperation
  ) throws(HarnessError) -> Outcome? {
    if case .open = operation.action { return nil }
    if !replicas[place].isOpen {
      // The disk prevented the opening at the start; a program retries.
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
    emit(.refusedByDisk(isFull: isFull))
    return .error(
      DatastoreError(.storage(isFull ? .full : .io), "the disk of the simulation"))
  }

  private mutating func fold(_ place: Int, _ outcome: Outcome) {
    digest.fold(now)
    digest.fold(UInt64(place))
    digest.fold(outcome)
  }
}

extension StoreAction {
  /// Whether the operation writes to a disk.
  fileprivate var isWrite: Bool {
    switch self {
    case .create, .update, .delete, .insertRevisions, .writeLocal, .resolve, .purge, .batch,
      .attaching, .putBlob, .finding(.createIndex), .finding(.dropIndex):
      true
    default: false
    }
  }
}
