package import Datastore
package import JSON

// The shapes that mistakes come in. A mistake is one of these with the closure that makes it.

/// Performs honestly and then changes a successful answer.
private struct Answering: Misbehaviour {
  let rewrite: @Sendable (Operation, OperationResult, Honest) throws(HarnessError) -> Outcome

  func perform(
    _ operation: Operation, _ environment: inout Environment, _ store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, &environment)
    guard case .ok(let result) = outcome else { return outcome }
    return try rewrite(operation, result, store)
  }
}

/// Performs honestly and then gives another answer in the place of a refusal.
private struct Excusing: Misbehaviour {
  let excuse: @Sendable (Operation, DatastoreError.Kind, Honest) throws(HarnessError) -> Outcome?

  func perform(
    _ operation: Operation, _ environment: inout Environment, _ store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, &environment)
    guard case .error(let error) = outcome else { return outcome }
    return try excuse(operation, error.kind, store) ?? outcome
  }
}

/// Performs another operation than the one that was asked for.
private struct Mishearing: Misbehaviour {
  let rewrite: @Sendable (Operation, Honest) throws(HarnessError) -> Operation

  func perform(
    _ operation: Operation, _ environment: inout Environment, _ store: Honest
  ) throws(HarnessError) -> Outcome {
    try store.perform(try rewrite(operation, store), &environment)
  }
}

/// Refuses what an honest store would do.
private struct Refusing: Misbehaviour {
  let refusal: @Sendable (Operation, Honest) throws(HarnessError) -> DatastoreError.Kind?

  func perform(
    _ operation: Operation, _ environment: inout Environment, _ store: Honest
  ) throws(HarnessError) -> Outcome {
    if let kind = try refusal(operation, store) { return .error(DatastoreError(kind)) }
    return try store.perform(operation, &environment)
  }
}

/// Performs honestly and then does something else to the store, too.
private struct Meddling: Misbehaviour {
  let actions: @Sendable (Operation, OperationResult, Honest) throws(HarnessError) -> [Action]

  func perform(
    _ operation: Operation, _ environment: inout Environment, _ store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, &environment)
    guard case .ok(let result) = outcome else { return outcome }
    for action in try actions(operation, result, store) {
      _ = try store.ask(operation.store, action)
    }
    return outcome
  }
}

/// Takes the records of a call one by one, and acknowledges some that it does not keep.
private struct Dropping: Misbehaviour {
  let drops: @Sendable (RevisionRecord, StoreName, Honest) throws(HarnessError) -> Bool

  func perform(
    _ operation: Operation, _ environment: inout Environment, _ store: Honest
  ) throws(HarnessError) -> Outcome {
    guard case .insertRevisions(let records) = operation.action else {
      return try store.perform(operation, &environment)
    }
    var results: [DatastoreError?] = []
    for record in records {
      guard try !drops(record, operation.store, store) else {
        results.append(nil)
        continue
      }
      let one = Operation(operation.store, .insertRevisions([record]))
      let outcome = try store.perform(one, &environment)
      guard case .ok(.inserted(let inserted)) = outcome else { return outcome }
      results += inserted
    }
    return .ok(.inserted(results))
  }
}

/// What a mistake keeps in mind from one operation to the next.
package struct Memory {
  /// Stores, documents or revisions of note: the name, then the id, then the revision.
  package var marks: Set<[Text]> = []
  /// The paths of revisions as they came.
  var paths: [[Text]: [RevisionID]] = [:]
  /// Numbers of stores and revisions.
  package var counts: [[Text]: Int64] = [:]
  /// What was answered before.
  package var answers: [Operation: Outcome] = [:]
}

/// Performs honestly, and changes what is asked or answered by what happened earlier.
private struct Remembering: Misbehaviour {
  let hear: @Sendable (Operation, Honest, inout Memory) throws(HarnessError) -> Operation
  let answer: @Sendable (Operation, Outcome, Honest, inout Memory) throws(HarnessError) -> Outcome
  private var memory = Memory()

  init(
    hear:
      @escaping @Sendable (Operation, Honest, inout Memory) throws(HarnessError) -> Operation,
    answer:
      @escaping @Sendable (Operation, Outcome, Honest, inout Memory) throws(HarnessError)
      -> Outcome
  ) {
    self.hear = hear
    self.answer = answer
  }

  mutating func perform(
    _ operation: Operation, _ environment: inout Environment, _ store: Honest
  ) throws(HarnessError) -> Outcome {
    let heard = try hear(operation, store, &memory)
    let outcome = try store.perform(heard, &environment)
    return try answer(operation, outcome, store, &memory)
  }
}

extension Defect {
  package static func answering(
    _ name: String, _ clause: String, _ sentence: String,
    _ rewrite:
      @escaping @Sendable (Operation, OperationResult, Honest) throws(HarnessError) -> Outcome
  ) -> Defect {
    Defect(name, clause, sentence) { Answering(rewrite: rewrite) }
  }

  package static func excusing(
    _ name: String, _ clause: String, _ sentence: String,
    _ excuse:
      @escaping @Sendable (Operation, DatastoreError.Kind, Honest) throws(HarnessError) -> Outcome?
  ) -> Defect {
    Defect(name, clause, sentence) { Excusing(excuse: excuse) }
  }

  package static func mishearing(
    _ name: String, _ clause: String, _ sentence: String,
    _ rewrite: @escaping @Sendable (Operation, Honest) throws(HarnessError) -> Operation
  ) -> Defect {
    Defect(name, clause, sentence) { Mishearing(rewrite: rewrite) }
  }

  package static func refusing(
    _ name: String, _ clause: String, _ sentence: String,
    _ refusal:
      @escaping @Sendable (Operation, Honest) throws(HarnessError) -> DatastoreError.Kind?
  ) -> Defect {
    Defect(name, clause, sentence) { Refusing(refusal: refusal) }
  }

  package static func meddling(
    _ name: String, _ clause: String, _ sentence: String,
    _ actions:
      @escaping @Sendable (Operation, OperationResult, Honest) throws(HarnessError) -> [Action]
  ) -> Defect {
    Defect(name, clause, sentence) { Meddling(actions: actions) }
  }

  static func dropping(
    _ name: String, _ clause: String, _ sentence: String,
    _ drops: @escaping @Sendable (RevisionRecord, StoreName, Honest) throws(HarnessError) -> Bool
  ) -> Defect {
    Defect(name, clause, sentence) { Dropping(drops: drops) }
  }

  package static func remembering(
    _ name: String, _ clause: String, _ sentence: String,
    hear:
      @escaping @Sendable (Operation, Honest, inout Memory) throws(HarnessError) -> Operation = {
        operation, _, _ in operation
      },
    answer:
      @escaping @Sendable (Operation, Outcome, Honest, inout Memory) throws(HarnessError)
      -> Outcome = { _, outcome, _, _ in outcome }
  ) -> Defect {
    Defect(name, clause, sentence) { Remembering(hear: hear, answer: answer) }
  }

  /// Changes every body that is answered.
  static func bodies(
    _ name: String, _ clause: String, _ sentence: String,
    _ rewrite: @escaping @Sendable (JSONValue) -> JSONValue
  ) -> Defect {
    answering(name, clause, sentence) { _, result, _ in
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
