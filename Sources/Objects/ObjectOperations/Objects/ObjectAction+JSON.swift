internal import Datastore
package import JSON

extension ObjectAction {
  /// The arguments in JSON.
  package var arguments: [(JSONString, JSONValue)] {
    let members: [(JSONString, JSONValue?)] =
      switch self {
      case .describe(let model, let transformers, predicates: let predicates):
        [
          ("model", model), ("transformers", transformers.json),
          ("predicates", predicates.isEmpty ? nil : .array(predicates.map { $0.json })),
        ]
      case .validate(let model, let object): [("model", model), ("object", object)]
      case .encode(let model, let object, let form, let transformers):
        [
          ("model", model), ("object", object), ("form", form.map { .string($0) }),
          ("transformers", transformers.json),
        ]
      case .decode(let decoding): decoding.arguments
      case .coordinate(let coordination): coordination.arguments
      case .open(let model, let migrates, let form):
        [
          ("model", model), ("migrates", migrates.map { .bool($0) }),
          ("form", form.map { .string($0) }),
        ]
      case .save(let inserted, let updated, let deleted):
        [
          ("inserted", inserted.isEmpty ? nil : .array(inserted)),
          ("updated", updated.isEmpty ? nil : .array(updated)),
          ("deleted", deleted.isEmpty ? nil : .array(deleted.map { $0.json })),
        ]
      case .load(.id(let id)): [("id", id.json)]
      case .load(.identifier(let text)): [("identifier", .string(text))]
      case .list(let entity): [("entity", .string(entity))]
      case .check: []
      case .fetch(let fetch): fetch.encodedArguments
      case .updateAll(let entity, let predicate, let arguments, let values):
        [
          ("entity", .string(entity)), ("predicate", predicate.map { .string($0) }),
          ("arguments", arguments.isEmpty ? nil : .array(arguments)), ("values", values),
        ]
      }
    return members.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Reads the arguments of an operation; nil if the name is not that of an operation on objects.
  init?(_ name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "describeModel":
      self = .describe(
        model: try reader.required("model"), transformers: try reader.transformers(),
        predicates: try reader.optionalElements("predicates") {
          (element, path) throws(DecodingFailure) in
          try ObjectPredicate(element, path: path)
        } ?? [])
    case "validateObject":
      self = .validate(
        model: try reader.required("model"), object: try reader.required("object"))
    case "encodeObject":
      self = .encode(
        model: try reader.required("model"), object: try reader.required("object"),
        form: try reader.optionalText("form"), transformers: try reader.transformers())
    case "decodeObject": self = .decode(try ObjectDecoding(&reader))
    case "coordinate": self = .coordinate(try ObjectCoordination(&reader))
    case "openObjects":
      self = .open(
        model: try reader.required("model"), migrates: try reader.optionalBool("migrates"),
        form: try reader.optionalText("form"))
    case "saveObjects":
      self = .save(
        inserted: try reader.optionalArray("inserted") ?? [],
        updated: try reader.optionalArray("updated") ?? [],
        deleted: try reader.optionalElements("deleted") {
          (element, path) throws(DecodingFailure) in
          try DocumentID(element, path: path)
        } ?? [])
    case "loadObject":
      if let identifier = try reader.optionalText("identifier") {
        self = .load(.identifier(identifier))
      } else {
        self = .load(.id(try reader.identifier("id")))
      }
    case "listObjects": self = .list(entity: try reader.text("entity"))
    case "checkObjects": self = .check
    case "fetchObjects": self = .fetch(try ObjectFetch(&reader))
    case "updateObjects":
      self = .updateAll(
        entity: try reader.text("entity"), predicate: try reader.optionalText("predicate"),
        arguments: try reader.optionalArray("arguments") ?? [],
        values: try reader.required("values"))
    default: return nil
    }
  }
}

extension ObjectPredicate {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["entity": .string(entity), "predicate": .string(predicate)]
    if !arguments.isEmpty { json["arguments"] = .array(arguments) }
    return .object(json)
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.init(
      try reader.text("entity"), try reader.text("predicate"),
      arguments: try reader.optionalArray("arguments") ?? [])
    try reader.finish()
  }
}

