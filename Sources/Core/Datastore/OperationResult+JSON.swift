package import JSON

extension StoreInfo {
  var json: JSONValue {
    [
      "documents": .integer(documents), "deletedDocuments": .integer(deletedDocuments),
      "last": last.json, "incarnation": .string(incarnation),
    ]
  }

  init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    documents = try reader.integer("documents")
    deletedDocuments = try reader.integer("deletedDocuments")
    last = try reader.value("last")
    incarnation = try reader.text("incarnation")
  }
}

extension DocumentRevision {
  var json: JSONValue {
    var object: JSONObject = [
      "id": id.json, "rev": rev.json, "deleted": .bool(deleted), "body": body,
    ]
    if !attachments.isEmpty { object["attachments"] = attachments.json }
    return .object(object)
  }

  init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    id = try reader.identifier("id")
    rev = try reader.identifier("rev")
    deleted = try reader.optionalBool("deleted") ?? false
    body = try reader.required("body")
    attachments = try reader.optionalAttachments() ?? []
  }
}

extension ListRow: ArgumentValue {
  package var json: JSONValue { ["id": id.json, "rev": rev.json] }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.identifier("id")
    rev = try reader.identifier("rev")
    try reader.finish()
  }
}

extension Leaf: ArgumentValue {
  package var json: JSONValue { ["rev": rev.json, "deleted": .bool(deleted)] }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    rev = try reader.identifier("rev")
    deleted = try reader.optionalBool("deleted") ?? false
    try reader.finish()
  }
}

extension ChangesPage {
  init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    rows = try reader.value("rows")
    last = try reader.value("last")
    more = try reader.bool("more")
  }
}

extension ChangesRow: ArgumentValue {
  package var json: JSONValue {
    [
      "seq": seq.json, "id": id.json, "deleted": .bool(deleted),
      "leaves": .array(leaves.map { $0.json }),
    ]
  }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    seq = try reader.value("seq")
    id = try reader.identifier("id")
    deleted = try reader.optionalBool("deleted") ?? false
    leaves = Leaves(try reader.value("leaves") as [Leaf])
    try reader.finish()
  }
}

extension Difference: ArgumentValue {
  package var json: JSONValue {
    [
      "id": id.json, "missing": .array(missing.map { $0.json }),
      "possibleAncestors": .array(possibleAncestors.map { $0.json }),
    ]
  }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.identifier("id")
    missing = try reader.identifiers("missing")
    possibleAncestors = try reader.identifiers("possibleAncestors")
    try reader.finish()
  }
}

extension RevisionAnswer: ArgumentValue {
  package var json: JSONValue {
    var object: JSONObject = ["id": id.json, "rev": rev.json]
    switch found {
    case .records(let records): object["records"] = .array(records.map { $0.json })
    case .missing: object["missing"] = "missing"
    case .bodyMissing: object["missing"] = "bodyMissing"
    }
    return .object(object)
  }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.identifier("id")
    rev = try reader.identifier("rev")
    if reader.optional("records") != nil {
      found = .records(try reader.value("records"))
    } else {
      let missing = try reader.text("missing")
      switch missing {
      case "missing": found = .missing
      case "bodyMissing": found = .bodyMissing
      default:
        throw DecodingFailure(
          path: reader.path(to: "missing"),
          message: "'\(missing)' is not one of missing, bodyMissing")
      }
    }
    try reader.finish()
  }
}
