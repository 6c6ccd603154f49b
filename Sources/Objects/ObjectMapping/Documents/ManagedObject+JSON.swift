internal import Datastore
public import JSON

// The JSON form of objects in calls: `{"id", "entity", "values", "identifier"?, "version"?}`.

extension ManagedObject {
  /// The object with its values in byte order of their names.
  public var json: JSONValue {
    let ordered = properties.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    var json: JSONObject = [
      "id": id.json, "entity": .string(entity),
      "values": .object(JSONObject(ordered.map { ($0.key, $0.value.json) })),
      "version": .integer(version),
    ]
    json["identifier"] = identifier.map { .string($0) }
    return .object(json)
  }

  /// Reads an object of a model; null values count as absent.
  public init(_ json: JSONValue, _ model: ManagedObjectModel) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: "object")
    let id = try reader.text("id")
    let name = try reader.text("entity")
    guard let entity = model[name] else {
      throw DecodingFailure(path: "object.entity", message: "the model has no entity '\(name)'")
    }
    self.init(
      ObjectID(id), of: name, identifier: try reader.optionalText("identifier"),
      version: try reader.optionalInteger("version") ?? 1)
    guard case .object(let values) = try reader.required("values") else {
      throw DecodingFailure(path: "object.values", message: "expected an object")
    }
    try reader.finish()
    for member in values.members {
      let path = "object.values.\(member.name)"
      properties[member.name] = try Self.value(member, of: entity, path: path)
    }
  }

  private static func value(
    _ member: JSONObject.Member, of entity: EntityDescription, path: String
  ) throws(DecodingFailure) -> PropertyValue {
    if let attribute = entity.attribute(member.name) {
      guard member.value != .null else { return .none }
      return .attribute(try AttributeValue(member.value, of: attribute.type, path: path))
    }
    guard let relationship = entity.relationship(member.name) else {
      throw DecodingFailure(path: path, message: "\(entity.name) has no such property")
    }
    switch (member.value, relationship.isToMany) {
    case (.null, _): return .none
    case (.string(let id), false): return .toOne(ObjectID(id))
    case (let value, true):
      return .toMany(
        try value.elements(at: path) { (element, path) throws(DecodingFailure) in
          ObjectID(try element.text(at: path))
        })
    default:
      throw DecodingFailure(path: path, message: "expected the id of an object")
    }
  }
}
