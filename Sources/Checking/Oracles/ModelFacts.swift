internal import Datastore
internal import JSON

/// The properties of an object model that an oracle needs, read from its JSON.
struct ModelFacts: Equatable {
  struct Relationship: Equatable {
    var destination: JSONString
    var inverse: JSONString?
    var isToMany: Bool
    var deleteRule: JSONString
  }

  struct Entity: Equatable {
    /// The attributes with their default values.
    var attributes: [JSONString: JSONValue] = [:]
    /// The names of the attributes in the order of the model.
    var attributeNames: [JSONString] = []
    var relationships: [JSONString: Relationship] = [:]
    var relationshipNames: [JSONString] = []
  }

  private(set) var entities: [JSONString: Entity] = [:]

  init(_ model: JSONValue) {
    for member in model.objectValue?["entities"]?.objectValue?.members ?? [] {
      var entity = Entity()
      for attribute in member.value.objectValue?["attributes"]?.objectValue?.members ?? [] {
        entity.attributeNames.append(attribute.name)
        entity.attributes[attribute.name] = attribute.value.objectValue?["default"] ?? .null
      }
      for relationship in member.value.objectValue?["relationships"]?.objectValue?.members ?? [] {
        guard let facts = relationship.value.objectValue else { continue }
        entity.relationshipNames.append(relationship.name)
        entity.relationships[relationship.name] = Relationship(
          destination: facts["destination"]?.textValue ?? "", inverse: facts["inverse"]?.textValue,
          isToMany: facts["many"] == true, deleteRule: facts["delete"]?.textValue ?? "nullify")
      }
      entities[member.name] = entity
    }
  }

  subscript(name: JSONString) -> Entity? { entities[name] }

  /// Returns the entity of a document; nil if it is not an object of the model.
  func entity(of body: JSONValue) -> Entity? {
    body.objectValue?["CDTISEntityName"]?.textValue.flatMap { entities[$0] }
  }

  /// Whether some entity has a relationship of this name.
  func isRelationship(_ name: JSONString) -> Bool {
    entities.values.contains { $0.relationships[name] != nil }
  }

  /// Whether an object may reference a deleted one.
  func mayDangle(_ relationship: Relationship) -> Bool {
    guard let inverse = relationship.inverse else { return true }
    return self[relationship.destination]?.relationships[inverse]?.deleteRule == "noAction"
  }
}

extension JSONValue {
  /// The ids in a relationship.
  var targets: [JSONString] {
    switch self {
    case .array(let elements): elements.compactMap { $0.textValue }
    default: textValue.map { $0 == "" ? [] : [$0] } ?? []
    }
  }
}
