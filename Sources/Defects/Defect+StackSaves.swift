internal import Datastore
internal import JSON

// Mistakes with three contexts over one store: saves, merges and queues.

extension Defect {
  static let stackSaves: [Defect] = [
    tellingOfStacks("merges-are-silent", "DS-003", "Nobody is told of a merge.") { news in
      news.events.removeAll { $0.kind == .merged }
    },
    inStacks("merges-at-once", "DS-004", "A merge does not wait for its turn.") {
      question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      guard case .run(let stack, _?)? = question.action,
        case .ok(.stacks(.news(var news))) = outcome, let event = news.events.last,
        event.kind == .saved || event.results != nil, event.queue != "writer"
      else { return outcome }
      let sibling: Text = event.queue == "main" ? "background" : "main"
      guard
        case .ok(.stacks(.news(let more))) = try question.ask(.run(stack, queue: sibling))
      else { return outcome }
      news.events += more.events
      news.ready = more.ready
      return .ok(.stacks(.news(news)))
    },
    inStacks("writers-forget", "DS-005", "An object that the writer inserts does not last.") {
      question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      guard case .ok(.stacks(.news(let news))) = outcome else { return outcome }
      let store = question.operation.store
      for event in news.events where event.kind == .saved && event.queue == "writer" {
        for id in event.changes?.inserted ?? [] {
          guard let document = try question.store.document(store, id) else { continue }
          _ = try question.store.ask(store, .delete(id: id, rev: document.rev))
        }
      }
      return outcome
    },
    tellingOfStacks(
      "completions-before-the-save", "DS-010", "The completion is called before anything is saved."
    ) { news in
      let completions = news.events.filter { $0.kind == .completed }
      news.events = completions + news.events.filter { $0.kind != .completed }
    },
    inStacks(
      "insertions-stay-with-their-context", "DS-019",
      "The background context never has what main inserted."
    ) { question, memory, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      guard question.contextQueue == "background", case .ok(.contexts(.ids(let ids))) = outcome
      else { return outcome }
      let hidden = memory.inserted["main"] ?? []
      return .ok(.contexts(.ids(ids.filter { !hidden.contains($0) })))
    },
    takingStackOption(
      "races-cannot-be-lost", "DS-020", "Operations take turns though nobody asked for it.",
      "takesTurns", true),
    inStacks(
      "second-objects-go", "DS-021", "Of two objects with one value the first is deleted."
    ) { question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      guard case .ok(.stacks(.news(let news))) = outcome else { return outcome }
      let store = question.operation.store
      for event in news.events where event.kind == .saved && event.queue == "writer" {
        guard let inserted = event.changes?.inserted, inserted.count > 1,
          let document = try question.store.document(store, inserted[0])
        else { continue }
        _ = try question.store.ask(store, .delete(id: inserted[0], rev: document.rev))
      }
      return outcome
    },
    changedAfter(
      "merges-leave-changes", "DS-024", "A context has changes by what it merged.", .merged),
    tellingOfStacks("background-is-saved-first", "DS-030", "The background is saved before main.") {
      news in
      let saves = news.events.indices.filter {
        news.events[$0].kind == .saved && news.events[$0].queue != "writer"
      }
      if saves.count > 1 { news.events.swapAt(saves[0], saves[1]) }
    },
    changedAfter(
      "saves-leave-changes", "DS-031", "A context that was saved has changes.", .saved),
    hearingStacks("first-errors-are-passed", "DS-035", "A save goes on after a context that fails.")
    { action in
      switch action {
      case .open(let stack, let policy, let options):
        var members = options?.objectValue ?? [:]
        members["saveFailure"] = "goesOnUnheard"
        action = .open(stack, policy: policy, options: .object(members))
      default: break
      }
    },
    takingStackOption(
      "unheard-saves-stop", "DS-037", "A save that nobody hears of stops whatever the option says.",
      "saveFailure", nil),
    inStacks(
      "stack-merges-drop-edits", "DS-041", "A merge drops what the background has changed."
    ) { question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      guard case .run(let stack, _)? = question.action,
        case .ok(.stacks(.news(let news))) = outcome
      else { return outcome }
      for event in news.events where event.kind == .merged && event.queue == "background" {
        for id in event.changes?.updated ?? [] {
          let context = ContextAction(
            Text("\(stack).background"), .refresh(id, merges: false))
          _ = try question.store.ask(question.operation.store, .contexts(context))
        }
      }
      return outcome
    },
  ]

  static let stackWaits: [Defect] = [
    excusing("writers-can-be-asked", "DS-032", "The writer is a context like the others.") {
      operation, kind, _ in
      guard case .contexts(let action) = operation.action, case .inspect = action.call,
        kind.what == "unknownContext"
      else { return nil }
      return .ok(.contexts(.inspectedContext(InspectedContext())))
    },
    tellingOfStacks("shared-data-is-fine", "DS-033", "Nobody is warned.") { $0.warnings = [] },
    inStacks("resets-keep-the-store", "DS-034", "A reset forgets what contexts hold, and no more.")
    {
      question, _, perform throws(HarnessError) in
      guard case .reset(let stack)? = question.action else {
        return try perform(question.operation)
      }
      for queue in ["main", "background"] {
        _ = try question.store.ask(
          question.operation.store, .contexts(ContextAction(Text("\(stack).\(queue)"), .reset)))
      }
      return .ok(.stacks(.done))
    },
    excusing("deadlocks-are-silent", "DS-038", "Where nothing can go on nobody says so.") {
      operation, kind, _ in
      guard case .stacks(.run) = operation.action, kind.what == "deadlock" else { return nil }
      return .ok(.stacks(.news(StackNews())))
    },
    inStacks(
      "waiting-saves-merge", "DS-040", "A call that waits runs all merges before it returns."
    ) {
      question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      if case .perform(let stack, let closure, .waits)? = question.action, closure.saves {
        _ = try question.ask(.run(stack, queue: "main"))
      }
      return outcome
    },
    takingStackOption(
      "nobody-takes-turns", "DS-043", "Operations do not take turns, though they should.",
      "takesTurns", nil),
  ]
}
