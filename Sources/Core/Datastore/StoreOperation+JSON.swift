public import JSON

extension StoreOperation {
  /// The operation in JSON: `op`, `store`, then the arguments that are present.
  public var json: JSONValue {
    .object(JSONObject([("op", .text(action.name)), ("store", store.json)] + action.arguments))
  }

  /// Reads an operation; an unknown name or member is a failure.
  public init(_ json: JSONValue, path: String = "") throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    store = try reader.identifier("store")
    action = try StoreAction(&reader)
    try reader.finish()
  }
}

extension StoreAction {
  /// The action as encoded inside a batch: `op` and the arguments that are present.
  var json: JSONValue { .object(JSONObject([("op", .text(name))] + arguments)) }

  fileprivate var arguments: [(JSONString, JSONValue)] {
    switch self {
    case .open(let revisionIDs, let collation):
      return present([
        ("revisionIDs", revisionIDs.map { .text($0.rawValue) }),
        ("collation", collation.map { .text($0.rawValue) }),
      ])
    case .close, .destroy, .info, .compact, .flush: return []
    case .create(let id, let body): return present([("id", id?.json), ("body", body)])
    case .update(let id, let rev, let body):
      return [("id", id.json), ("rev", rev.json), ("body", body)]
    case .delete(let id, let rev, let body):
      return present([("id", id.json), ("rev", rev.json), ("body", body)])
    case .read(let id, let rev): return present([("id", id.json), ("rev", rev?.json)])
    case .list(let from, let limit, let descending):
      return present([
        ("from", from?.json), ("limit", limit.map { .integer($0) }),
        ("descending", descending ? true : nil),
      ])
    case .leaves(let id), .readLocal(let id): return [("id", id.json)]
    case .changes(let since, let limit):
      return present([("since", since?.json), ("limit", limit.map { .integer($0) })])
    case .revsDiff(let queries): return [("revs", .array(queries.map { $0.json }))]
    case .getRevisions(let queries): return [("docs", .array(queries.map { $0.json }))]
    case .insertRevisions(let records): return [("records", .array(records.map { $0.json }))]
    case .writeLocal(let id, let body): return [("id", id.json), ("body", body ?? .null)]
    case .resolve(let id, let leaves, let keep, let body):
      return present([
        ("id", id.json), ("leaves", .array(leaves.map { $0.json })), ("keep", keep.json),
        ("body", body),
      ])
    case .purge(let id, let revs):
      return [("id", id.json), ("revs", .array(revs.map { $0.json }))]
    case .historyLimit(let limit): return [("limit", .integer(limit))]
    case .batch(let writes): return [("writes", .array(writes.map { $0.json }))]
    case .setValidation(let refuse): return [("refuse", refuse?.json ?? .null)]
    case .replicate(let turn): return turn.members
    case .attaching(let attachments, let write):
      return write.arguments + [("attachments", attachments.json)]
    case .readAttachment(let id, let rev, let name, let offset, let limit):
      return present([
        ("id", id.json), ("rev", rev?.json), ("name", .string(name)),
        ("offset", offset.map { .integer($0) }), ("limit", limit.map { .integer($0) }),
      ])
    case .putBlob(let digest, let offset, let bytes):
      return [
        ("digest", .string(digest)), ("offset", .integer(offset)), ("bytes", .string(bytes)),
      ]
    case .finding(let action): return action.arguments
    case .family(let operation): return operation.base.arguments
    }
  }

  private func present(_ members: [(JSONString, JSONValue?)]) -> [(JSONString, JSONValue)] {
    members.compactMap { name, value in value.map { (name, $0) } }
  }
}

