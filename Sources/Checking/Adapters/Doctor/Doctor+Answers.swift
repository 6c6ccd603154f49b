internal import Datastore
internal import JSON

/// What the doctor asks of the store.
extension Doctor {
  /// Asks for what has to succeed.
  @discardableResult
  func demand(
    _ adapter: AdapterImplementation, _ store: StoreName, action: StoreAction, advice: String
  ) throws -> OperationResult {
    let environment = RunEnvironment(seed: 1)
    let operation = StoreOperation(store, action)
    let outcome = try adapter.perform(operation, environment)
    guard case .ok(let result) = outcome else {
      throw Complaint("\(operation) was answered with \(outcome)", advice)
    }
    return result
  }

  /// What comes of an operation.
  func ask(
    _ adapter: AdapterImplementation, _ store: StoreName, action: StoreAction
  ) throws -> Outcome {
    let environment = RunEnvironment(seed: 1)
    return try adapter.perform(StoreOperation(store, action), environment)
  }

  func keepDocument(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice = "Begin with open, create and read: what is created is read back."
    try demand(adapter, "a", action: .open(), advice: advice)
    let created = try demand(adapter, "a", action: .create(id: "d", body: ["n": 1]), advice: advice)
    guard case .written(let id, let rev) = created, id == "d" else {
      throw Complaint("create of d was answered with \(created.json.serialized())", advice)
    }
    let read = try demand(adapter, "a", action: .read(id: "d"), advice: advice)
    guard read == .document(DocumentRevision(id: "d", rev: rev, body: ["n": 1])) else {
      throw Complaint(
        "d was created as \(rev) with {\"n\":1} and is read as \(read.json.serialized())", advice)
    }
    return .well("created and read \(rev)")
  }

  func forget(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice =
      "reset makes every store disappear, with its documents and its local documents; "
      + "before each vector there is one."
    try demand(adapter, "a", action: .open(), advice: advice)
    try demand(adapter, "a", action: .create(id: "d", body: [:]), advice: advice)
    try demand(adapter, "a", action: .writeLocal(id: "l", body: ["n": 1]), advice: advice)
    try adapter.reset()
    let closed = try ask(adapter, "a", action: .read(id: "d"))
    guard case .error(let error) = closed, error.kind == .noSuchStore else {
      throw Complaint(
        "after reset and without open, read was answered with \(closed) and not with noSuchStore",
        advice)
    }
    try demand(adapter, "a", action: .open(), advice: advice)
    for action in [StoreAction.read(id: "d"), .readLocal(id: "l")] {
      let outcome = try ask(adapter, "a", action: action)
      guard case .error(let error) = outcome, error.kind == .notFound(.missing) else {
        throw Complaint("after reset, \(action.name) was answered with \(outcome)", advice)
      }
    }
    return .well("nothing is left")
  }

  func keepApart(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice = "Each store has documents, sequences and local documents of its own."
    try demand(adapter, "a", action: .open(), advice: advice)
    try demand(adapter, "b", action: .open(), advice: advice)
    try demand(adapter, "a", action: .create(id: "d", body: [:]), advice: advice)
    let outcome = try ask(adapter, "b", action: .read(id: "d"))
    guard case .error(let error) = outcome, error.kind == .notFound(.missing) else {
      throw Complaint("what was created in store a is, in store b, not missing: \(outcome)", advice)
    }
    try demand(adapter, "b", action: .destroy, advice: advice)
    try demand(adapter, "a", action: .read(id: "d"), advice: advice)
    return .well("two stores, one document in one of them")
  }

  func openWithDefaults(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let description = adapter.description
    let defaults = description.defaults
    let said =
      "revisionIDs \(defaults.revisionIDs.rawValue), collation \(defaults.collation.rawValue)"
    guard defaults != .init() else { return .well("\(said): none declared") }
    if let fault = description.defaultFaults.first {
      throw Complaint(
        fault, "Declare the profile, or leave the defaults out of the answer to hello.")
    }
    let advice = "open without arguments must mean the declared defaults."
    try demand(adapter, "a", action: .open(), advice: advice)
    try demand(
      adapter, "a", action: .open(revisionIDs: defaults.revisionIDs, collation: defaults.collation),
      advice: advice)
    return .well("\(said)")
  }

  func answerUnknown(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice =
      "An operation with an unknown name is {\"error\":{\"kind\":\"unsupported\",\"what\":NAME}}; a "
      + "store that is not open, an id that is not valid and a body that is not an object are errors."
    try demand(adapter, "a", action: .open(), advice: advice)
    func answer(_ question: JSONValue) throws -> DatastoreError {
      let reply = try adapter.raw(question)
      guard let json = reply["error"], let error = try? DatastoreError(json, path: "error") else {
        throw Complaint(
          "\(question.serialized()) was answered with \(JSONValue.object(reply).serialized())",
          advice)
      }
      return error
    }
    // Every argument is there and has its type: the runner omits none.
    _ = try answer(["op": "read", "store": "b", "id": "d"])
    _ = try answer(["op": "read", "store": "a", "id": ""])
    _ = try answer(["op": "create", "store": "a", "id": "d", "body": []])
    let unknown = try answer(["op": "frobnicate", "store": "a"])
    guard unknown.kind == .unsupported(what: "frobnicate") else {
      throw Complaint("an unknown operation was answered with \(unknown)", advice)
    }
    return .well("each with an error")
  }

  func carry(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice =
      "Lines are UTF-8 and end at LF only. Read and write bytes, not the lines or the text of "
      + "a library that knows other ends of lines, or that replaces what it does not like."
    try demand(adapter, "a", action: .open(), advice: advice)
    let texts: [(String, JSONString)] = [
      ("beyond the first plane", "𝄞😀"),
      ("U+2028, an end of lines in some languages", "a\u{2028}b\u{85}c"),
      ("a letter and an accent of its own", "e\u{301}"), ("control characters", "\u{1}\t\n\u{7F}"),
      ("NUL", "a\u{0}b"),
    ]
    for (place, (name, text)) in texts.enumerated() {
      let (id, body): (DocumentID, JSONValue) = (
        DocumentID(JSONString("t\(place)")), ["t": .string(text)]
      )
      try demand(adapter, "a", action: .create(id: id, body: body), advice: advice)
      guard
        case .document(let document) = try demand(
          adapter, "a", action: .read(id: id), advice: advice),
        document.body == body
      else { throw Complaint("text did not come back as it was: \(name)", advice) }
    }
    let size = 999_000
    let large = JSONValue.object(["t": .text(String(repeating: "x", count: size))])
    try demand(adapter, "a", action: .create(id: "large", body: large), advice: advice)
    guard
      case .document(let document) = try demand(
        adapter, "a", action: .read(id: "large"), advice: advice),
      document.body == large
    else { throw Complaint("a body of a megabyte did not come back as it was", advice) }
    return .well("\(texts.count) kinds of text, and a megabyte")
  }
}
