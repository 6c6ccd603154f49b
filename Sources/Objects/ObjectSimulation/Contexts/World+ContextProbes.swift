internal import Datastore
internal import JSON
internal import ObjectOperations
internal import Simulation

// Rare things that show in what contexts are asked and answer.

extension World {
  mutating func noteProbes(above action: Action, _ outcome: Outcome, at place: Int) {
    guard let action = action.contexts else { return }
    if let answer = outcome.contexts {
      noteProbes(action, answer, at: place)
    } else if case .error(let error) = outcome {
      noteProbes(action, error, at: place)
    }
  }

  private mutating func noteProbes(
    _ action: ContextAction, _ answer: ContextAnswer, at place: Int
  ) {
    var watch = replicas[place].application.watch
    defer { replicas[place].application.watch = watch }
    let context = action.context
    switch (action.call, answer) {
    case (.open(let parent, _, _), _): if parent != nil { watch.children.insert(context) }
    case (.insert, _), (.change, _), (.delete, _): watch.unsaved.insert(context)
    case (.rollback, _), (.reset, _):
      watch.unsaved.remove(context)
      watch.handed.remove(context)
    case (.save, .saved(let changes, let events)):
      watch.unsaved.remove(context)
      watch.deleted.formUnion(changes.deleted)
      if watch.children.contains(context) { probes[.childSaved] += 1 }
      if events.contains(where: { $0.name == "conflictsDetected" }) {
        probes[.conflictAtSave] += 1
      }
    case (.processConflicts, .conflicts(let conflicts)):
      if !conflicts.isEmpty { watch.handed.insert(context) }
      for conflict in conflicts {
        if conflict.newVersion == 0 { probes[.deletedThere] += 1 }
        if !conflict.others.isEmpty { probes[.manyLeaves] += 1 }
      }
    case (.resolve(let policy), _):
      guard watch.handed.remove(context) != nil else { return }
      if let probe = Probe(settledBy: policy) { probes[probe] += 1 }
    case (.read(let id), .object):
      if watch.deleted.remove(id) != nil { probes[.livesAgain] += 1 }
    default: break
    }
  }

  private mutating func noteProbes(
    _ action: ContextAction, _ error: DatastoreError, at place: Int
  ) {
    guard case .badObject(let what, _) = error.kind else { return }
    switch (action.call, what) {
    case (.save, "mergeConflicts"): probes[.conflictRefused] += 1
    // Nothing else is invalid in the models of applications.
    case (.save, "validation"): probes[.denied] += 1
    case (.resolve, "mergeConflicts"):
      if replicas[place].application.watch.handed.contains(action.context) {
        probes[.refusedByError] += 1
      }
    default: break
    }
  }
}

extension Probe {
  fileprivate init?(settledBy policy: Text) {
    switch policy {
    case "storeTrump": self = .settledByStoreTrump
    case "objectTrump": self = .settledByObjectTrump
    case "overwrite": self = .settledByOverwrite
    case "rollback": self = .settledByRollback
    default: return nil
    }
  }
}
