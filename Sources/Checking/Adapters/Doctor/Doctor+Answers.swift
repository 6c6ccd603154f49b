internal import Datastore
internal import JSON

/// The checks of the store.
extension Doctor {
  /// Performs an operation that must succeed.
  ///
  /// - Parameter isRequired: whether the first adapter must already have it; others may answer with
  ///   `unsupported`, and the check is skipped.
  @discardableResult
  func demand(
    _ adapter: AdapterImplementation, _ store: StoreName, action: StoreAction,
    isRequired: Bool = false, advice: String
  ) throws -> OperationResult {
    let operation = StoreOperation(store, action)
    let outcome = try ask(adapter, store, action: action)
    switch outcome {
    case .ok(let result): return result
    case .error(let error) where !isRequired && error.kind == .unsupported(what: action.name):
      throw NotYet(operation: action.name)
    default:
      throw Complaint(
        "unexpected response: \(outcome.json.serialized())", operation.json, advice: advice)
    }
  }

  /// Performs an operation and returns its outcome.
  func ask(
    _ adapter: AdapterImplementation, _ store: StoreName, action: StoreAction
  ) throws -> Outcome {
    let operation = StoreOperation(store, action)
    let outcome = try adapter.perform(operation, RunEnvironment(seed: 1))
    transcript.record(operation, outcome)
    return outcome
  }

  /// Resets the adapter.
  func reset(_ adapter: AdapterImplementation) throws {
    try adapter.reset()
    transcript.begin()
  }

  func keepDocument(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice = "Implement open, create and read first: read must return the created document."
    func demand(_ action: StoreAction) throws -> OperationResult {
      try self.demand(adapter, "a", action: action, isRequired: true, advice: advice)
    }
    _ = try demand(.open())
    let create = StoreAction.create(id: "d", body: ["n": 1])
    let created = try demand(create)
    guard case .written(let id, let rev) = created, id == "d" else {
      throw Complaint(
        "unexpected response: \(created.json.serialized())", StoreOperation("a", create).json,
        advice: advice)
    }
    let read = try demand(.read(id: "d"))
    guard read == .document(DocumentRevision(id: "d", rev: rev, body: ["n": 1])) else {
      throw Complaint(
        "d was created as \(rev) with {\"n\":1}, and read returned \(read.json.serialized())",
        StoreOperation("a", .read(id: "d")).json, advice: advice)
    }
    return .pass("created and read \(rev)")
  }

  func forget(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice =
      "reset must remove every store with its documents and its local documents; "
      + "the runner sends one before each vector."
    try demand(adapter, "a", action: .open(), advice: advice)
    try demand(adapter, "a", action: .create(id: "d", body: [:]), advice: advice)
    // Local documents come later in the tutorial than the first verdict.
    let local = try ask(adapter, "a", action: .writeLocal(id: "l", body: ["n": 1]))
    try reset(adapter)
    try requireClosed(adapter, "a", after: "reset", advice: advice)
    try demand(adapter, "a", action: .open(), advice: advice)
    try requireMissing(adapter, in: "a", .read(id: "d"), after: "reset", advice: advice)
    if case .ok = local {
      try requireMissing(adapter, in: "a", .readLocal(id: "l"), after: "reset", advice: advice)
    }
    return .pass("all stores are empty")
  }

  /// Requires that a store without `open` is not usable.
  func requireClosed(
    _ adapter: AdapterImplementation, _ store: StoreName, after event: String, advice: String
  ) throws {
    let outcome = try ask(adapter, store, action: .read(id: "d"))
    guard case .error(let error) = outcome, error.kind == .noSuchStore else {
      throw Complaint(
        "after \(event) and without open, the response is \(outcome.json.serialized()); expected "
          + "noSuchStore", StoreOperation(store, .read(id: "d")).json, advice: advice)
    }
  }

  /// Requires that a document does not exist.
  private func requireMissing(
    _ adapter: AdapterImplementation, in store: StoreName, _ action: StoreAction,
    after event: String, advice: String
  ) throws {
    let outcome = try ask(adapter, store, action: action)
    guard case .error(let error) = outcome, error.kind == .notFound(.missing) else {
      throw Complaint(
        "after \(event), the response is \(outcome.json.serialized()); expected notFound",
        StoreOperation(store, action).json, advice: advice)
    }
  }

