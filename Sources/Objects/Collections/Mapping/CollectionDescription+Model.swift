public import JSON
public import ObjectMapping

// Collections derived from an object model: an entity becomes a collection, an attribute a field, a
// relationship a field of ids.
//
// Source: the guide, "Entities and Collections".

/// Deviations of a collection from the entity that it is derived from.
public struct CollectionOverride: Hashable, Sendable {
  /// The name of the collection.
  public var collection: JSONString?
  /// The names of fields, by property.
  public var fields: [JSONString: JSONString]
  /// Properties that are not stored.
  public var left: Set<JSONString>
  /// The names of properties with the ids of a relationship, which is then loaded in the
  /// background.
  public var idProperties: [JSONString: JSONString]

  /// Creates deviations; by default none.
  public init(
    collection: JSONString? = nil, fields: [JSONString: JSONString] = [:],
    left: Set<JSONString> = [],
    idProperties: [JSONString: JSONString] = [:]
  ) {
    self.collection = collection
    self.fields = fields
    self.left = left
    self.idProperties = idProperties
  }
}

extension CollectionDescription {
  /// The collections of all entities of a model, in its order.
  ///
  /// A property `idProperty` is added to each entity that lacks it.
  public static func derived(
    from model: ManagedObjectModel, idProperty: JSONString = "objId",
    overrides: [JSONString: CollectionOverride] = [:]
  ) throws(CollectionError) -> [CollectionDescription] {
    var collections: [CollectionDescription] = []
    for entity in model.entities {
      let override = overrides[entity.name] ?? CollectionOverride()
      var properties = entity.attributes
        .filter { !$0.isTransient && $0.name != idProperty && !override.left.contains($0.name) }
        .map { attribute in
          MappedProperty(
            attribute.name, field: override.fields[attribute.name],
            defaultValue: attribute.defaultValue?.json)
        }
      properties += entity.relationships
        .filter { !$0.isTransient && !override.left.contains($0.name) }
        .map { relationship in
          let destination = relationship.destination
          let computed = override.idProperties[relationship.name]
          return MappedProperty(
            computed ?? relationship.name,
            field: override.fields[relationship.name] ?? relationship.name,
            to: overrides[destination]?.collection ?? destination,
            isToMany: relationship.isToMany, relation: relationship.name,
            isComputed: computed != nil, cascades: relationship.deleteRule == .cascade)
        }
      collections.append(
        try CollectionDescription(
          override.collection ?? entity.name, of: entity.name, idProperty: idProperty,
          properties: properties))
    }
    return collections
  }
}

extension FieldRule {
  /// The rules for fields that correspond to the validation of an entity's attributes. Rules for
  /// lengths do not exist.
  public static func derived(
    from entity: EntityDescription, of collection: CollectionDescription
  ) -> [FieldRule] {
    entity.attributes.compactMap { attribute in
      guard let property = collection.property(attribute.name) else { return nil }
      let validation = attribute.validation
      return FieldRule(
        property.field, isRequired: !attribute.isOptional, kind: attribute.type.kind,
        minimum: validation.minimum?.json, maximum: validation.maximum?.json,
        pattern: validation.pattern)
    }
  }
}

extension AttributeType {
  /// The JSON kind of its values.
  fileprivate var kind: FieldRule.Kind {
    switch self {
    case .utf8, .decimal, .xform, .binary, .id: .string
    case .bool: .boolean
    case .date1970, .double, .float: .number
    case .int16, .int32, .int64: .integer
    }
  }
}
