internal import Datastore
internal import JSON

/// JSON Schemas of shapes.
struct ShapeSchema {
  let table: OperationTable
  /// True if references of vectors may replace names.
  let hasReferences: Bool

  func schema(_ shape: ValueShape) -> JSONValue {
    switch shape {
    case .scalar(let kind, let keywords):
      let isConstant = keywords["enum"] != nil || keywords["const"] != nil
      let type: [(JSONString, JSONValue)] = isConstant ? [] : [("type", .text(kind.rawValue))]
      return .object(JSONObject(type + keywords.members.map { ($0.name, $0.value) }))
    case .null: return ["type": "null"]
    case .name: return hasReferences ? ["$ref": "#/$defs/name"] : ["type": "string"]
    case .sequence: return ["$ref": "#/$defs/sequence"]
    case .data(let shape): return shape.map { schema($0) } ?? true
    case .object: return ["type": "object"]
    case .array: return ["type": "array"]
    case .members(let members): return object(members)
    case .map(let value, let isSingle):
      var json: JSONObject = ["type": "object", "additionalProperties": schema(value)]
      if isSingle { (json["minProperties"], json["maxProperties"]) = (1, 1) }
      return .object(json)
    case .list(let element, _): return ["type": "array", "items": schema(element)]
    case .tuple(let shapes):
      let count = JSONValue.integer(Int64(shapes.count))
      return [
        "type": "array", "prefixItems": .array(shapes.map { schema($0) }), "minItems": count,
        "maxItems": count,
      ]
    case .alternatives(let shapes): return ["anyOf": .array(shapes.map { schema($0) })]
    case .definition(let name): return ["$ref": .text("#/$defs/\(name.string)")]
    }
  }

  /// The schema of an object, with constant members before the others.
  func object(
    _ members: [ValueShape.Member], constants: [(JSONString, JSONValue)] = []
  ) -> JSONValue {
    var json: JSONObject = [
      "type": "object",
      "properties": .object(
        JSONObject(constants + members.map { ($0.name, schema($0.shape)) })),
    ]
    let required = constants.map(\.0) + members.filter { $0.presence == .required }.map(\.name)
    json["required"] = .array(required.map { .string($0) })
    let choices = members.filter { $0.presence == .choice }
    if !choices.isEmpty {
      json["oneOf"] = .array(choices.map { ["required": [.string($0.name)]] })
    }
    let companions = members.compactMap { member in
      member.companion.map { (member.name, JSONValue.array([.string($0)])) }
    }
    if !companions.isEmpty { json["dependentRequired"] = .object(JSONObject(companions)) }
    json["additionalProperties"] = false
    return .object(json)
  }

  /// The schema of an object whose other members depend on the value of one.
  static func cases(
    of name: JSONString, _ schemas: [(value: JSONString, schema: JSONValue)]
  ) -> [(JSONString, JSONValue)] {
    let values = JSONValue.array(schemas.map { .string($0.value) })
    let conditions = schemas.map { value, schema -> JSONValue in
      let isValue = JSONValue.one(name, ["const": .string(value)])
      return ["if": ["properties": isValue], "then": schema]
    }
    return [
      ("type", "object"), ("properties", .one(name, ["enum": values])),
      ("required", [.string(name)]), ("allOf", .array(conditions)),
    ]
  }

  /// The definitions that shapes refer to, with their descriptions, in the order of the table.
  func definitions(
    below shapes: [ValueShape], _ schema: (ValueShape) -> JSONValue,
    prefix: (JSONString) -> String = { _ in "" }
  ) -> [(JSONString, JSONValue)] {
    var found: Set<JSONString> = []
    for shape in shapes { collect(shape, &found) }
    return table.names.filter { found.contains($0) }.compactMap { name in
      table.definitions[name].map { (name, describe(schema($0), name, prefix: prefix(name))) }
    }
  }

  private func collect(_ shape: ValueShape, _ found: inout Set<JSONString>) {
    if case .definition(let name) = shape {
      guard let definition = table.definitions[name] else {
        if name == "error" { collect(table.error, &found) }
        return
      }
      if found.insert(name).inserted { collect(definition, &found) }
    }
    for part in shape.parts { collect(part, &found) }
  }

  /// A schema with the description of a definition in front.
  private func describe(_ schema: JSONValue, _ name: JSONString, prefix: String) -> JSONValue {
    let texts = [prefix, table.descriptions[name] ?? ""].filter { !$0.isEmpty }
    guard !texts.isEmpty, let object = schema.objectValue else { return schema }
    let members = object.members.map { ($0.name, $0.value) }
    return .object(
      JSONObject([("description", .text(texts.joined(separator: " ")))] + members))
  }
}

extension ValueShape {
  /// The shapes that this one consists of.
  var parts: [ValueShape] {
    switch self {
    case .data(let shape): shape.map { [$0] } ?? []
    case .members(let members): members.map(\.shape)
    case .map(let shape, _), .list(let shape, _): [shape]
    case .tuple(let shapes), .alternatives(let shapes): shapes
    case .scalar, .null, .name, .sequence, .object, .array, .definition: []
    }
  }
}

extension JSONValue {
  /// An object with one member.
  static func one(_ name: JSONString, _ value: JSONValue) -> JSONValue {
    .object(JSONObject([(name, value)]))
  }
}
