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
      return ["rows": .array(rows.map { ["id": $0.id.json, "rev": $0.rev.json] })]
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

  private static func read(
    _ reader: inout ObjectReader, of action: StoreAction
  ) throws(DecodingFailure) -> OperationResult {
    switch action {
    case .open, .close, .destroy, .compact, .historyLimit, .setValidation, .flush, .writeLocal:
      return .done
    case .info: return .info(try StoreInfo(&reader))
    case .create, .update, .delete:
      return .written(id: try reader.identifier("id"), rev: try reader.identifier("rev"))
    case .read: return .document(try DocumentRevision(&reader))
    case .list:
      return .list(
        try reader.elements("rows") { (element, path) throws(DecodingFailure) in
          try ListRow(element, path: path)
        })
    case .leaves: return .leaves(try reader.leaves("leaves"))
    case .changes: return .changes(try ChangesPage(&reader))
    case .revsDiff:
      return .revsDiff(
        try reader.elements("results") { (element, path) throws(DecodingFailure) in
          try Difference(element, path: path)
        })
    case .getRevisions:
      return .revisions(
        try reader.elements("results") { (element, path) throws(DecodingFailure) in
          try RevisionAnswer(element, path: path)
        })
    case .insertRevisions: return .inserted(try reader.insertions("results"))
    case .readLocal: return .local(body: try reader.required("body"))
    case .resolve:
      return .resolved(
        rev: try reader.identifier("rev"), tombstones: try reader.identifiers("tombstones"))
    case .purge: return .purged(try reader.identifiers("purged"))
    case .batch(let writes): return .batch(try reader.batchResults("results", of: writes))
    case .replicate: return .turn(try ReplicationTurn.Answer(&reader))
    case .attaching(_, let write): return try read(&reader, of: write)
    case .readAttachment(_, _, let name, _, _):
      return .attachment(try AttachmentPiece(&reader, name: name))
    case .putBlob: return .held(try reader.integer("held"))
    case .finding(let action):
      return try FindAnswer(&reader, of: action).map { .found($0) } ?? .done
    case .family(let operation):
      return .family(AnyFamilyAnswer(try operation.base.readAnswer(&reader)))
    }
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
