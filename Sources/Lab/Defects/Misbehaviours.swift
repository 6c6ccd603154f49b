package import Datastore
package import JSON

// The kinds of mutants. A mutant is one of these with a closure.

/// Performs the operation correctly and then changes a successful result.
private struct Answering: Misbehaviour {
  let rewrite: @Sendable (StoreOperation, OperationResult, Honest) throws(HarnessError) -> Outcome

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    guard case .ok(let result) = outcome else { return outcome }
    return try rewrite(operation, result, store)
  }
}

/// Performs the operation correctly and then replaces an error by another result.
private struct Excusing: Misbehaviour {
  let excuse:
    @Sendable (StoreOperation, DatastoreError.Kind, Honest) throws(HarnessError) -> Outcome?

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    guard case .error(let error) = outcome else { return outcome }
    return try excuse(operation, error.kind, store) ?? outcome
  }
}

/// Performs another operation than the requested one.
private struct Mishearing: Misbehaviour {
  let rewrite: @Sendable (StoreOperation, Honest) throws(HarnessError) -> StoreOperation

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    try store.perform(try rewrite(operation, store), environment)
  }
}

/// Refuses an operation that a correct store performs.
private struct Refusing: Misbehaviour {
  let refusal: @Sendable (StoreOperation, Honest) throws(HarnessError) -> DatastoreError.Kind?

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    if let kind = try refusal(operation, store) { return .error(DatastoreError(kind)) }
    return try store.perform(operation, environment)
  }
}

/// Performs the operation correctly and then makes another change to the store.
private struct Meddling: Misbehaviour {
  let actions:
    @Sendable (StoreOperation, OperationResult, Honest) throws(HarnessError) -> [StoreAction]

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    guard case .ok(let result) = outcome else { return outcome }
    for action in try actions(operation, result, store) {
      _ = try store.ask(operation.store, action)
    }
    return outcome
  }
}

/// Stores the records of a call one by one, and acknowledges some that it does not store.
private struct Dropping: Misbehaviour {
  let drops: @Sendable (RevisionRecord, StoreName, Honest) throws(HarnessError) -> Bool

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    guard case .insertRevisions(let records) = operation.action else {
      return try store.perform(operation, environment)
    }
    var results: [DatastoreError?] = []
    for record in records {
      guard try !drops(record, operation.store, store) else {
        results.append(nil)
        continue
      }
      let one = StoreOperation(operation.store, .insertRevisions([record]))
      let outcome = try store.perform(one, environment)
      guard case .ok(.inserted(let inserted)) = outcome else { return outcome }
      results += inserted
    }
    return .ok(.inserted(results))
  }
}

/// The state of a mutant between operations.
package struct Memory {
  /// Marked stores, documents or revisions: the name, then the id, then the revision.
  package var marks: Set<[JSONString]> = []
  /// The paths of revisions as they arrived.
  var paths: [[JSONString]: [RevisionID]] = [:]
  /// Counters of stores and revisions.
  package var counts: [[JSONString]: Int64] = [:]
  /// Earlier results.
  package var answers: [StoreOperation: Outcome] = [:]
}

/// Performs the operation correctly, and changes it or its result depending on earlier ones.
private struct Remembering: Misbehaviour {
  let hear: @Sendable (StoreOperation, Honest, inout Memory) throws(HarnessError) -> StoreOperation
  let answer:
    @Sendable (StoreOperation, Outcome, Honest, inout Memory) throws(HarnessError) -> Outcome
  private var memory = Memory()

  init(
    hear:
      @escaping @Sendable (StoreOperation, Honest, inout Memory) throws(HarnessError) ->
      StoreOperation,
    answer:
      @escaping @Sendable (StoreOperation, Outcome, Honest, inout Memory) throws(HarnessError)
      -> Outcome
  ) {
    self.hear = hear
    self.answer = answer
  }

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let heard = try hear(operation, store, &memory)
    let outcome = try store.perform(heard, environment)
    return try answer(operation, outcome, store, &memory)
  }
}

extension Defect {
  package static func answering(
    _ name: String, _ clause: String, sentence: String,
    rewrite:
      @escaping @Sendable (StoreOperation, OperationResult, Honest) throws(HarnessError) -> Outcome
  ) -> Defect {
    Defect(name, clause, sentence: sentence) { Answering(rewrite: rewrite) }
  }

  package static func excusing(
    _ name: String, _ clause: String, sentence: String,
    excuse:
      @escaping @Sendable (StoreOperation, DatastoreError.Kind, Honest) throws(HarnessError) ->
      Outcome?
  ) -> Defect {
    Defect(name, clause, sentence: sentence) { Excusing(excuse: excuse) }
  }

  package static func mishearing(
    _ name: String, _ clause: String, sentence: String,
    rewrite: @escaping @Sendable (StoreOperation, Honest) throws(HarnessError) -> StoreOperation
  ) -> Defect {
    Defect(name, clause, sentence: sentence) { Mishearing(rewrite: rewrite) }
  }

  package static func refusing(
    _ name: String, _ clause: String, sentence: String,
    refusal:
      @escaping @Sendable (StoreOperation, Honest) throws(HarnessError) -> DatastoreError.Kind?
  ) -> Defect {
    Defect(name, clause, sentence: sentence) { Refusing(refusal: refusal) }
  }

  package static func meddling(
    _ name: String, _ clause: String, sentence: String,
    actions:
      @escaping @Sendable (StoreOperation, OperationResult, Honest) throws(HarnessError) ->
      [StoreAction]
  ) -> Defect {
    Defect(name, clause, sentence: sentence) { Meddling(actions: actions) }
  }

  static func dropping(
    _ name: String, _ clause: String, sentence: String,
    drops: @escaping @Sendable (RevisionRecord, StoreName, Honest) throws(HarnessError) -> Bool
  ) -> Defect {
    Defect(name, clause, sentence: sentence) { Dropping(drops: drops) }
  }

  package static func remembering(
    _ name: String, _ clause: String, sentence: String,
    hear:
      @escaping @Sendable (StoreOperation, Honest, inout Memory) throws(HarnessError) ->
      StoreOperation = {
        operation, _, _ in operation
      },
    answer:
      @escaping @Sendable (StoreOperation, Outcome, Honest, inout Memory) throws(HarnessError)
      -> Outcome = { _, outcome, _, _ in outcome }
  ) -> Defect {
    Defect(name, clause, sentence: sentence) { Remembering(hear: hear, answer: answer) }
  }

  /// Changes every returned body.
  static func bodies(
    _ name: String, _ clause: String, sentence: String,
    rewrite: @escaping @Sendable (JSONValue) -> JSONValue
  ) -> Defect {
    answering(name, clause, sentence: sentence) { _, result, _ in
      switch result {
      case .document(var document):
        document.body = rewrite(document.body)
        return .ok(.document(document))
      case .local(let body): return .ok(.local(body: rewrite(body)))
      case .revisions(let answers):
        return .ok(.revisions(answers.map { $0.mapRecords { $0.body = rewrite($0.body) } }))
      default: return .ok(result)
      }
    }
  }
}
