internal import Datastore
internal import JSON
internal import Replication
internal import Scenarios

/// What the runner does itself: sessions of its replicator between stores of the implementation.
extension Trial {
  /// Does what a directive says.
  ///
  /// - Returns: What came of it, as an outcome in JSON, and what a failing session says about itself.
  mutating func carryOut(
    _ directive: VectorDirective
  ) throws(HarnessError) -> (outcome: JSONValue, remarks: [String]) {
    switch directive {
    case .replicate(let replication): return try replicate(replication)
    case .loseCheckpoint(let store):
      for checkpoint in checkpoints where checkpoint.store == store {
        let forgetting = Operation(store, .writeLocal(id: checkpoint.id, body: nil))
        let outcome = try implementation.perform(forgetting, &environment)
        guard case .ok = outcome else { return (outcome.json, []) }
      }
      return (["ok": [:]], [])
    }
  }

  private mutating func replicate(
    _ replication: StoreReplication
  ) throws(HarnessError) -> (outcome: JSONValue, remarks: [String]) {
    var configuration = ReplicatorConfiguration()
    configuration.filter = replication.filter
    configuration.flushesTarget =
      implementation.description.capabilities.contains(.delayedDurability)
    if let batch = replication.batch {
      configuration.pageRows = batch
      configuration.batchRevisions = Int(batch)
    }
    let session = LocalReplication(
      from: Peer(implementation, store: replication.source),
      to: Peer(implementation, store: replication.target))
    let cutOff = replication.cutOff.map { place in
      LocalReplication.CutOff(
        place.isAtSource ? .source : .target, place.operation.string, nth: place.nth,
        isPerformed: place.isPerformed)
    }
    let (state, report) = try session.run(configuration, cutOff: cutOff, &environment)
    if let id = report.checkpoint {
      checkpoints.append((replication.source, id))
      checkpoints.append((replication.target, id))
    }
    let outcome: JSONValue = [
      "ok": [
        // A program that ended without a word left nobody to say how far it came.
        "state": state.isFinal ? .text(state.rawValue) : "gone",
        "processed": .integer(report.processed), "refused": .integer(report.refused),
        "vanished": .integer(report.vanished),
      ]
    ]
    var remarks = report.failures.prefix(3).map { "the session says: \($0.reason)" }
    if let unsaved = report.unsavedCheckpoint {
      remarks.append("the session could not be remembered: \(unsaved)")
    }
    return (outcome, remarks)
  }
}
