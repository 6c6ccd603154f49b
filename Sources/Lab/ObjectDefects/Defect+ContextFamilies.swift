internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants between contexts, and after pulls.

extension Defect {
  static let contextFamilies: [Defect] = [
    inContexts(
      "taken-ids-are-silent", "CTX-017",
      sentence: "Inserting an id that the parent has is ok and does nothing."
    ) { call, memory, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .insert = call.action.call, !memory.isRoot(call.name, call.context),
        case .error(let error) = outcome,
        error.kind == .conflict
      else { return outcome }
      return .ok(.contexts(.done))
    },
    inContexts(
      "children-delete-at-once", "CTX-060",
      sentence: "A child's deletion reaches the store at once."
    ) { call, memory, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      if case .saved(let changes, _)? = outcome.contexts,
        !memory.isRoot(call.name, call.context), !changes.updated.isEmpty
      {
        for id in changes.deleted { try call.deleteDocument(id) }
      }
      return outcome
    },
    inContexts(
      "children-read-the-store", "CTX-061",
      sentence: "A child reads from the store instead of its parent."
    ) { call, memory, perform throws(HarnessError) in
      if case .read(let id) = call.action.call, !memory.isRoot(call.name, call.context),
        try call.inspect(id) == nil, try call.stored(id) == nil
      {
        return .badObject("faultUnfulfilled")
      }
      return try perform(call.operation)
    },
    hearingContexts(
      "children-always-win", "CTX-062", sentence: "A child never conflicts with its parent."
    ) { call in
      guard case .open(let parent?, let policy, let options?) = call,
        var members = options.objectValue
      else { return }
      members["parentConflict"] = nil
      call = .open(parent: parent, policy: policy, options: .object(members))
    },
    takingOption(
      "children-bring-back", "CTX-063",
      sentence: "An edit in a child restores an object that its parent deleted.",
      option: "deletedInParent", value: "comesBack"),
    takingOption(
      "children-know-at-once", "CTX-064",
      sentence: "A child has permanent ids before it merges.",
      option: "childrenStayTemporary", value: false),
    inContexts(
      "lasting-ids-wait", "CTX-065", sentence: "Permanent ids cannot be obtained before a save."
    ) {
      call, _, perform throws(HarnessError) in
      guard case .obtainPermanentIDs = call.action.call else { return try perform(call.operation) }
      return .ok(.contexts(.done))
    },
    inContexts(
      "merges-of-both-kinds-do-nothing", "CTX-070",
      sentence: "A notification with insertions and updates is not merged."
    ) { call, memory, perform throws(HarnessError) in
      if case .merge(let other) = call.action.call, let changes = memory.saved[other],
        !changes.inserted.isEmpty, !changes.updated.isEmpty
      {
        return .ok(.contexts(.done))
      }
      return try perform(call.operation)
    },
    inContexts(
      "merges-win-over-edits", "CTX-071", sentence: "A merge discards the changes of the context."
    ) {
      call, memory, perform throws(HarnessError) in
      if case .merge(let other) = call.action.call {
        for id in memory.saved[other]?.updated ?? [] where try call.inspect(id)?.isUpdated ?? false
        {
          _ = try call.ask(.refresh(id, merges: false))
          _ = try call.ask(.read(id))
        }
      }
      return try perform(call.operation)
    },
    inContexts(
      "merges-register-everything", "CTX-072",
      sentence: "A merge registers objects that were not registered before."
    ) { call, memory, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      if case .merge(let other) = call.action.call {
        for id in memory.saved[other]?.updated ?? [] { _ = try call.ask(.read(id)) }
      }
      return outcome
    },
    takingOption(
      "merged-deletions-are-changes", "CTX-073",
      sentence: "A merged deletion is a change of the context.",
      option: "mergedDeletionsAreChanges", value: true),
  ]
}
