internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Short ways to take questions about stacks and their answers apart.

/// What a mutant remembers of a stack.
struct StackMemory {
  /// What happened last on each queue, as far as somebody asked.
  var last: [JSONString: StackHappening.Kind] = [:]
  /// Whether the writer has deleted something.
  var hasDeleted = false
  /// Whether saves are observed.
  var isObserved = true
  /// Something that a mutant keeps for itself.
  var ids: Set<DocumentID> = []
  /// What happened out of its turn, and was not told yet.
  var untold: [StackHappening] = []

  mutating func note(_ news: StackNews) {
    for event in news.events where event.kind == .saved || event.kind == .merged {
      last[event.queue] = event.kind
      if event.queue == "writer", event.changes?.deleted.isEmpty == false { hasDeleted = true }
    }
  }

  /// What is told, with what happened out of its turn in front.
  mutating func telling(_ outcome: Outcome) -> Outcome {
    guard case .news(var news)? = outcome.stacks else { return outcome }
    news.events = untold + news.events
    untold = []
    return .ok(.stacks(.news(news)))
  }
}

/// Does something around each call of a stack, or of one of its contexts.
struct StackMisbehaviour: Misbehaviour {
  /// Gets a call and what does it honestly, and answers what the caller is told.
  typealias Body =
    @Sendable (
      StackQuestion, inout StackMemory, (StoreOperation) throws(HarnessError) -> Outcome
    ) throws(HarnessError) -> Outcome

  let body: Body
  private var memory = StackMemory()

  init(_ body: @escaping Body) { self.body = body }

  mutating func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    var changing = environment
    let outcome = try body(StackQuestion(operation: operation, store: store), &memory) {
      (operation) throws(HarnessError) in
      try store.perform(operation, &changing)
    }
    environment = changing
    if case .news(let news)? = outcome.stacks { memory.note(news) }
    return outcome
  }
}

/// An operation, and short ways to ask about its stack.
struct StackQuestion {
  let operation: StoreOperation
  let store: Honest

  /// What is asked of a stack; nil for another operation.
  var action: StackAction? {
    operation.action.stacks
  }

  /// The same store, asked for something else.
  func with(_ action: StackAction) -> StoreOperation {
    StoreOperation(operation.store, .stacks(action))
  }

  func ask(_ action: StackAction) throws(HarnessError) -> Outcome {
    try store.ask(operation.store, .stacks(action))
  }

  /// Runs a block out of its turn.
  func run(_ stack: JSONString, queue: JSONString, _ memory: inout StackMemory) throws(HarnessError)
  {
    guard case .news(let news)? = try ask(.run(stack, queue: queue)).stacks else { return }
    memory.untold += news.events
  }

  /// What the writer is told to have saved.
  func written(_ outcome: Outcome) -> [SavedChanges] {
    guard case .news(let news)? = outcome.stacks else { return [] }
    return news.events.filter { $0.kind == .saved && $0.queue == "writer" }.compactMap {
      $0.changes
    }
  }

  /// Deletes the document of an object behind the back of everybody.
  func deleteDocument(_ id: DocumentID?) throws(HarnessError) {
    guard let id, let document = try store.document(operation.store, id) else { return }
    _ = try store.ask(operation.store, .delete(id: id, rev: document.rev))
  }

  /// The queue of the context that is asked, of a stack.
  var contextQueue: JSONString? {
    guard let action = operation.action.contexts else { return nil }
    let name = action.context.string
    return name.hasSuffix(".main") ? "main" : name.hasSuffix(".background") ? "background" : nil
  }
}

extension Defect {
  static func inStacks(
    _ name: String, _ clause: String, sentence: String,
    body: @escaping StackMisbehaviour.Body
  ) -> Defect {
    Defect(name, clause, sentence: sentence) { StackMisbehaviour(body) }
  }

  /// Changes what stacks are asked.
  static func hearingStacks(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout StackAction) -> Void
  ) -> Defect {
    mishearing(name, clause, sentence: sentence) { operation, _ in
      guard var action = operation.action.stacks else { return operation }
      change(&action)
      return StoreOperation(operation.store, .stacks(action))
    }
  }

  /// Changes the closures that are performed.
  static func hearingClosures(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout StackClosure, inout StackCall) -> Void
  ) -> Defect {
    hearingStacks(name, clause, sentence: sentence) { action in
      guard case .perform(let stack, var closure, var call) = action else { return }
      change(&closure, &call)
      action = .perform(stack, closure, call)
    }
  }

  /// Changes the steps of closures.
  static func hearingSteps(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (StackStep) -> StackStep
  ) -> Defect {
    hearingClosures(name, clause, sentence: sentence) { closure, _ in
      closure.steps = closure.steps.map(change)
    }
  }

  /// Changes the options of new stacks; nil takes one away.
  static func takingStackOption(
    _ name: String, _ clause: String, sentence: String, option: JSONString, value: JSONValue?
  ) -> Defect {
    hearingStacks(name, clause, sentence: sentence) { action in
      guard case .open(let stack, let policy, let options) = action else { return }
      var members = options?.objectValue ?? [:]
      members[option] = value
      action = .open(stack, policy: policy, options: .object(members))
    }
  }

  /// Changes what is told of a stack.
  static func tellingOfStacks(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout StackNews) -> Void
  ) -> Defect {
    answering(name, clause, sentence: sentence) { _, result, _ in
      guard case .news(var news)? = result.stacks else { return .ok(result) }
      change(&news)
      return .ok(.stacks(.news(news)))
    }
  }

  /// Says that contexts of stacks have changes.
  static func changed(
    _ name: String, _ clause: String, sentence: String,
    holds: @escaping @Sendable (JSONString, StackMemory) -> Bool
  ) -> Defect {
    inStacks(name, clause, sentence: sentence) { question, memory, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      guard case .inspectedContext(var context)? = outcome.contexts,
        let queue = question.contextQueue, holds(queue, memory)
      else { return outcome }
      context.hasChanges = true
      return .ok(.contexts(.inspectedContext(context)))
    }
  }

  /// Changes what comes of the steps of closures that are waited for.
  static func changingResults(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (StackStep, inout StackResult) -> Void
  ) -> Defect {
    inStacks(name, clause, sentence: sentence) { question, _, perform throws(HarnessError) in
      let outcome = try perform(question.operation)
      guard case .perform(_, let closure, _)? = question.action,
        case .performed(let number, var results)? = outcome.stacks
      else { return outcome }
      for (place, step) in closure.steps.enumerated() { change(step, &results[place]) }
      return .ok(.stacks(.performed(number, results)))
    }
  }
}

extension StackClosure {
  /// Whether it inserts one object, and nothing else.
  var isInsertion: Bool {
    if case .insert? = steps.first { steps.count == 1 } else { false }
  }
}
