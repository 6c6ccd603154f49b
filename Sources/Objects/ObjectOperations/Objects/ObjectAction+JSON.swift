internal import Datastore
package import JSON

extension ObjectReference: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    switch self {
    case .id(let id): [("id", id.json)]
    case .identifier(let text): [("identifier", text.json)]
    }
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    if let identifier = try reader.optionalText("identifier") {
      self = .identifier(identifier)
    } else {
      self = .id(try reader.identifier("id"))
    }
  }
}

extension ObjectFetch.Kind: ArgumentValue, OmissibleArgument {
  package static var omitted: Self { .objects }
}

extension ObjectPredicate: ArgumentValue {
  package var json: JSONValue {
    var json: JSONObject = ["entity": .string(entity), "predicate": .string(predicate)]
    if !arguments.isEmpty { json["arguments"] = .array(arguments) }
    return .object(json)
  }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.init(
      try reader.text("entity"), try reader.text("predicate"),
      arguments: try reader.optionalArray("arguments") ?? [])
    try reader.finish()
  }
}

/// MIME types by class, null for a class without one.
extension [ObjectTransformer] {
  fileprivate var json: JSONValue {
    .object(JSONObject(map { ($0.name, $0.mimeType.json) }))
  }
}

extension ArgumentList {
  mutating func add(_ name: JSONString, ifPresent transformers: [ObjectTransformer]) {
    if !transformers.isEmpty { add(name, transformers.json) }
  }

  mutating func add(_ name: JSONString, ifPresent attachments: [RevisionAttachment]) {
    if !attachments.isEmpty { add(name, attachments.json) }
  }
}

extension ObjectReader {
  mutating func ifPresent(_ name: JSONString) throws(DecodingFailure) -> [ObjectTransformer] {
    guard let json = optional(name) else { return [] }
    let path = path(to: name)
    guard case .object(let object) = json else {
      throw DecodingFailure(path: path, expected: "an object", found: json)
    }
    var transformers: [ObjectTransformer] = []
    for member in object.members {
      let type = try JSONString?(member.value, path: DecodingPath.member(member.name, of: path))
      transformers.append(ObjectTransformer(name: member.name, mimeType: type))
    }
    return transformers
  }

  mutating func ifPresent(_ name: JSONString) throws(DecodingFailure) -> [RevisionAttachment] {
    try optionalAttachments(name) ?? []
  }
}

/// An omitted registration is one time.
extension ObjectCoordination.Registration: OmissibleArgument {
  package static var omitted: Self { .times(1) }

  package init(present json: JSONValue, path: String) throws(DecodingFailure) {
    self = json == "automatic" ? .automatic : .times(try json.integer(at: path))
  }

  package var presentJSON: JSONValue {
    switch self {
    case .times(let count): .integer(count)
    case .automatic: "automatic"
    }
  }
}

extension ObjectCoordination.Addition: ArgumentValue {
  package var json: JSONValue {
    var json: JSONObject = ["type": .string(type), "url": .string(url)]
    json["configuration"] = configuration.map { .string($0) }
    json["migrates"] = migrates.map { .bool($0) }
    json["mendsNames"] = mendsNames.map { .bool($0) }
    return .object(json)
  }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.init(
      type: try reader.text("type"), url: try reader.text("url"),
      configuration: try reader.optionalText("configuration"),
      migrates: try reader.optionalBool("migrates"),
      mendsNames: try reader.optionalBool("mendsNames"))
    try reader.finish()
  }
}

extension ObjectCoordination.TargetQuestion: ArgumentValue {
  package var json: JSONValue {
    var json: JSONObject = ["url": .string(url)]
    json["remote"] = remote.map { .string($0) }
    return .object(json)
  }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.init(url: try reader.text("url"), remote: try reader.optionalText("remote"))
    try reader.finish()
  }
}
