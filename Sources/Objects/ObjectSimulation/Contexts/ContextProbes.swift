internal import Datastore
internal import JSON
internal import ObjectOperations
internal import Simulation

/// Counts rare events in requests to contexts and in their results.
final class ContextProbes: EventObserver {
  private(set) var probes = ProbeCounts()
  let topics: Set<EventTopic> = [.operations, .steps, .replicas]
  private var watches: [Watch]

  /// The volatile state of a program.
  private struct Watch {
    /// Contexts that received conflicts of a pull and have not resolved them.
    var handed: Set<JSONString> = []
    /// Contexts with unsaved changes.
    var unsaved: Set<JSONString> = []
    /// Contexts with a parent context.
    var children: Set<JSONString> = []
    /// Objects that were deleted here.
    var deleted: Set<DocumentID> = []
  }

  init(replicas: Int) { watches = Array(repeating: Watch(), count: replicas) }

  func observe(_ event: WorldEvent, in state: WorldState, _ findings: inout [WorldFinding]) {
    switch event {
    case .crashed(let replica, _, _, _):
      if !watches[replica].unsaved.isEmpty { probes[.unsavedLost] += 1 }
      watches[replica] = Watch()
    case .restored(let replica), .acted(let replica, .destroy, _): watches[replica] = Watch()
    case .application(let replica, _, let operation, let outcome):
      guard let action = operation.action.contexts else { return }
      if let answer = outcome.contexts {
        count(action, answer, watch: &watches[replica])
      } else if case .error(let error) = outcome {
        count(action, error, watch: watches[replica])
      }
    default: break
    }
  }

  private func count(_ action: ContextAction, _ answer: ContextAnswer, watch: inout Watch) {
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

  private func count(_ action: ContextAction, _ error: DatastoreError, watch: Watch) {
    guard case .badObject(let what, _) = error.kind else { return }
    switch (action.call, what) {
    case (.save, "mergeConflicts"): probes[.conflictRefused] += 1
    // Other validation failures cannot occur with the models of applications.
    case (.save, "validation"): probes[.denied] += 1
    case (.resolve, "mergeConflicts"):
      if watch.handed.contains(action.context) { probes[.refusedByError] += 1 }
    default: break
    }
  }
}

extension Probe {
  fileprivate init?(settledBy policy: JSONString) {
    switch policy {
    case "storeTrump": self = .settledByStoreTrump
    case "objectTrump": self = .settledByObjectTrump
    case "overwrite": self = .settledByOverwrite
    case "rollback": self = .settledByRollback
    default: return nil
    }
  }
}
