internal import Datastore
internal import JSON

/// The checks of the store.
extension Doctor {
  /// Performs an operation that must succeed.
  @discardableResult
  func demand(
    _ adapter: AdapterImplementation, _ store: StoreName, action: StoreAction, advice: String
  ) throws -> OperationResult {
    let environment = RunEnvironment(seed: 1)
    let operation = StoreOperation(store, action)
    let outcome = try adapter.perform(operation, environment)
    guard case .ok(let result) = outcome else {
      throw Complaint("unexpected response to \(operation): \(outcome)", advice)
    }
    return result
  }

  /// Performs an operation and returns its outcome.
  func ask(
    _ adapter: AdapterImplementation, _ store: StoreName, action: StoreAction
  ) throws -> Outcome {
    let environment = RunEnvironment(seed: 1)
    return try adapter.perform(StoreOperation(store, action), environment)
  }

  func keepDocument(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice = "Implement open, create and read first: read must return the created document."
    try demand(adapter, "a", action: .open(), advice: advice)
    let created = try demand(adapter, "a", action: .create(id: "d", body: ["n": 1]), advice: advice)
    guard case .written(let id, let rev) = created, id == "d" else {
      throw Complaint("unexpected response to create of d: \(created.json.serialized())", advice)
    }
    let read = try demand(adapter, "a", action: .read(id: "d"), advice: advice)
    guard read == .document(DocumentRevision(id: "d", rev: rev, body: ["n": 1])) else {
      throw Complaint(
        "d was created as \(rev) with {\"n\":1}, and read returned \(read.json.serialized())",
        advice)
    }
    return .pass("created and read \(rev)")
  }

  func forget(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice =
      "reset must remove every store with its documents and its local documents; "
      + "the runner sends one before each vector."
    try demand(adapter, "a", action: .open(), advice: advice)
    try demand(adapter, "a", action: .create(id: "d", body: [:]), advice: advice)
    try demand(adapter, "a", action: .writeLocal(id: "l", body: ["n": 1]), advice: advice)
    try adapter.reset()
    let closed = try ask(adapter, "a", action: .read(id: "d"))
    guard case .error(let error) = closed, error.kind == .noSuchStore else {
      throw Complaint(
        "after reset and without open, read returned \(closed); expected noSuchStore",
        advice)
    }
    try demand(adapter, "a", action: .open(), advice: advice)
    for action in [StoreAction.read(id: "d"), .readLocal(id: "l")] {
      let outcome = try ask(adapter, "a", action: action)
      guard case .error(let error) = outcome, error.kind == .notFound(.missing) else {
        throw Complaint("after reset, \(action.name) returned \(outcome)", advice)
      }
    }
    return .pass("all stores are empty")
  }

  func keepApart(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice = "Each store must have its own documents, sequences and local documents."
    try demand(adapter, "a", action: .open(), advice: advice)
    try demand(adapter, "b", action: .open(), advice: advice)
    try demand(adapter, "a", action: .create(id: "d", body: [:]), advice: advice)
    let outcome = try ask(adapter, "b", action: .read(id: "d"))
    guard case .error(let error) = outcome, error.kind == .notFound(.missing) else {
      throw Complaint("a document of store a exists in store b: \(outcome)", advice)
    }
    try demand(adapter, "b", action: .destroy, advice: advice)
    try demand(adapter, "a", action: .read(id: "d"), advice: advice)
    return .pass("two stores, a document in one of them")
  }

  func openWithDefaults(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let description = adapter.description
    let defaults = description.defaults
    let said =
      "revisionIDs \(defaults.revisionIDs.rawValue), collation \(defaults.collation.rawValue)"
    guard defaults != .init() else { return .pass("\(said) (no other defaults declared)") }
    if let fault = description.defaultFaults.first {
      throw Complaint(
        fault, "Declare the profile, or leave the defaults out of the response to hello.")
    }
    let advice = "open without arguments must mean the declared defaults."
    try demand(adapter, "a", action: .open(), advice: advice)
    try demand(
      adapter, "a", action: .open(revisionIDs: defaults.revisionIDs, collation: defaults.collation),
      advice: advice)
    return .pass("\(said)")
  }

  func answerUnknown(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice =
      "Answer an unknown operation with {\"error\":{\"kind\":\"unsupported\",\"what\":NAME}}. Answer a "
      + "closed store, an invalid id and a body that is not an object with an error."
    try demand(adapter, "a", action: .open(), advice: advice)
    func answer(_ question: JSONValue) throws -> DatastoreError {
      let reply = try adapter.raw(question)
      guard let json = reply["error"], let error = try? DatastoreError(json, path: "error") else {
        throw Complaint(
          "unexpected response to \(question.serialized()): \(JSONValue.object(reply).serialized())",
          advice)
      }
      return error
    }
    // Every argument is present and has its type, because the runner never omits one.
    _ = try answer(["op": "read", "store": "b", "id": "d"])
    _ = try answer(["op": "read", "store": "a", "id": ""])
    _ = try answer(["op": "create", "store": "a", "id": "d", "body": []])
    let unknown = try answer(["op": "frobnicate", "store": "a"])
    guard unknown.kind == .unsupported(what: "frobnicate") else {
      throw Complaint("unexpected response to an unknown operation: \(unknown)", advice)
    }
    return .pass("each gets an error")
  }

  func carry(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice =
      "Lines are UTF-8 and end at LF only. Read and write bytes: text functions of many "
      + "libraries split lines at other characters, or replace characters."
    try demand(adapter, "a", action: .open(), advice: advice)
    let texts: [(String, JSONString)] = [
      ("beyond the first plane", "𝄞😀"),
      ("U+2028, a line separator in some languages", "a\u{2028}b\u{85}c"),
      ("a letter with a combining accent", "e\u{301}"), ("control characters", "\u{1}\t\n\u{7F}"),
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
      else {
        throw Complaint(
          "the text that was read differs from the text that was written: \(name)", advice)
      }
    }
    let size = 999_000
    let large = JSONValue.object(["t": .text(String(repeating: "x", count: size))])
    try demand(adapter, "a", action: .create(id: "large", body: large), advice: advice)
    guard
      case .document(let document) = try demand(
        adapter, "a", action: .read(id: "large"), advice: advice),
      document.body == large
    else { throw Complaint("a body of 1 MB was read differently from how it was written", advice) }
    return .pass("\(texts.count) kinds of text, and 1 MB")
  }
}
