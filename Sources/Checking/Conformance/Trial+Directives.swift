internal import Datastore
internal import JSON
internal import Replication
internal import Scenarios

/// The steps that the runner performs: sessions between stores of the implementation.
extension Trial {
  /// Performs a directive.
  ///
  /// - Returns: The outcome in JSON, and the reason of a failing session.
  mutating func carryOut(
    _ directive: VectorDirective
  ) throws(HarnessError) -> (outcome: JSONValue, remarks: [String]) {
    switch directive {
    case .replicate(let replication): return try replicate(replication)
    case .loseCheckpoint(let store):
      for checkpoint in checkpoints where checkpoint.store == store {
        let forgetting = StoreOperation(store, .writeLocal(id: checkpoint.id, body: nil))
        let outcome = try implementation.perform(forgetting, environment)
        guard case .ok = outcome else { return (outcome.json, []) }
      }
      return (["ok": [:]], [])
    }
  }

  /// Runs a session of the implementation's replicator if it has one, otherwise of the runner's.
  private mutating func replicate(
    _ replication: StoreReplication
  ) throws(HarnessError) -> (outcome: JSONValue, remarks: [String]) {
    let session = LocalReplication(
      from: Peer(implementation, store: replication.source),
      to: Peer(implementation, store: replication.target))
    let interruption = replication.interruption.map { LocalReplication.Interruption($0) }
    let (state, report): (ReplicatorState, ReplicationReport)
    if implementation.description.capabilities.contains(.replicate) {
      var machine = foreignReplicator(replication)
      try session.run(&machine, interruption: interruption, environment)
      (state, report) = (machine.state, machine.report)
      stalled = state == .error ? ownTurn(of: replication) : nil
    } else {
      (state, report) = try session.run(
        configuration(of: replication), interruption: interruption, environment)
    }
    if let id = report.checkpoint {
      checkpoints.append((replication.source, id))
      checkpoints.append((replication.target, id))
    }
    let outcome: JSONValue = [
      "ok": [
        // A program that ended without a response reports no progress.
        "state": state.isFinal ? .text(state.rawValue) : "gone",
        "processed": .integer(report.processed), "refused": .integer(report.refused),
        "vanished": .integer(report.vanished),
      ]
    ]
    var remarks = report.failures.prefix(3).map { "the session failed: \($0.reason)" }
    if let unsaved = report.unsavedCheckpoint {
      remarks.append("the session could not save its checkpoint: \(unsaved)")
    }
    return (outcome, remarks)
  }

  private func configuration(of replication: StoreReplication) -> ReplicatorConfiguration {
    var configuration = ReplicatorConfiguration()
    configuration.filter = replication.filter
    configuration.flushesTarget =
      implementation.description.capabilities.contains(.delayedDurability)
    if let batch = replication.batch {
      configuration.pageRows = batch
      configuration.batchRevisions = Int(batch)
    }
    return configuration
  }

  /// The replicator of the implementation.
  ///
  /// The harness cannot observe its requests to its own store. So if the vector has an event at one
  /// side, the replicator runs at the other side.
  private mutating func foreignReplicator(_ replication: StoreReplication) -> ForeignReplicator {
    let (own, start) = ownSession(replication)
    let implementation = implementation
    // A turn runs while the environment of the trial is in use.
    let environment = RunEnvironment(seed: self.environment.nextRandom())
    return ForeignReplicator(start) { turn throws(HarnessError) in
      try implementation.perform(StoreOperation(own, .replicate(turn)), environment)
    }
  }

  /// The store whose replicator runs a session, and the session.
  private func ownSession(
    _ replication: StoreReplication
  ) -> (store: StoreName, start: ReplicationTurn.Start) {
    let pulls = replication.isPull
    let (own, other) =
      pulls
      ? (replication.target, replication.source) : (replication.source, replication.target)
    let start = ReplicationTurn.Start(
      pulls ? .pull : .push, JSONString("/" + other.text.string), filter: replication.filter,
      batch: replication.batch)
    return (own, start)
  }

  /// The operation that stands for a session of the implementation's replicator.
  private func ownTurn(of replication: StoreReplication) -> StoreOperation {
    let (own, start) = ownSession(replication)
    return StoreOperation(own, .replicate(ReplicationTurn(session: "", .start(start))))
  }
}

extension LocalReplication.Interruption {
  fileprivate init(_ interruption: StoreReplication.Interruption) {
    let event: Event =
      switch interruption.event {
      case .cutOff(let isPerformed): .cutOff(isPerformed: isPerformed)
      case .stop: .stop
      case .meanwhile(let operations): .meanwhile(operations)
      }
    self.init(
      interruption.isAtSource ? .source : .target, interruption.operation.string,
      nth: interruption.nth, event: event)
  }
}
