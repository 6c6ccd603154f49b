internal import Datastore
internal import JSON

/// JSON Schemas of the expectations for a value of a shape.
struct ShapePattern {
  let table: OperationTable

  /// The position of a pattern.
  enum Place {
    case member
    case element
  }

  private static let matcher: JSONValue = ["$ref": "vector-file.schema.json#/$defs/matcher"]
  private static let memberMatcher: JSONValue = [
    "$ref": "vector-file.schema.json#/$defs/member-matcher"
  ]
  private static let bodyPattern: JSONValue = [
    "$ref": "vector-file.schema.json#/$defs/body-pattern"
  ]

  /// The pattern of a value, or of its parts; the value itself is not a matcher.
  func schema(_ shape: ValueShape) -> JSONValue {
    switch shape {
    case .scalar(let kind, var keywords):
      // An expectation may compare with a text that no store returns.
      keywords["pattern"] = nil
      return plain.schema(.scalar(kind, keywords))
    case .members(let members): return object(members)
    case .map(let value, _):
      return [
        "type": "object", "propertyNames": ["pattern": "^[^$]"],
        "additionalProperties": schema(value, .element),
      ]
    case .list(let element, _): return ["type": "array", "items": schema(element, .element)]
    case .alternatives(let shapes): return ["anyOf": .array(shapes.map { schema($0) })]
    case .sequence: return ["$ref": "outcome.schema.json#/$defs/sequence"]
    default: return plain.schema(shape)
    }
  }

  private var plain: ShapeSchema { ShapeSchema(table: table, hasReferences: false) }

  /// The pattern of a value, or a matcher that replaces it.
  private func schema(_ shape: ValueShape, _ place: Place) -> JSONValue {
    let resolved = table.resolved(shape)
    if case .data = resolved { return schema(shape) }
    var schemas: [JSONValue]
    if case .list(_, let order) = resolved {
      schemas = [schema(resolved)]
      if case .results = order {} else { schemas.append(unordered(schemas[0])) }
    } else {
      schemas = [schema(shape)]
    }
    switch place {
    case .member: schemas.append(Self.memberMatcher)
    case .element: schemas.append(Self.matcher)
    }
    return ["anyOf": .array(schemas)]
  }

  private func unordered(_ list: JSONValue) -> JSONValue {
    [
      "type": "object", "properties": ["$unordered": list], "required": ["$unordered"],
      "additionalProperties": false,
    ]
  }

  private func object(_ members: [ValueShape.Member]) -> JSONValue {
    var properties: [(JSONString, JSONValue)] = []
    var json: JSONObject = ["type": "object"]
    for member in members {
      properties.append((member.name, schema(member.shape, .member)))
      if let pattern = member.pattern {
        properties.append((pattern, Self.bodyPattern))
        json["not"] = ["required": [.string(member.name), .string(pattern)]]
      }
    }
    json["properties"] = .object(JSONObject(properties))
    json["additionalProperties"] = false
    return .object(json)
  }

  /// The pattern of an error: its kind, and any of the kind's members.
  var error: JSONValue {
    let kinds = table.errors.map { kind, members in
      var json = object(members + [ValueShape.Member("write", .write)]).objectValue ?? [:]
      let properties = json["properties"]?.objectValue?.members.map { ($0.name, $0.value) } ?? []
      json["properties"] = .object(JSONObject([("kind", true)] + properties))
      return (kind, JSONValue.object(json))
    }
    return .object(JSONObject(ShapeSchema.cases(of: "kind", kinds)))
  }
}
