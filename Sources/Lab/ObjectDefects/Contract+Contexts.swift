internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Helpers that take operations on contexts and their results apart.

/// The state of a mutant about contexts.
struct ContextMemory {
  /// A context as it was opened.
  struct Known {
    var parent: JSONString?
    var policy: JSONString?
  }

  private var contexts: [StoreName: [JSONString: Known]] = [:]
  /// The last reported conflicts of each context.
  var conflicts: [ObjectConflict] = []
  /// The last save of each context.
  var saved: [JSONString: SavedChanges] = [:]
  /// The last results of each observer, by context.
  private(set) var results: [JSONString: [JSONString: [DocumentID]]] = [:]
  /// Additional state of a mutant.
  var ids: Set<DocumentID> = []

  /// True if a context is on the store itself.
  func isRoot(_ store: StoreName, _ context: JSONString) -> Bool {
    contexts[store]?[context]?.parent == nil
  }

  func policy(_ store: StoreName, _ context: JSONString) -> JSONString {
    contexts[store]?[context]?.policy ?? "error"
  }

  mutating func note(_ operation: StoreOperation, _ outcome: Outcome) {
    guard case .ok(let result) = outcome else { return }
    switch operation.action {
    case .open, .close, .destroy: contexts[operation.store] = nil
    default:
      guard let action = operation.action.contexts else { return }
      switch (action.call, result.contexts) {
      case (.open(let parent, let policy, _), _):
        contexts[operation.store, default: [:]][action.context] = Known(
          parent: parent, policy: policy)
      case (.save, .saved(let changes, _)?): saved[action.context] = changes
      case (.processConflicts, .conflicts(let found)?): conflicts = found
      case (.observeFetch(let observer, _), .ids(let ids)?),
        (.updateFetch(let observer), .changes(_, let ids)?):
        results[action.context, default: [:]][observer] = ids
      default: break
      }
    }
  }
}

/// Wraps each call of a context.
struct ContextMisbehaviour: Misbehaviour {
  /// Gets a call and the correct implementation, and returns the result for the client.
  typealias Body =
    @Sendable (
      ContextCall, inout ContextMemory, (StoreOperation) throws(HarnessError) -> Outcome
    ) throws(HarnessError) -> Outcome

  let body: Body
  private var memory = ContextMemory()

  init(_ body: @escaping Body) { self.body = body }

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome: Outcome
    if let action = operation.action.contexts {
      let call = ContextCall(operation: operation, action: action, store: store)
      outcome = try body(call, &memory) { (operation) throws(HarnessError) in
        try store.perform(operation, environment)
      }
    } else {
      outcome = try store.perform(operation, environment)
    }
    memory.note(operation, outcome)
    return outcome
  }
}

/// A call of a context, with helpers to query it.
struct ContextCall {
  let operation: StoreOperation
  let action: ContextAction
  let store: Honest

  var name: StoreName { operation.store }
  var context: JSONString { action.context }

  /// The same context with another operation.
  func with(_ call: ContextAction.Call) -> StoreOperation {
    StoreOperation(name, .contexts(ContextAction(context, call)))
  }

  func ask(_ call: ContextAction.Call) throws(HarnessError) -> Outcome {
    try store.ask(name, with(call).action)
  }

  func inspect() throws(HarnessError) -> InspectedContext {
    guard case .inspectedContext(let context)? = try ask(.inspect).contexts else {
      return InspectedContext()
    }
    return context
  }

  func inspect(_ id: DocumentID) throws(HarnessError) -> InspectedObject? {
    guard case .inspectedObject(let object)? = try ask(.inspectObject(id)).contexts else {
      return nil
    }
    return object
  }

  /// The stored values of an object; nil if it does not exist.
  func stored(_ id: DocumentID) throws(HarnessError) -> JSONObject? {
    guard
      case .object(let json, _, _)? = try store.ask(name, .objects(.load(.id(id)))).objects
    else { return nil }
    return json.objectValue?["values"]?.objectValue
  }

  /// Deletes the document of an object below the contexts.
  func deleteDocument(_ id: DocumentID) throws(HarnessError) {
    guard let document = try store.document(name, id) else { return }
    _ = try store.ask(name, .delete(id: id, rev: document.rev))
  }

  /// Writes an object below the contexts.
  func insertDocument(_ id: DocumentID, _ object: InspectedObject) throws(HarnessError) {
    let values = (object.values?.objectValue ?? [:]).members.filter { member in
      if case .array = member.value { false } else { true }
    }
    let json: JSONValue = [
      "id": id.json, "entity": .string(object.entity),
      "values": .object(JSONObject(values.map { ($0.name, $0.value) })),
    ]
    _ = try store.ask(name, .objects(.save(inserted: [json], updated: [], deleted: [])))
  }
}

extension Defect {
  static func inContexts(
    _ name: String, _ clause: String, sentence: String,
    body: @escaping ContextMisbehaviour.Body
  ) -> Defect {
    Defect(name, clause, sentence: sentence) { ContextMisbehaviour(body) }
  }

  /// Changes the calls of contexts.
  static func hearingContexts(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout ContextAction.Call) -> Void
  ) -> Defect {
    mishearing(name, clause, sentence: sentence) { operation, _ in
      guard var action = operation.action.contexts else { return operation }
      change(&action.call)
      return StoreOperation(operation.store, .contexts(action))
    }
  }

  /// Replaces one policy of new contexts by another.
  static func takingPolicy(
    _ name: String, _ clause: String, sentence: String, policy: JSONString,
    for other: JSONString
  ) -> Defect {
    hearingContexts(name, clause, sentence: sentence) { call in
      guard case .open(let parent, policy, let options) = call else { return }
      call = .open(parent: parent, policy: other, options: options)
    }
  }

  /// Opens contexts with an additional option.
  static func takingOption(
    _ name: String, _ clause: String, sentence: String, option: JSONString, value: JSONValue
  ) -> Defect {
    hearingContexts(name, clause, sentence: sentence) { call in
      guard case .open(let parent, let policy, let options) = call else { return }
      var members = options?.objectValue ?? [:]
      members[option] = value
      call = .open(parent: parent, policy: policy, options: .object(members))
    }
  }

  /// Replaces one delete rule of models by another.
  static func takingRule(
    _ name: String, _ clause: String, sentence: String, rule: JSONString, for other: JSONString
  ) -> Defect {
    hearing(name, clause, sentence: sentence) { action in
      guard case .open(let model, let migrates, let form) = action else { return action }
      return .open(
        model: model.replacing("delete", rule, new: other), migrates: migrates, form: form)
    }
  }
}

extension JSONValue {
  /// The value with a text under a name replaced, at any depth.
  func replacing(_ name: JSONString, _ old: JSONString, new: JSONString) -> JSONValue {
    guard case .object(let object) = self else { return self }
    return .object(
      JSONObject(
        object.members.map { member in
          member.name == name && member.value == .string(old)
            ? (member.name, .string(new))
            : (member.name, member.value.replacing(name, old, new: new))
        }))
  }
}