extension [ObjectTransformer] {
  /// MIME types by class, null for a class without one; nil if there are no classes.
  fileprivate var json: JSONValue? {
    guard !isEmpty else { return nil }
    return .object(JSONObject(map { ($0.name, $0.mimeType.map { .string($0) } ?? .null) }))
  }
}

extension ObjectReader {
  fileprivate mutating func transformers() throws(DecodingFailure) -> [ObjectTransformer] {
    guard let json = optional("transformers") else { return [] }
    let path = path(to: "transformers")
    guard case .object(let object) = json else {
      throw DecodingFailure(path: path, expected: "an object", found: json)
    }
    var transformers: [ObjectTransformer] = []
    for member in object.members {
      let type: JSONString? =
        member.value == .null
        ? nil : try member.value.text(at: DecodingPath.member(member.name, of: path))
      transformers.append(ObjectTransformer(name: member.name, mimeType: type))
    }
    return transformers
  }
}

extension ObjectDecoding {
  fileprivate var arguments: [(JSONString, JSONValue?)] {
    [
      ("model", model), ("id", id.json), ("body", body),
      ("attachments", attachments.isEmpty ? nil : attachments.json),
      ("trustsNumbers", trustsNumbers.map { .bool($0) }), ("transformers", transformers.json),
      ("value", value.map { .string($0) }),
    ]
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(
      model: try reader.required("model"), id: try reader.identifier("id"),
      body: try reader.required("body"), attachments: try reader.optionalAttachments() ?? [],
      trustsNumbers: try reader.optionalBool("trustsNumbers"),
      transformers: try reader.transformers(), value: try reader.optionalText("value"))
  }
}

extension ObjectCoordination {
  fileprivate var arguments: [(JSONString, JSONValue?)] {
    let registration: JSONValue? =
      switch self.registration {
      case .times(1): nil
      case .times(let count): .integer(count)
      case .automatic: "automatic"
      }
    func list(_ elements: [JSONValue]) -> JSONValue? { elements.isEmpty ? nil : .array(elements) }
    return [
      ("model", model), ("registration", registration),
      ("others", list(others.map { .string($0) })), ("stores", .array(stores.map { $0.json })),
      ("find", list(find.map { .string($0) })), ("targets", list(targets.map { $0.json })),
    ]
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    let model = try reader.required("model")
    var registration = Registration.times(1)
    if let json = reader.optional("registration") {
      let count = json == "automatic" ? nil : try json.integer(at: reader.path(to: "registration"))
      registration = count.map { .times($0) } ?? .automatic
    }
    func texts(_ name: JSONString) throws(DecodingFailure) -> [JSONString] {
      try reader.optionalElements(name) { (element, path) throws(DecodingFailure) in
        try element.text(at: path)
      } ?? []
    }
    self.init(
      model: model, registration: registration, others: try texts("others"),
      stores: try reader.elements("stores") { (element, path) throws(DecodingFailure) in
        try Addition(element, path: path)
      },
      find: try texts("find"),
      targets: try reader.optionalElements("targets") {
        (element, path) throws(DecodingFailure) in
        var reader = try ObjectReader(element, path: path)
        let question = TargetQuestion(
          url: try reader.text("url"), remote: try reader.optionalText("remote"))
        try reader.finish()
        return question
      } ?? [])
  }
}

extension ObjectCoordination.Addition {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["type": .string(type), "url": .string(url)]
    json["configuration"] = configuration.map { .string($0) }
    json["migrates"] = migrates.map { .bool($0) }
    json["mendsNames"] = mendsNames.map { .bool($0) }
    return .object(json)
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.init(
      type: try reader.text("type"), url: try reader.text("url"),
      configuration: try reader.optionalText("configuration"),
      migrates: try reader.optionalBool("migrates"),
      mendsNames: try reader.optionalBool("mendsNames"))
    try reader.finish()
  }
}

extension ObjectCoordination.TargetQuestion {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["url": .string(url)]
    json["remote"] = remote.map { .string($0) }
    return .object(json)
  }
}
