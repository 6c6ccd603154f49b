public import JSON

extension Outcome {
  /// The outcome in JSON: an object with the one member `ok`, `error` or `unknown`.
  public var json: JSONValue {
    switch self {
    case .ok(let result): ["ok": result.json]
    case .error(let error): ["error": error.json]
    case .unknown: ["unknown": [:]]
    }
  }

  /// Reads the outcome of the given action.
  public init(_ json: JSONValue, of action: StoreAction, path: String = "") throws(DecodingFailure)
  {
    var reader = try ObjectReader(json, path: path)
    if let ok = reader.optional("ok") {
      self = .ok(try OperationResult(ok, of: action, path: reader.path(to: "ok")))
    } else if let error = reader.optional("error") {
      self = .error(try DatastoreError(error, path: reader.path(to: "error")))
    } else {
      let unknown = try reader.reader("unknown")
      try unknown.finish()
      self = .unknown
    }
    try reader.finish()
  }
}

extension Outcome: CustomStringConvertible {
  public var description: String { json.serialized() }
}

extension OperationResult {
  /// The result in JSON: always an object.
  public var json: JSONValue {
    switch self {
    case .done: return [:]
    case .info(let info): return info.json
    case .written(let id, let rev): return ["id": id.json, "rev": rev.json]
    case .document(let document): return document.json
    case .list(let rows):
      return ["rows": rows.json]
    case .leaves(let leaves): return ["leaves": .array(leaves.map { $0.json })]
    case .changes(let page):
      return [
        "rows": .array(page.rows.map { $0.json }), "last": page.last.json,
        "more": .bool(page.more),
      ]
    case .revsDiff(let differences):
      return ["results": .array(differences.map { $0.json })]
    case .revisions(let answers): return ["results": .array(answers.map { $0.json })]
    case .inserted(let results):
      return ["results": .array(results.map { $0.map { ["error": $0.json] } ?? ["ok": [:]] })]
    case .local(let body): return ["body": body]
    case .resolved(let rev, let tombstones):
      return ["rev": rev.json, "tombstones": .array(tombstones.map { $0.json })]
    case .purged(let revs): return ["purged": .array(revs.map { $0.json })]
    case .batch(let results): return ["results": .array(results.map { $0.json })]
    case .turn(let answer): return answer.json
    case .attachment(let piece): return piece.json
    case .held(let count): return ["held": .integer(count)]
    case .found(let answer): return .object(answer.json)
    case .family(let answer): return .object(answer.base.json)
    }
  }

  /// Reads the result of the given action; an unknown or missing member is a failure.
  public init(_ json: JSONValue, of action: StoreAction, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self = try Self.read(&reader, of: action)
    try reader.finish()
  }

  /// The result whose definition the row of the action names.
  private static func read(
    _ reader: inout ObjectReader, of action: StoreAction
  ) throws(DecodingFailure) -> OperationResult {
    if case .family(let operation) = action {
      return .family(AnyFamilyAnswer(try operation.base.readAnswer(&reader)))
    }
    let definition = action.resultDefinition
    switch definition {
    case "done": return .done
    case "info": return .info(try StoreInfo(&reader))
    case "written": return .written(id: try reader.value("id"), rev: try reader.value("rev"))
    case "document": return .document(try DocumentRevision(&reader))
    case "list": return .list(try reader.value("rows"))
    case "leaves": return .leaves(try reader.value("leaves"))
    case "changes": return .changes(try ChangesPage(&reader))
    case "differences": return .revsDiff(try reader.value("results"))
    case "revisions": return .revisions(try reader.value("results"))
    case "inserted": return .inserted(try reader.insertions("results"))
    case "local": return .local(body: try reader.value("body"))
    case "resolved":
      return .resolved(rev: try reader.value("rev"), tombstones: try reader.value("tombstones"))
    case "purged": return .purged(try reader.value("purged"))
    case "batch": return .batch(try reader.batchResults("results", of: action.writes))
    case "turn": return .turn(try ReplicationTurn.Answer(&reader))
    case "piece": return .attachment(try AttachmentPiece(&reader, name: action.attachmentName))
    case "held": return .held(try reader.value("held"))
    default: return .found(try FindAnswer(definition: definition, &reader))
    }
  }

  /// The name of the definition of the result in the table of operations.
  var definition: JSONString {
    switch self {
    case .done: "done"
    case .info: "info"
    case .written: "written"
    case .document: "document"
    case .list: "list"
    case .leaves: "leaves"
    case .changes: "changes"
    case .revsDiff: "differences"
    case .revisions: "revisions"
    case .inserted: "inserted"
    case .local: "local"
    case .resolved: "resolved"
    case .purged: "purged"
    case .batch: "batch"
    case .turn: "turn"
    case .attachment: "piece"
    case .held: "held"
    case .found(let answer): answer.definition
    case .family(let answer): answer.base.definition
    }
  }
}

extension StoreAction {
  /// The name of the definition of the result in the table of operations.
  var resultDefinition: JSONString {
    OperationTable.current.resultDefinition(of: name) { arguments }
  }

  /// The writes of a batch, each of which has a result.
  fileprivate var writes: [StoreAction] { if case .batch(let writes) = self { writes } else { [] } }

  /// The name of the attachment that is read; the answer does not repeat it.
  fileprivate var attachmentName: JSONString {
    if case .readAttachment(_, _, let name, _, _) = self { name } else { "" }
  }
}

extension ObjectReader {
  fileprivate mutating func insertions(
    _ name: JSONString
  ) throws(DecodingFailure) -> [DatastoreError?] {
    try elements(name) { (element, path) throws(DecodingFailure) -> DatastoreError? in
      var reader = try ObjectReader(element, path: path)
      var failure: DatastoreError?
      if let error = reader.optional("error") {
        failure = try DatastoreError(error, path: reader.path(to: "error"))
      } else {
        let ok = try reader.reader("ok")
        try ok.finish()
      }
      try reader.finish()
      return failure
    }
  }

  fileprivate mutating func batchResults(
    _ name: JSONString, of writes: [StoreAction]
  ) throws(DecodingFailure) -> [OperationResult] {
    let elements = try array(name)
    guard elements.count == writes.count else {
      throw DecodingFailure(
        path: path(to: name),
        message: "expected \(writes.count) results, found \(elements.count)")
    }
    var results: [OperationResult] = []
    for (index, write) in writes.enumerated() {
      results.append(
        try OperationResult(
          elements[index], of: write, path: DecodingPath.element(index, of: path(to: name))))
    }
    return results
  }
}
