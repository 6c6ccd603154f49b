internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants with three contexts over one store: closures.

extension Defect {
  static let stacks: [Defect] = stackClosures + stackSearches + stackSaves + stackWaits

  private static let stackClosures: [Defect] = [
    excusing(
      "stacks-taken-for-others", "DS-001",
      sentence: "Opening a stack under a name in use replaces it."
    ) {
      operation, kind, _ in
      guard case .open? = operation.action.stacks, kind == .conflict else { return nil }
      return .ok(.stacks(.done))
    },
    hearingSteps(
      "single-saves-save-all", "DS-002",
      sentence: "A save of a single context reaches the store."
    ) { step in
      if case .save = step { .saveAll } else { step }
    },
    hearingClosures(
      "single-insertions-go-to-main", "DS-006",
      sentence: "A closure with a single insertion runs on the main queue."
    ) { closure, call in
      if call != .waits, !closure.saves, closure.isInsertion { closure.queue = "main" }
    },
    excusing(
      "errors-stay-with-closures", "DS-007",
      sentence: "A call that waits for a closure does not return its error."
    ) { operation, kind, _ in
      guard case .perform(_, let closure, .waits)? = operation.action.stacks, !closure.saves,
        ["unknownEntity", "faultUnfulfilled"].contains(kind.what)
      else { return nil }
      return .ok(.stacks(.performed(1, closure.steps.map { _ in StackResult() })))
    },
    excusing(
      "errors-stay-with-saves", "DS-008",
      sentence: "A call that waits for a save does not return its error."
    ) { operation, kind, _ in
      guard case .perform(_, let closure, .waits)? = operation.action.stacks, closure.saves,
        ["validation", "mergeConflicts"].contains(kind.what)
      else { return nil }
      return .ok(.stacks(.performed(1, closure.steps.map { _ in StackResult() })))
    },
    inStacks(
      "single-insertions-run-at-once", "DS-009",
      sentence: "An insertion in the background with a save does not wait on its queue."
    ) { question, memory, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      if case .perform(let stack, let closure, let call)? = question.action, call != .waits,
        closure.saves, closure.queue == "background", closure.isInsertion
      {
        try question.run(stack, queue: closure.queue, &memory)
      }
      return memory.telling(outcome)
    },
    inStacks(
      "failing-closures-are-saved", "DS-036",
      sentence: "A failing closure is followed by a save."
    ) { question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      if case .run(let stack, _)? = question.action,
        case .news(let news)? = outcome.stacks,
        news.events.contains(where: { $0.kind == .ran && $0.error != nil })
      {
        _ = try question.ask(.save(stack, .waits))
      }
      return outcome
    },
    hearingSteps(
      "inner-closures-run-by-themselves", "DS-042",
      sentence: "A closure inside a closure runs on the queue of the outer one."
    ) { step in
      guard case .perform(var inner) = step else { return step }
      inner.queue = "main"
      return .perform(inner)
    },
  ]

  private static let stackSearches: [Defect] = [
    hearingClosures(
      "new-objects-stay-alone", "DS-012",
      sentence: "A new object has no references to other new objects."
    ) { closure, _ in
      var new: [JSONValue] = []
      for (place, step) in closure.steps.enumerated() {
        guard case .insert(let id, let entity, let values) = step else { continue }
        let kept = (values?.objectValue ?? [:]).members.filter { !new.contains($0.value) }
        closure.steps[place] = .insert(
          id, entity: entity, values: .object(JSONObject(kept.map { ($0.name, $0.value) })))
        new.append(id.json)
      }
    },
    hearingSteps(
      "searches-without-order", "DS-013", sentence: "A search in a closure ignores its sort."
    ) {
      step in
      guard case .find(var fetch) = step else { return step }
      fetch.sort = []
      return .find(fetch)
    },
    changingResults(
      "first-match-only", "DS-014",
      sentence: "Find-or-insert returns only the first of several matches."
    ) { step, result in
      guard case .findOrInsert = step else { return }
      result.objects = result.objects.map { Array($0.prefix(1)) }
    },
    hearingStacks(
      "handlers-of-found-objects", "DS-015",
      sentence: "The handler is called for found objects, too."
    ) { action in
      guard case .open(let stack, let policy, nil) = action else { return }
      action = .open(stack, policy: policy, options: ["handledObjects": "everyResult"])
    },
    hearingStacks(
      "handlers-of-new-objects-only", "DS-016",
      sentence: "With everyResult the handler is called only for inserted objects."
    ) { action in
      guard case .open(let stack, let policy, ["handledObjects": "everyResult"]) = action else {
        return
      }
      action = .open(stack, policy: policy)
    },
    hearingStacks(
      "prefixes-stay", "DS-017", sentence: "The prefix of a class is part of the entity's name."
    ) {
      action in
      if case .entity(let name, _) = action { action = .entity(ofClass: name) }
    },
    changingResults(
      "all-but-one", "DS-018", sentence: "A request for all objects omits the last of several."
    ) {
      step, result in
      guard case .findAll = step, let objects = result.objects, objects.count > 1 else { return }
      result.objects = objects.dropLast()
    },
    hearingClosures(
      "find-or-insert-forgets", "DS-022",
      sentence: "Find-or-insert does not find objects inserted by its own closure."
    ) { closure, _ in
      var seen: [JSONValue] = []
      for (place, step) in closure.steps.enumerated() {
        guard case .findOrInsert(let entity, let key, let value, let id, let values) = step else {
          continue
        }
        if seen.contains(value) {
          var all = values?.objectValue ?? [:]
          all[key] = value
          closure.steps[place] = .insert(id, entity: entity, values: .object(all))
        }
        seen.append(value)
      }
    },
  ]
}
