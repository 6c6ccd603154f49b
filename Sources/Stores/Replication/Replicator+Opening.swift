internal import Datastore
internal import JSON

/// The identities of the stores and their checkpoints.
extension Replicator {
  mutating func askWhoTheyAre() {
    send(.source, .info, purpose: .identity)
    send(.target, .info, purpose: .identity)
  }

  /// Records or verifies the identity of a store.
  mutating func identify(_ side: ReplicationSide, _ incarnation: JSONString) {
    if phase == .verifying {
      let known = side == .source ? sourceIncarnation : targetIncarnation
      guard incarnation == known else {
        report.metOtherStore = true
        let reason = JSONString("the \(side.rawValue) was replaced by another store")
        return end(.error, ReplicationReport.Failure(reason: reason))
      }
      if requests.isEmpty { goOn() }
      return
    }
    switch side {
    case .source: sourceIncarnation = incarnation
    case .target: targetIncarnation = incarnation
    }
    guard let source = sourceIncarnation, let target = targetIncarnation else { return }
    let id = CheckpointHistory.id(source: source, target: target, configuration)
    report.checkpoint = id
    phase = .recalling
    for side in ReplicationSide.allCases {
      send(side, .readLocal(id: id), purpose: .checkpoint)
    }
  }

  /// Records the checkpoint of a side; copying starts once both are known.
  mutating func recall(_ side: ReplicationSide, _ history: CheckpointHistory) {
    switch side {
    case .source: sourceHistory = history
    case .target: targetHistory = history
    }
    guard let sourceHistory, let targetHistory else { return }
    let common = sourceHistory.newestEntry(sharedWith: targetHistory)
    feed.position = common?.recorded
    settled = common?.recorded
    report.recorded = common?.recorded
    phase = .copying
  }
}
