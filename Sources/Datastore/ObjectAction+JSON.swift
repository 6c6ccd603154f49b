internal import JSON

extension ObjectAction {
  /// The arguments as they stand in JSON.
  var arguments: [(Text, JSONValue)] {
    let members: [(Text, JSONValue?)] =
      switch self {
      case .encode(let model, let object, let form):
        [("model", model), ("object", object), ("form", form.map { .string($0) })]
      case .decode(let model, let id, let body, let attachments, let trustsNumbers):
        [
          ("model", model), ("id", id.json), ("body", body),
          ("attachments", attachments.isEmpty ? nil : attachments.json),
          ("trustsNumbers", trustsNumbers.map { .bool($0) }),
        ]
      case .open(let model, let migrates):
        [("model", model), ("migrates", migrates.map { .bool($0) })]
      case .save(let inserted, let updated, let deleted):
        [
          ("inserted", .array(inserted)), ("updated", .array(updated)),
          ("deleted", .array(deleted.map { $0.json })),
        ]
      case .load(let id): [("id", id.json)]
      }
    return members.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Reads the arguments of an operation; nil when its name is none of these.
  init?(_ name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "encodeObject":
      self = .encode(
        model: try reader.required("model"), object: try reader.required("object"),
        form: try reader.optionalText("form"))
    case "decodeObject":
      self = .decode(
        model: try reader.required("model"), id: try reader.identifier("id"),
        body: try reader.required("body"), attachments: try reader.optionalAttachments() ?? [],
        trustsNumbers: try reader.optionalBool("trustsNumbers"))
    case "openObjects":
      self = .open(
        model: try reader.required("model"), migrates: try reader.optionalBool("migrates"))
    case "saveObjects":
      self = .save(
        inserted: try reader.optionalArray("inserted") ?? [],
        updated: try reader.optionalArray("updated") ?? [],
        deleted: try reader.optionalElements("deleted") {
          (element, path) throws(DecodingFailure) in
          try DocumentID(element, path: path)
        } ?? [])
    case "loadObject": self = .load(id: try reader.identifier("id"))
    default: return nil
    }
  }
}

extension ObjectAnswer {
  var json: JSONObject {
    switch self {
    case .encoded(let body, let attachments):
      var json: JSONObject = ["body": body]
      if !attachments.isEmpty { json["attachments"] = attachments.json }
      return json
    case .object(let object, let warnings):
      var json: JSONObject = ["object": object]
      if !warnings.isEmpty {
        json["warnings"] = .array(
          warnings.map { ["kind": .string($0.kind), "property": .string($0.property)] })
      }
      return json
    case .opened(let identifier): return ["identifier": .string(identifier)]
    case .saved(let objects):
      return [
        "saved": .array(objects.map { ["id": $0.id.json, "version": .integer($0.version)] })
      ]
    }
  }

  init(_ reader: inout ObjectReader, of action: ObjectAction) throws(DecodingFailure) {
    switch action {
    case .encode:
      self = .encoded(
        body: try reader.required("body"), attachments: try reader.optionalAttachments() ?? [])
    case .decode, .load:
      self = .object(
        try reader.required("object"),
        warnings: try reader.optionalElements("warnings") {
          (element, path) throws(DecodingFailure) in
          var reader = try ObjectReader(element, path: path)
          let warning = ObjectWarning(
            kind: try reader.text("kind"), property: try reader.text("property"))
          try reader.finish()
          return warning
        } ?? [])
    case .open: self = .opened(identifier: try reader.text("identifier"))
    case .save:
      self = .saved(
        try reader.elements("saved") { (element, path) throws(DecodingFailure) in
          var reader = try ObjectReader(element, path: path)
          let object = SavedObject(
            id: try reader.identifier("id"), version: try reader.integer("version"))
          try reader.finish()
          return object
        })
    }
  }
}
