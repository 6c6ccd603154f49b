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

  public subscript(name: JSONString) -> EntityDescription? { entities.first { $0.name == name } }
}

/// One kind of objects.
public struct EntityDescription: Hashable, Sendable {
  public var name: JSONString
  public var attributes: [AttributeDescription]
  public var relationships: [RelationshipDescription]
  /// Sets of attributes whose combined values are unique in a store.
  ///
  /// Contexts enforce them in saves; they are neither described in documents nor hashed.
  public var uniquenessConstraints: [[JSONString]]
  /// The name of the entity in the previous model.
  public var renamedFrom: JSONString?

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

  public func attribute(_ name: JSONString) -> AttributeDescription? {
    attributes.first { $0.name == name }
  }

  public func relationship(_ name: JSONString) -> RelationshipDescription? {
    relationships.first { $0.name == name }
  }
}

/// One attribute of an entity.
public struct AttributeDescription: Hashable, Sendable {
  public var name: JSONString
  public var type: AttributeType
  /// Whether the value may be nil in a save.
  public var isOptional: Bool
  /// Whether the attribute exists in memory only: neither stored nor described.
  public var isTransient: Bool
  /// The initial value of a new object.
  public var defaultValue: AttributeValue?
  public var validation: AttributeValidation
  /// The class that converts values to bytes; for `xform` only.
  public var transformer: JSONString?
  /// The MIME type of binary content; for `binary` only.
  public var mimeType: JSONString?
  /// The name of the attribute in the previous model.
  public var renamedFrom: JSONString?

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
  public var maximum: AttributeValue?
  /// The minimum and the maximum length of a text, in UTF-16 code units, as in Core Data.
  public var minimumLength: Int64?
  public var maximumLength: Int64?
  /// A regular expression that the complete text must match, in the dialect of `$regex`.
  public var pattern: JSONString?

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
  public var name: JSONString
  public var destination: JSONString
  /// The inverse relationship of the destination.
  public var inverse: JSONString?
  public var isToMany: Bool
  public var isOptional: Bool
  public var isTransient: Bool
  public var deleteRule: DeleteRule
  /// The minimum and maximum number of objects of a to-many relationship. A maximum of nil means no
  /// limit.
  public var minimumCount: Int64
  public var maximumCount: Int64?
  /// The name of the relationship in the previous model.
  public var renamedFrom: JSONString?

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
  case noAction
  case nullify
  case cascade
  case deny
}

/// The error of an invalid model.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the error, such as `entities.Recipe.attributes.name`.
  public let path: String
  public let message: String

  public var description: String { "\(path): \(message)" }
}
