internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants with three contexts over one store: saves, merges and queues.

extension Defect {
  static let stackSaves: [Defect] = [
    inStacks(
      "single-saves-are-not-observed", "DS-003",
      sentence: "A save of a single context is not merged into the other."
    ) { question, memory, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      if question.contextQueue != nil, case .saved? = outcome.contexts {
        memory.isObserved = false
      }
      guard !memory.isObserved, case .news(var news)? = outcome.stacks else { return outcome }
      news.events.removeAll { $0.kind == .merged }
      return .ok(.stacks(.news(news)))
    },
    inStacks(
      "merges-at-once", "DS-004", sentence: "A merge of an update does not wait on its queue."
    ) {
      question, memory, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      if case .run(let stack, "main"?)? = question.action,
        case .news(let news)? = outcome.stacks,
        news.events.last?.results?.last?.changes?.updated.isEmpty == false
      {
        try question.run(stack, queue: "background", &memory)
      }
      return memory.telling(outcome)
    },
    inStacks(
      "writers-lose-one-of-many", "DS-005",
      sentence: "A save of the writer that inserts, updates and deletes loses the first insertion."
    ) { question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      for changes in question.written(outcome)
      where !changes.updated.isEmpty && !changes.deleted.isEmpty {
        try question.deleteDocument(changes.inserted.first)
      }
      return outcome
    },
    tellingOfStacks(
      "completions-before-the-save", "DS-010",
      sentence: "The completion is called before the save."
    ) { news in
      let completions = news.events.filter { $0.kind == .completed }
      news.events = completions + news.events.filter { $0.kind != .completed }
    },
    inStacks(
      "one-of-several-stays-with-main", "DS-019",
      sentence: "The background misses the last of several objects inserted in main."
    ) { question, memory, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      if case .news(let news)? = outcome.stacks {
        for event in news.events where event.kind == .saved && event.queue == "main" {
          guard let inserted = event.changes?.inserted, inserted.count > 1 else { continue }
          memory.ids.formUnion(inserted.suffix(1))
        }
      }
      guard question.contextQueue == "background", case .ids(let ids)? = outcome.contexts
      else { return outcome }
      return .ok(.contexts(.ids(ids.filter { !memory.ids.contains($0) })))
    },
    inStacks(
      "found-objects-go", "DS-020",
      sentence: "An object found while another operation saves it is lost."
    ) { question, memory, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      guard case .news(let news)? = outcome.stacks else { return outcome }
      for result in news.events.flatMap({ $0.results ?? [] }) where result.handled?.isEmpty == true
      {
        for object in result.objects ?? [] {
          if let id = object.objectValue?["id"]?.textValue { memory.ids.insert(DocumentID(id)) }
        }
      }
      if news.ready.isEmpty { for id in memory.ids { try question.deleteDocument(id) } }
      return outcome
    },
    inStacks(
      "second-objects-go", "DS-021",
      sentence: "Of two new objects with one value the first is deleted."
    ) { question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      for changes in question.written(outcome) where changes.inserted.count == 2 {
        var names: [JSONValue?] = []
        for id in changes.inserted {
          let document = try question.store.document(question.operation.store, id)
          names.append(document?.body.objectValue?["name"])
        }
        if names[0] != nil, names[0] == names[1] {
          try question.deleteDocument(changes.inserted[0])
        }
      }
      return outcome
    },
    changed(
      "merges-leave-changes", "DS-024",
      sentence: "The main context has changes from a merge until the writer is saved."
    ) { queue, memory in
      queue == "main" && memory.last[queue] == .merged && memory.last["writer"] == nil
    },
    tellingOfStacks(
      "background-is-saved-first", "DS-030",
      sentence: "A save of all contexts saves the background before main."
    ) {
      news in
      let saves = news.events.indices.filter {
        news.events[$0].kind == .saved && news.events[$0].queue != "writer"
      }
      if saves.count > 1 { news.events.swapAt(saves[0], saves[1]) }
    },
    changed(
      "saved-deletions-are-changes", "DS-031",
      sentence: "A context has changes because of a saved deletion."
    ) { _, memory in memory.hasDeleted },
    hearingStacks(
      "first-errors-are-passed", "DS-035",
      sentence: "A save of all contexts continues after a context that fails."
    ) { action in
      switch action {
      case .open(let stack, let policy, let options):
        var members = options?.objectValue ?? [:]
        members["saveFailure"] = "goesOnUnheard"
        action = .open(stack, policy: policy, options: .object(members))
      default: break
      }
    },
    takingStackOption(
      "unheard-saves-stop", "DS-037",
      sentence: "The option goesOnUnheard has no effect.",
      option: "saveFailure", value: nil),
    inStacks(
      "stack-merges-drop-edits", "DS-041",
      sentence: "A merge discards the changes of the background."
    ) { question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      guard case .run(let stack, _)? = question.action,
        case .news(let news)? = outcome.stacks
      else { return outcome }
      for event in news.events where event.kind == .merged && event.queue == "background" {
        for id in event.changes?.updated ?? [] {
          let context = ContextAction(
            JSONString("\(stack).background"), .refresh(id, merges: false))
          _ = try question.store.ask(question.operation.store, .contexts(context))
        }
      }
      return outcome
    },
  ]

  static let stackWaits: [Defect] = [
    excusing("writers-can-be-asked", "DS-032", sentence: "The writer is accessible as a context.") {
      operation, kind, _ in
      guard let action = operation.action.contexts, case .inspect = action.call,
        kind.what == "unknownContext", action.context.string.hasSuffix(".writer")
      else { return nil }
      return .ok(.contexts(.inspectedContext(InspectedContext())))
    },
    tellingOfStacks(
      "shared-data-is-fine", "DS-033", sentence: "There is no warning about shared data."
    ) {
      $0.warnings = []
    },
    inStacks(
      "resets-keep-the-store", "DS-034",
      sentence: "resetStack empties the contexts but not the store."
    ) {
      question, _, perform throws(HarnessError) in
      guard case .reset(let stack)? = question.action else {
        return try perform(question.operation)
      }
      for queue in ["main", "background"] {
        _ = try question.store.ask(
          question.operation.store,
          .contexts(ContextAction(JSONString("\(stack).\(queue)"), .reset)))
      }
      return .ok(.stacks(.done))
    },
    excusing("deadlocks-are-silent", "DS-038", sentence: "A deadlock is not reported.") {
      operation, kind, _ in
      guard case .run? = operation.action.stacks, kind.what == "deadlock" else { return nil }
      return .ok(.stacks(.news(StackNews())))
    },
    inStacks(
      "waiting-saves-merge", "DS-040",
      sentence: "A call that waits runs all merges before it returns."
    ) {
      question, memory, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      if case .perform(let stack, let closure, .waits)? = question.action, closure.saves {
        try question.run(stack, queue: "main", &memory)
      }
      return memory.telling(outcome)
    },
    takingStackOption(
      "nobody-takes-turns", "DS-043", sentence: "The option takesTurns has no effect.",
      option: "takesTurns", value: nil),
  ]
}
