internal import Datastore
internal import JSON

// Mutants in refusals of queries, and in indexes.

extension Defect {
  static let findingRefusals: [Defect] = [
    excusing(
      "bad-operands-find-nothing", "FIND-026",
      sentence: "A selector with an invalid operand returns an empty result."
    ) {
      operation, kind, _ in
      guard case .badSelector(let name, _) = kind, name != "$regex", operation.search != nil else {
        return nil
      }
      return .ok(.found(.documents([])))
    },
    excusing(
      "explains-nonsense", "FIND-026", sentence: "explain accepts invalid selectors."
    ) {
      operation, kind, _ in
      guard case .finding(.explain) = operation.action, case .badSelector = kind else { return nil }
      return .ok(.found(.explanation(index: nil, plan: nil)))
    },
    excusing(
      "bad-expressions-find-nothing", "FIND-020",
      sentence: "An invalid regular expression matches nothing."
    ) { operation, kind, _ in
      guard case .badSelector(let name, _) = kind, name == "$regex", operation.search != nil else {
        return nil
      }
      return .ok(.found(.documents([])))
    },
    excusing("unknown-operators-left-out", "FIND-027", sentence: "Unknown operators are ignored.") {
      operation, kind, store throws(HarnessError) in
      guard var request = operation.search, case .unsupported(let name) = kind else { return nil }
      request.selector = request.selector.without(JSONString(name))
      return try store.ask(operation.store, .finding(.find(request)))
    },
    searching("negative-is-none", "FIND-028", sentence: "A negative skip or limit is ignored.") {
      if let skip = $0.skip, skip < 0 { $0.skip = nil }
      if let limit = $0.limit, limit < 0 { $0.limit = nil }
    },
  ]

  static let findingIndexes: [Defect] = [
    finding(
      "sorting-hides", "FIND-003",
      sentence: "An index used for sorting hides documents without the field."
    ) {
      found, request, name, store throws(HarnessError) in
      guard let key = request.sort.first,
        try store.indexes(name).contains(where: { $0.fields.first == key.path })
      else { return found }
      return found.filter { $0.body.member(key.path) != nil }
    },
    finding(
      "two-arrays-not-indexed", "FIND-003",
      sentence: "An index omits documents with two arrays among its fields."
    ) { found, request, name, store throws(HarnessError) in
      let indexes = try store.indexes(name).filter { $0.type == .json && $0.fields.count > 1 }
      guard request.selector != [:] else { return found }
      return found.filter { document in
        !indexes.contains { index in
          index.fields.count { document.body.member($0)?.arrayValue != nil } > 1
        }
      }
    },
    excusing(
      "indexes-replaced", "FIND-029",
      sentence: "A different index of the same name replaces the existing one."
    ) {
      operation, kind, store throws(HarnessError) in
      guard case .finding(.createIndex(let definition)) = operation.action,
        kind == .badRequest(path: "name"), definition.name != ""
      else { return nil }
      _ = try store.ask(operation.store, .finding(.dropIndex(name: definition.name)))
      return try store.ask(operation.store, operation.action)
    },
    answering(
      "indexes-always-new", "FIND-029",
      sentence: "Creating an existing index again reports a new one."
    ) {
      operation, result, _ in
      guard case .finding(.createIndex) = operation.action else { return .ok(result) }
      return .ok(.found(.created(true)))
    },
    excusing(
      "nothing-dropped", "FIND-030", sentence: "Dropping an index that does not exist is ok."
    ) {
      operation, kind, _ in
      guard case .finding(.dropIndex) = operation.action, kind == .notFound(.missing) else {
        return nil
      }
      return .ok(.done)
    },
    mishearing("indexes-stay", "FIND-030", sentence: "A dropped index is still listed.") {
      operation, _ in
      guard case .finding(.dropIndex) = operation.action else { return operation }
      return StoreOperation(operation.store, .finding(.listIndexes))
    },
    answering("indexes-in-no-order", "FIND-031", sentence: "Indexes are listed in another order.") {
      _, result, _ in
      guard case .found(.indexes(let indexes)) = result else { return .ok(result) }
      return .ok(.found(.indexes(indexes.reversed())))
    },
    meddling("indexes-forgotten", "FIND-031", sentence: "Opening a store removes its indexes.") {
      operation, _, store throws(HarnessError) in
      guard case .open = operation.action else { return [] }
      return try store.indexes(operation.store).map { .finding(.dropIndex(name: $0.name)) }
    },
    remembering(
      "indexes-are-stale", "FIND-032",
      sentence: "A query over an index returns an outdated result.",
      answer: { operation, outcome, store, memory throws(HarnessError) in
        guard operation.search != nil, try !store.indexes(operation.store).isEmpty else {
          return outcome
        }
        if let before = memory.answers[operation] { return before }
        memory.answers[operation] = outcome
        return outcome
      }),
    remembering(
      "indexes-begin-empty", "FIND-032",
      sentence: "A new index lacks the documents that existed before it.",
      answer: { operation, outcome, store, memory throws(HarnessError) in
        switch (operation.action, outcome) {
        case (.finding(.createIndex), .ok):
          guard case .ok(.list(let rows)) = try store.ask(operation.store, .list()) else { break }
          for row in rows { memory.marks.insert(operation.key(row.id.text, row.rev.text)) }
        case (.finding(.find(let request)), .ok(let result)) where request.selector != [:]:
          guard let found = result.found else { break }
          let marks = memory.marks
          return .ok(
            .found(
              .documents(
                found.filter { !marks.contains(operation.key($0.id.text, $0.rev.text)) })))
        default: break
        }
        return outcome
      }),
    answering(
      "explains-by-nothing", "FIND-033", sentence: "explain names an index that does not exist."
    ) {
      _, result, _ in
      guard case .found(.explanation(nil, let plan)) = result else { return .ok(result) }
      return .ok(.found(.explanation(index: "all", plan: plan)))
    },
  ]
}

extension JSONValue {
  /// The value without the members of a name, at any depth.
  fileprivate func without(_ name: JSONString) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.without(name) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.filter { $0.name != name }.map { ($0.name, $0.value.without(name)) }))
    default: self
    }
  }
}
