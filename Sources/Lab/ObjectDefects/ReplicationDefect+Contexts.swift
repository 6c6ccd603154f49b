internal import Datastore
public import Defects
internal import JSON
internal import ObjectOperations
internal import Simulation

// Mutants of the object and context layers, which campaigns with applications kill.

extension ReplicationDefect {
  /// In the order of their names; only `touchstone simulate --contexts` kills them.
  public static let ofContexts: [ReplicationDefect] = [
    inContexts(
      "conflicts-kept-to-itself", "A conflict after a pull is not reported."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .conflicts? = outcome.contexts else { return outcome }
      return .ok(.contexts(.conflicts([])))
    },
    inContexts(
      "kept-object-half-related",
      "An object restored after a deletion is not added to its to-many inverses."
    ) { call, _, perform throws(HarnessError) in
      guard case .processConflicts = call.action.call else { return try perform(call.operation) }
      let hadChanges = try call.inspect().hasChanges
      let outcome = try perform(call.operation)
      guard case .conflicts([])? = outcome.contexts, !hadChanges else { return outcome }
      _ = try call.ask(.rollback)
      return outcome
    },
    inContexts(
      "object-found-twice", "A fetch that finds several objects returns the first one twice."
    ) {
      call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      switch outcome.contexts {
      case .objects(let found)? where found.count > 1:
        return .ok(.contexts(.objects(found + found.prefix(1))))
      case .ids(let found)? where found.count > 1:
        return .ok(.contexts(.ids(found + found.prefix(1))))
      default: return outcome
      }
    },
    ReplicationDefect(
      "objects-shown-as-edited-here", "Objects are listed with local edits.",
      boundary: .applications { ShowingOwnEdits() }),
    inContexts("policy-taken-for-another", "The policy objectTrump acts as rollback.") {
      call, _, perform throws(HarnessError) in
      guard case .resolve(policy: "overwrite") = call.action.call else {
        return try perform(call.operation)
      }
      return try perform(call.with(.resolve(policy: "rollback")))
    },
    inContexts(
      "update-acknowledged-unsaved", "A save omits its last update without an error."
    ) {
      call, memory, perform throws(HarnessError) in
      guard case .save = call.action.call, memory.isRoot(call.name, call.context),
        let id = try call.inspect().changes.updated.last
      else { return try perform(call.operation) }
      _ = try call.ask(.refresh(id, merges: false))
      return try perform(call.operation)
    },
  ]

  private static func inContexts(
    _ name: String, _ sentence: String, body: @escaping ContextMisbehaviour.Body
  ) -> ReplicationDefect {
    ReplicationDefect(name, sentence, boundary: .applications { ContextMisbehaviour(body) })
  }
}

/// Lists objects with the values that were set locally, even if they were replaced.
private struct ShowingOwnEdits: Misbehaviour {
  private var edits: [DocumentID: JSONObject] = [:]

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    if case .change(let id, let values)? = operation.action.contexts?.call, case .ok = outcome {
      for member in values.objectValue?.members ?? [] {
        edits[id, default: [:]][member.name] = member.value
      }
    } else if case .list? = operation.action.objects, case .objects(let found)? = outcome.objects {
      return .ok(.objects(.objects(found.map { shown($0) })))
    }
    return outcome
  }

  private func shown(_ object: JSONValue) -> JSONValue {
    guard var members = object.objectValue, let id = members["id"]?.textValue,
      let own = edits[DocumentID(id)], var values = members["values"]?.objectValue
    else { return object }
    for member in own.members { values[member.name] = member.value }
    members["values"] = .object(values)
    return .object(members)
  }
}
