public import JSON

// Models as JSON: `{"entities": {NAME: {"attributes": {NAME: …}, "relationships": {NAME: …}}}}`.

extension ManagedObjectModel {
  /// Reads a model; throws a `DecodingFailure` for syntax errors, and one with the message of
  /// `ModelError` for an invalid model.
  public init(_ json: JSONValue, path: String = "model") throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let entities = try Self.members(try reader.required("entities"), "\(path).entities") {
      (name, value, path) throws(DecodingFailure) in
      try EntityDescription(name, value, path: path)
    }
    try reader.finish()
    do throws(ModelError) { try self.init(entities) } catch {
      throw DecodingFailure(path: "\(path).\(error.path)", message: error.message)
    }
  }

  /// The model in JSON.
  public var json: JSONValue {
    ["entities": .object(JSONObject(entities.map { ($0.name, $0.json) }))]
  }

  fileprivate static func members<Member>(
    _ json: JSONValue?, _ path: String,
    read: (JSONString, JSONValue, String) throws(DecodingFailure) -> Member
  ) throws(DecodingFailure) -> [Member] {
    guard let json else { return [] }
    guard case .object(let object) = json else {
      throw DecodingFailure(path: path, expected: "an object", found: json)
    }
    var members: [Member] = []
    for member in object.members {
      members.append(try read(member.name, member.value, "\(path).\(member.name)"))
    }
    return members
  }
}

extension EntityDescription {
  fileprivate init(_ name: JSONString, _ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let attributes = try ManagedObjectModel.members(
      reader.optional("attributes"), "\(path).attributes"
    ) { (name, value, path) throws(DecodingFailure) in
      try AttributeDescription(name, value, path: path)
    }
    let relationships = try ManagedObjectModel.members(
      reader.optional("relationships"), "\(path).relationships"
    ) { (name, value, path) throws(DecodingFailure) in
      try RelationshipDescription(name, value, path: path)
    }
    let constraints = try reader.optionalElements("unique") {
      (element, path) throws(DecodingFailure) in
      try element.elements(at: path) { (element, path) throws(DecodingFailure) in
        try element.text(at: path)
      }
    }
    self.init(
      name, attributes: attributes, relationships: relationships,
      uniquenessConstraints: constraints ?? [],
      renamedFrom: try reader.optionalText("renamedFrom"))
    try reader.finish()
  }

  fileprivate var json: JSONValue {
    var json = JSONObject()
    if !attributes.isEmpty {
      json["attributes"] = .object(JSONObject(attributes.map { ($0.name, $0.json) }))
    }
    if !relationships.isEmpty {
      json["relationships"] = .object(JSONObject(relationships.map { ($0.name, $0.json) }))
    }
    if !uniquenessConstraints.isEmpty {
      json["unique"] = .array(
        uniquenessConstraints.map { .array($0.map { .string($0) }) })
    }
    json["renamedFrom"] = renamedFrom.map { .string($0) }
    return .object(json)
  }
}

extension AttributeDescription {
  fileprivate init(_ name: JSONString, _ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let typeName = try reader.text("type")
    guard let type = AttributeType(rawValue: typeName.string) else {
      throw DecodingFailure(path: "\(path).type", message: "unknown type '\(typeName)'")
    }
    func value(_ name: JSONString) throws(DecodingFailure) -> AttributeValue? {
      guard let json = reader.optional(name) else { return nil }
      return try AttributeValue(json, of: type, path: "\(path).\(name)")
    }
    self.init(
      name, type, isOptional: try reader.optionalBool("optional") ?? true,
      isTransient: try reader.optionalBool("transient") ?? false,
      defaultValue: try value("default"),
      validation: AttributeValidation(
        minimum: try value("min"), maximum: try value("max"),
        minimumLength: try reader.optionalInteger("minLength"),
        maximumLength: try reader.optionalInteger("maxLength"),
        pattern: try reader.optionalText("pattern")),
      transformer: try reader.optionalText("transformer"),
      mimeType: try reader.optionalText("mimeType"),
      renamedFrom: try reader.optionalText("renamedFrom"))
    try reader.finish()
  }

  fileprivate var json: JSONValue {
    var json: JSONObject = ["type": .text(type.rawValue)]
    if !isOptional { json["optional"] = false }
    if isTransient { json["transient"] = true }
    json["default"] = defaultValue?.json
    json["min"] = validation.minimum?.json
    json["max"] = validation.maximum?.json
    json["minLength"] = validation.minimumLength.map { .integer($0) }
    json["maxLength"] = validation.maximumLength.map { .integer($0) }
    json["pattern"] = validation.pattern.map { .string($0) }
    json["transformer"] = transformer.map { .string($0) }
    json["mimeType"] = mimeType.map { .string($0) }
    json["renamedFrom"] = renamedFrom.map { .string($0) }
    return .object(json)
  }
}

extension RelationshipDescription {
  fileprivate init(_ name: JSONString, _ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    var deleteRule = DeleteRule.nullify
    if let text = try reader.optionalText("delete") {
      guard let rule = DeleteRule(rawValue: text.string) else {
        throw DecodingFailure(path: "\(path).delete", message: "unknown delete rule '\(text)'")
      }
      deleteRule = rule
    }
    self.init(
      name, to: try reader.text("destination"), inverse: try reader.optionalText("inverse"),
      isToMany: try reader.optionalBool("many") ?? false,
      isOptional: try reader.optionalBool("optional") ?? true,
      isTransient: try reader.optionalBool("transient") ?? false, deleteRule: deleteRule,
      minimumCount: try reader.optionalInteger("minCount") ?? 0,
      maximumCount: try reader.optionalInteger("maxCount"),
      renamedFrom: try reader.optionalText("renamedFrom"))
    try reader.finish()
  }

  fileprivate var json: JSONValue {
    var json: JSONObject = ["destination": .string(destination)]
    json["inverse"] = inverse.map { .string($0) }
    if isToMany { json["many"] = true }
    if !isOptional { json["optional"] = false }
    if isTransient { json["transient"] = true }
    if deleteRule != .nullify { json["delete"] = .text(deleteRule.rawValue) }
    if minimumCount != 0 { json["minCount"] = .integer(minimumCount) }
    json["maxCount"] = maximumCount.map { .integer($0) }
    json["renamedFrom"] = renamedFrom.map { .string($0) }
    return .object(json)
  }
}
