internal import Datastore
internal import JSON

// Mistakes with three contexts over one store: what closures do.

extension Defect {
  static let stacks: [Defect] = stackClosures + stackSearches + stackSaves + stackWaits

  private static let stackClosures: [Defect] = [
    excusing("stacks-taken-for-others", "DS-001", "A stack is made again under a name.") {
      operation, kind, _ in
      guard case .stacks(.open) = operation.action, kind == .conflict else { return nil }
      return .ok(.stacks(.done))
    },
    hearingSteps(
      "single-saves-save-all", "DS-002", "A context that is saved alone is saved to the store."
    ) { step in
      if case .save = step { .saveAll } else { step }
    },
    hearingClosures(
      "closures-on-one-queue", "DS-006", "All closures run on the main queue."
    ) { closure, _ in
      if closure.queue == "background" { closure.queue = "main" }
    },
    inStacks(
      "waiting-calls-return-early", "DS-007", "A call that waits returns before its closure ran."
    ) { question, _, perform throws(HarnessError) in
      guard case .perform(let stack, let closure, .waits)? = question.action, !closure.saves else {
        return try perform(question.operation)
      }
      let outcome = try perform(question.with(.perform(stack, closure, .completes)))
      guard case .ok(.stacks(.begun(let number))) = outcome else { return outcome }
      let nothing = closure.steps.map { _ in StackResult() }
      return .ok(.stacks(.performed(number, nothing)))
    },
    hearingClosures(
      "waiting-calls-do-not-save", "DS-008", "What is waited for is not saved."
    ) { closure, call in
      if call == .waits { closure.saves = false }
    },
    inStacks(
      "nothing-is-asynchronous", "DS-009", "A call that does not wait runs its closure at once."
    ) { question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      if case .perform(let stack, let closure, let call)? = question.action, call != .waits {
        _ = try question.ask(.run(stack, queue: closure.queue))
      }
      return outcome
    },
    inStacks(
      "failing-closures-are-saved", "DS-036", "A closure that fails is followed by a save."
    ) { question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      if case .run(let stack, _)? = question.action,
        case .ok(.stacks(.news(let news))) = outcome,
        news.events.contains(where: { $0.kind == .ran && $0.error != nil })
      {
        _ = try question.ask(.save(stack, .waits))
      }
      return outcome
    },
    hearingSteps(
      "inner-closures-run-by-themselves", "DS-042",
      "A closure inside a closure runs on the queue of the outer one."
    ) { step in
      guard case .perform(var inner) = step else { return step }
      inner.queue = "main"
      return .perform(inner)
    },
  ]

  private static let stackSearches: [Defect] = [
    hearingSteps("insertions-forget-values", "DS-012", "An inserted object is what its model says.")
    { step in
      if case .insert(let id, let entity, _) = step { .insert(id, entity: entity) } else { step }
    },
    hearingSteps("searches-without-order", "DS-013", "A search in a closure has no order.") {
      step in
      guard case .find(var fetch) = step else { return step }
      fetch.sort = []
      return .find(fetch)
    },
    hearingSteps("find-or-insert-inserts", "DS-014", "Find-or-insert inserts whatever is there.") {
      step in
      guard case .findOrInsert(let entity, let key, let value, let id, let values) = step else {
        return step
      }
      var all = values?.objectValue ?? [:]
      all[key] = value
      return .insert(id, entity: entity, values: .object(all))
    },
    takingStackOption(
      "handlers-of-found-objects", "DS-015", "The handler is called for every result.",
      "handledObjects", "everyResult"),
    takingStackOption(
      "handlers-of-new-objects-only", "DS-016", "The handler is called for inserted objects only.",
      "handledObjects", nil),
    hearingStacks("prefixes-stay", "DS-017", "The prefix of a class is part of the entity's name.")
    {
      action in
      if case .entity(let name, _) = action { action = .entity(ofClass: name) }
    },
    inStacks("all-but-one", "DS-018", "The last object of an entity is left out of all of them.") {
      question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      guard case .perform(_, let closure, _)? = question.action,
        case .ok(.stacks(.performed(let number, var results))) = outcome
      else { return outcome }
      for (place, step) in closure.steps.enumerated() {
        guard case .findAll = step else { continue }
        results[place].objects = results[place].objects.map { Array($0.dropLast()) }
      }
      return .ok(.stacks(.performed(number, results)))
    },
    inStacks(
      "find-or-insert-asks-the-store", "DS-022", "Find-or-insert does not see what is not saved."
    ) { question, _, perform throws(HarnessError) in
      guard case .perform(let stack, var closure, let call)? = question.action else {
        return try perform(question.operation)
      }
      for (place, step) in closure.steps.enumerated() {
        guard case .findOrInsert(let entity, let key, let value, let id, let values) = step,
          case .ok(.objects(.objects(let stored))) = try question.store.ask(
            question.operation.store, .objects(.list(entity: entity))),
          !stored.contains(where: { $0.objectValue?["values"]?.objectValue?[key] == value })
        else { continue }
        var all = values?.objectValue ?? [:]
        all[key] = value
        closure.steps[place] = .insert(id, entity: entity, values: .object(all))
      }
      return try perform(question.with(.perform(stack, closure, call)))
    },
  ]
}