  func keepApart(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice = "Each store must have its own documents, sequences and local documents."
    try demand(adapter, "a", action: .open(), advice: advice)
    try demand(adapter, "b", action: .open(), advice: advice)
    try demand(adapter, "a", action: .create(id: "d", body: [:]), advice: advice)
    try requireMissing(
      adapter, in: "b", .read(id: "d"), after: "creation of d in store a", advice: advice)
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
        fault,
        advice: "Declare the profile, or leave the defaults out of the response to hello.")
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
      "Answer an unknown operation with {\"error\":{\"kind\":\"unsupported\",\"what\":NAME}}, and every "
      + "other request that the store cannot perform with an error."
    try demand(adapter, "a", action: .open(), advice: advice)
    func answer(_ question: JSONValue, mayPass: Bool = false) throws -> DatastoreError? {
      let reply = try adapter.raw(question)
      let members = reply.members.filter { $0.name == "ok" || $0.name == "error" }
      let answer = JSONValue.object(JSONObject(members.map { ($0.name, $0.value) }))
      if let operation = try? StoreOperation(question),
        let outcome = try? Outcome(answer, of: operation.action)
      {
        transcript.record(operation, outcome)
      }
      if mayPass, reply["ok"] != nil { return nil }
      guard let json = reply["error"], let error = try? DatastoreError(json, path: "error") else {
        throw Complaint(
          "unexpected response: \(JSONValue.object(reply).serialized())", question, advice: advice)
      }
      return error
    }
    // Every argument is present and has its type, because the runner never omits one.
    _ = try answer(["op": "read", "store": "b", "id": "d"])
    _ = try answer(["op": "read", "store": "a", "id": ""])
    // A first store accepts any body; vectors require more.
    _ = try answer(["op": "create", "store": "a", "id": "d", "body": []], mayPass: true)
    let unknown: JSONValue = ["op": "frobnicate", "store": "a"]
    let error = try answer(unknown)
    guard error?.kind == .unsupported(what: "frobnicate") else {
      throw Complaint(
        "expected unsupported, found \(error.map { "\($0)" } ?? "ok")", unknown, advice: advice)
    }
    return .pass("each gets an error")
  }

  func readNumbers(_ adapter: AdapterImplementation) throws -> Check.Finding {
    let advice =
      "limit is a number. since is what an earlier response had as last, with its type: a number stays "
      + "a number, a text stays a text."
    try demand(adapter, "a", action: .open(), advice: advice)
    for id: DocumentID in ["d1", "d2", "d3"] {
      try demand(adapter, "a", action: .create(id: id, body: [:]), advice: advice)
    }
    var seen: [DocumentID] = []
    var since: UpdateSequence?
    // A feed that has no later pages is read in one.
    let canContinue = !adapter.description.restrictions.contains(.changesFromStart)
    for expected in canContinue ? [2, 1] : [3] {
      let action = StoreAction.changes(since: since, limit: canContinue ? 2 : nil)
      let result = try demand(adapter, "a", action: action, advice: advice)
      guard case .changes(let page) = result, page.rows.count == expected else {
        throw Complaint(
          "expected \(expected) of 3 documents, found \(result.json.serialized())",
          StoreOperation("a", action).json, advice: advice)
      }
      seen += page.rows.map(\.id)
      since = page.last
    }
    guard Set(seen).count == 3 else {
      throw Complaint(
        "the changes have a document twice: \(seen.map(\.description))", advice: advice)
    }
    let list = StoreAction.list(limit: 1)
    let result = try demand(adapter, "a", action: list, advice: advice)
    guard case .list(let rows) = result, rows.count == 1 else {
      throw Complaint(
        "expected 1 row, found \(result.json.serialized())", StoreOperation("a", list).json,
        advice: advice)
    }
    return .pass(
      "\(canContinue ? "two pages of changes" : "all changes"), and a list of one row")
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
          "the text that was read differs from the text that was written: \(name)",
          StoreOperation("a", .create(id: id, body: body)).json, advice: advice)
      }
    }
    // With the rest of the body, the least limit that a store may have: the line is longer.
    let size = ImplementationDescription.Limits.minimum.bodyBytesMax - #"{"t":""}"#.utf8.count
    let large = JSONValue.object(["t": .text(String(repeating: "x", count: size))])
    try demand(adapter, "a", action: .create(id: "large", body: large), advice: advice)
    guard
      case .document(let document) = try demand(
        adapter, "a", action: .read(id: "large"), advice: advice),
      document.body == large
    else {
      throw Complaint(
        "a body of 1,000,000 bytes was read differently from how it was written", advice: advice)
    }
    return .pass("\(texts.count) kinds of text, and a line of more than 1,000,000 bytes")
  }
}
