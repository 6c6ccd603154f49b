internal import Datastore
internal import JSON

/// Saving the progress on both sides.
///
/// The target is written first: an entry that only the target has is never used.
extension Replicator {
  /// Starts a save if there is new progress.
  mutating func beginSave() {
    guard save == nil, let settled, settled != report.recorded, settled != unsavable,
      let sourceHistory, let targetHistory
    else { return }
    let entry = CheckpointHistory.Entry(session: session, recorded: settled)
    save = Save(
      sequence: settled, source: sourceHistory.adding(entry), target: targetHistory.adding(entry))
    if configuration.flushesTarget {
      send(.target, .flush, purpose: .flush)
    } else {
      saveTarget()
    }
  }

  mutating func saveTarget() {
    guard let save, let id = report.checkpoint else { return }
    send(.target, .writeLocal(id: id, body: save.target.json(of: .target)), purpose: .saveTarget)
  }

  mutating func saveSource() {
    guard let save, let id = report.checkpoint else { return }
    targetHistory = save.target
    send(.source, .writeLocal(id: id, body: save.source.json(of: .source)), purpose: .saveSource)
  }

  mutating func endSave() {
    guard let save else { return }
    sourceHistory = save.source
    report.recorded = save.sequence
    report.unsavedCheckpoint = nil
    self.save = nil
  }

  mutating func failSave(_ reason: JSONString) {
    unsavable = save?.sequence
    report.unsavedCheckpoint = reason
    save = nil
  }
}
