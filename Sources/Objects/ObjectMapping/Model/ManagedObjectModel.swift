public import JSON

/// A model: the entities and their properties.
///
/// Every instance is valid: its names can be used in documents, and its inverses are consistent.
public struct ManagedObjectModel: Hashable, Sendable {
  /// The entities in their given order.
  public let entities: [EntityDescription]

  /// Creates the model of the entities; throws if a name cannot be used in a document, or if a
  /// relationship and its inverse are inconsistent.
  public init(_ entities: [EntityDescription]) throws(ModelError) {
    self.entities = entities
    try check()
  }

  /// The entity with a name; nil if there is none.
  ///
  /// - Complexity: O(*n*) in the number of entities.
  public subscript(name: JSONString) -> EntityDescription? { entities.first { $0.name == name } }
}

/// One kind of objects.
public struct EntityDescription: Hashable, Sendable {
  /// The name of the entity.
  public var name: JSONString
  /// The attributes.
  public var attributes: [AttributeDescription]
  /// The relationships.
  public var relationships: [RelationshipDescription]
  /// Sets of attributes whose combined values are unique in a store.
  ///
  /// Contexts enforce them in saves; they are neither described in documents nor hashed.
  public var uniquenessConstraints: [[JSONString]]
  /// The name of the entity in the previous model.
  public var renamedFrom: JSONString?

  /// Creates an entity.
  public init(
    _ name: JSONString, attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [], uniquenessConstraints: [[JSONString]] = [],
    renamedFrom: JSONString? = nil
  ) {
    self.name = name
    self.attributes = attributes
    self.relationships = relationships
    self.uniquenessConstraints = uniquenessConstraints
    self.renamedFrom = renamedFrom
  }

  /// Returns the attribute with a name; nil if there is none.
  public func attribute(_ name: JSONString) -> AttributeDescription? {
    attributes.first { $0.name == name }
  }

  /// Returns the relationship with a name; nil if there is none.
  public func relationship(_ name: JSONString) -> RelationshipDescription? {
    relationships.first { $0.name == name }
  }
}

/// One attribute of an entity.
public struct AttributeDescription: Hashable, Sendable {
  /// The name of the attribute.
  public var name: JSONString
  /// The type of the values.
  public var type: AttributeType
  /// Whether the value may be nil in a save.
  public var isOptional: Bool
  /// Whether the attribute exists in memory only: neither stored nor described.
  public var isTransient: Bool
  /// The initial value of a new object.
  public var defaultValue: AttributeValue?
  /// The validation of the value in a save.
  public var validation: AttributeValidation
  /// The class that converts values to bytes; for `xform` only.
  public var transformer: JSONString?
  /// The MIME type of binary content; for `binary` only.
  public var mimeType: JSONString?
  /// The name of the attribute in the previous model.
  public var renamedFrom: JSONString?

  /// Creates an attribute.
  public init(
    _ name: JSONString, _ type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
    defaultValue: AttributeValue? = nil, validation: AttributeValidation = AttributeValidation(),
    transformer: JSONString? = nil, mimeType: JSONString? = nil, renamedFrom: JSONString? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.validation = validation
    self.transformer = transformer
    self.mimeType = mimeType
    self.renamedFrom = renamedFrom
  }
}

/// The validation of a value in a save; nil is checked by `isOptional` alone.
public struct AttributeValidation: Hashable, Sendable {
  /// The minimum and the maximum of a number or date.
  public var minimum: AttributeValue?
  /// The maximum of a number or date.
  public var maximum: AttributeValue?
  /// The minimum and the maximum length of a text, in UTF-16 code units, as in Core Data.
  public var minimumLength: Int64?
  /// The maximum length of a text, in UTF-16 code units.
  public var maximumLength: Int64?
  /// A regular expression that the complete text must match, in the dialect of `$regex`.
  public var pattern: JSONString?

  /// Creates a validation; by default every value passes.
  public init(
    minimum: AttributeValue? = nil, maximum: AttributeValue? = nil, minimumLength: Int64? = nil,
    maximumLength: Int64? = nil, pattern: JSONString? = nil
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.pattern = pattern
  }
}

/// One relationship of an entity.
public struct RelationshipDescription: Hashable, Sendable {
  /// The name of the relationship.
  public var name: JSONString
  /// The name of the entity at the other end.
  public var destination: JSONString
  /// The inverse relationship of the destination.
  public var inverse: JSONString?
  /// True if the relationship leads to several objects.
  public var isToMany: Bool
  /// True if the relationship may be empty in a save.
  public var isOptional: Bool
  /// True if the relationship exists in memory only: neither stored nor described.
  public var isTransient: Bool
  /// The effect of a deletion on the other end.
  public var deleteRule: DeleteRule
  /// The minimum and maximum number of objects of a to-many relationship. A maximum of nil means no
  /// limit.
  public var minimumCount: Int64
  /// The maximum number of objects; nil for no limit.
  public var maximumCount: Int64?
  /// The name of the relationship in the previous model.
  public var renamedFrom: JSONString?

  /// Creates a relationship.
  public init(
    _ name: JSONString, to destination: JSONString, inverse: JSONString? = nil,
    isToMany: Bool = false,
    isOptional: Bool = true, isTransient: Bool = false, deleteRule: DeleteRule = .nullify,
    minimumCount: Int64 = 0, maximumCount: Int64? = nil, renamedFrom: JSONString? = nil
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.deleteRule = deleteRule
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.renamedFrom = renamedFrom
  }

  /// Its type in the metadata document.
  var typeName: JSONString { isToMany ? "relation-to-many" : "relation-to-one" }
}

/// The effect of the deletion of an object on the objects at the other end.
public enum DeleteRule: String, CaseIterable, Sendable {
  /// The other objects keep the dangling reference.
  case noAction
  /// The reference to the deleted object is removed.
  case nullify
  /// The other objects are deleted as well.
  case cascade
  /// The object cannot be deleted while there are other objects.
  case deny
}

/// The error of an invalid model.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the error, such as `entities.Recipe.attributes.name`.
  public let path: String
  /// The rule that the model violates.
  public let message: String

  public var description: String { "\(path): \(message)" }
}
