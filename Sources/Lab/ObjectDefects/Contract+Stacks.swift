internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Helpers that take operations on stacks and their results apart.

/// The state of a mutant about a stack.
struct StackMemory {
  /// The last events of each queue, as far as they were requested.
  var last: [JSONString: StackHappening.Kind] = [:]
  /// True if the writer has deleted an object.
  var hasDeleted = false
  /// True if saves are observed.
  var isObserved = true
  /// Additional state of a mutant.
  var ids: Set<DocumentID> = []
  /// Events of blocks that ran out of turn, not reported yet.
  var untold: [StackHappening] = []

  mutating func note(_ news: StackNews) {
    for event in news.events where event.kind == .saved || event.kind == .merged {
      last[event.queue] = event.kind
      if event.queue == "writer", event.changes?.deleted.isEmpty == false { hasDeleted = true }
    }
  }

  /// The report, with events of blocks that ran out of turn first.
  mutating func telling(_ outcome: Outcome) -> Outcome {
    guard case .news(var news)? = outcome.stacks else { return outcome }
    news.events = untold + news.events
    untold = []
    return .ok(.stacks(.news(news)))
  }
}

/// Wraps each call of a stack, or of one of its contexts.
struct StackMisbehaviour: Misbehaviour {
  /// Gets a call and the correct implementation, and returns the result for the client.
  typealias Body =
    @Sendable (
      StackQuestion, inout StackMemory, (StoreOperation) throws(HarnessError) -> Outcome
    ) throws(HarnessError) -> Outcome

  let body: Body
  private var memory = StackMemory()

  init(_ body: @escaping Body) { self.body = body }

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try body(StackQuestion(operation: operation, store: store), &memory) {
      (operation) throws(HarnessError) in
      try store.perform(operation, environment)
    }
    if case .news(let news)? = outcome.stacks { memory.note(news) }
    return outcome
  }
}

/// An operation, with helpers to query its stack.
struct StackQuestion {
  let operation: StoreOperation
  let store: Honest

  /// The operation on a stack; nil for another operation.
  var action: StackAction? {
    operation.action.stacks
  }

  /// The same store with another operation.
  func with(_ action: StackAction) -> StoreOperation {
    StoreOperation(operation.store, .stacks(action))
  }

  func ask(_ action: StackAction) throws(HarnessError) -> Outcome {
    try store.ask(operation.store, .stacks(action))
  }

  /// Runs a block out of turn.
  func run(_ stack: JSONString, queue: JSONString, _ memory: inout StackMemory) throws(HarnessError)
  {
    guard case .news(let news)? = try ask(.run(stack, queue: queue)).stacks else { return }
    memory.untold += news.events
  }

  /// The reported save of the writer.
  func written(_ outcome: Outcome) -> [SavedChanges] {
    guard case .news(let news)? = outcome.stacks else { return [] }
    return news.events.filter { $0.kind == .saved && $0.queue == "writer" }.compactMap {
      $0.changes
    }
  }

  /// Deletes the document of an object below the contexts.
  func deleteDocument(_ id: DocumentID?) throws(HarnessError) {
    guard let id, let document = try store.document(operation.store, id) else { return }
    _ = try store.ask(operation.store, .delete(id: id, rev: document.rev))
  }

  /// The queue of the addressed context of a stack.
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

  /// Changes the operations on stacks.
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

  /// Changes the performed closures.
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

  /// Changes the options of new stacks; nil removes one.
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

  /// Changes the reports of a stack.
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

  /// Reports changes in contexts of stacks.
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

  /// Changes the results of steps of closures that a call waits for.
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
  /// True if it inserts one object, and does nothing else.
  var isInsertion: Bool {
    if case .insert? = steps.first { steps.count == 1 } else { false }
  }
}