extension StoreAction {
  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    let name = try reader.text("op").string
    if let action = try Self.readCore(name, &reader) {
      self = action
    } else if let action = try Self.readReplication(name, &reader) {
      self = action
    } else if let action = try Self.readCapability(name, &reader) {
      self = action
    } else {
      throw DecodingFailure(path: reader.path(to: "op"), message: "unknown operation '\(name)'")
    }
  }

  private static func readCore(
    _ name: String, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> StoreAction? {
    switch name {
    case "open":
      .open(
        revisionIDs: try reader.optionalChoice("revisionIDs"),
        collation: try reader.optionalChoice("collation"))
    case "close": .close
    case "destroy": .destroy
    case "info": .info
    case "create":
      try reader.attaching(
        to: .create(id: try reader.optionalIdentifier("id"), body: try reader.required("body")))
    case "update":
      try reader.attaching(
        to: .update(
          id: try reader.identifier("id"), rev: try reader.identifier("rev"),
          body: try reader.required("body")))
    case "delete":
      .delete(
        id: try reader.identifier("id"), rev: try reader.identifier("rev"),
        body: reader.optional("body"))
    case "read":
      .read(id: try reader.identifier("id"), rev: try reader.optionalIdentifier("rev"))
    case "list":
      .list(
        from: try reader.optionalIdentifier("from"), limit: try reader.optionalInteger("limit"),
        descending: try reader.optionalBool("descending") ?? false)
    case "leaves": .leaves(id: try reader.identifier("id"))
    default: nil
    }
  }

  private static func readReplication(
    _ name: String, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> StoreAction? {
    switch name {
    case "changes":
      .changes(
        since: try reader.optionalSequence("since"), limit: try reader.optionalInteger("limit"))
    case "revsDiff":
      .revsDiff(
        try reader.elements("revs") { (element, path) throws(DecodingFailure) in
          try RevisionQuery(element, path: path, isFetch: false)
        })
    case "getRevisions":
      .getRevisions(
        try reader.elements("docs") { (element, path) throws(DecodingFailure) in
          try RevisionQuery(element, path: path, isFetch: true)
        })
    case "insertRevisions":
      .insertRevisions(
        try reader.elements("records") { (element, path) throws(DecodingFailure) in
          try RevisionRecord(element, path: path)
        })
    case "readLocal": .readLocal(id: try reader.identifier("id"))
    case "writeLocal":
      .writeLocal(id: try reader.identifier("id"), body: try reader.nullable("body"))
    default: nil
    }
  }

  private static func readCapability(
    _ name: String, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> StoreAction? {
    switch name {
    case "resolve":
      try reader.attaching(
        to: .resolve(
          id: try reader.identifier("id"), leaves: try reader.identifiers("leaves"),
          keep: try reader.identifier("keep"), body: reader.optional("body")))
    case "compact": .compact
    case "purge":
      .purge(id: try reader.identifier("id"), revs: try reader.identifiers("revs"))
    case "historyLimit": .historyLimit(try reader.integer("limit"))
    case "batch":
      .batch(
        try reader.elements("writes") { (element, path) throws(DecodingFailure) in
          var write = try ObjectReader(element, path: path)
          let action = try StoreAction(&write)
          try write.finish()
          return action
        })
    case "setValidation":
      .setValidation(refuse: try reader.optionalFilter("refuse"))
    case "flush": .flush
    case "replicate": .replicate(try ReplicationTurn(&reader))
    case "readAttachment":
      .readAttachment(
        id: try reader.identifier("id"), rev: try reader.optionalIdentifier("rev"),
        name: try reader.text("name"), offset: try reader.optionalInteger("offset"),
        limit: try reader.optionalInteger("limit"))
    case "putBlob":
      .putBlob(
        digest: try reader.text("digest"), offset: try reader.integer("offset"),
        bytes: try reader.text("bytes"))
    default:
      if let action = try FindAction(name, &reader) {
        .finding(action)
      } else {
        try OperationFamily.read(name, &reader).map { .family(AnyFamilyOperation($0)) }
      }
    }
  }
}

extension ObjectReader {
  fileprivate mutating func optionalSequence(
    _ name: JSONString
  ) throws(DecodingFailure) -> UpdateSequence? {
    guard let value = optional(name) else { return nil }
    return try UpdateSequence(value, path: path(to: name))
  }

  fileprivate mutating func optionalFilter(_ name: JSONString) throws(DecodingFailure) -> Filter? {
    guard let value = try nullable(name) else { return nil }
    return try Filter(value, path: path(to: name))
  }

  /// Reads a required member; JSON's null is nil.
  package mutating func nullable(_ name: JSONString) throws(DecodingFailure) -> JSONValue? {
    let value = try required(name)
    return value == .null ? nil : value
  }
}
