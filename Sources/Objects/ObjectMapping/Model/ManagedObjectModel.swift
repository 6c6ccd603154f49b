public import JSON

/// What kinds of objects there are, and what each of them has.
///
/// A model that exists is sound: its names can stand in documents, and its inverses fit.
public struct ManagedObjectModel: Hashable, Sendable {
  /// In the order in which they were given.
  public let entities: [EntityDescription]

  /// The model of the entities; throws when a name cannot stand in a document, or a relationship
  /// and its inverse do not fit.
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
  /// Names of attributes whose values together no two objects of a store share.
  ///
  /// Contexts keep to them when they save; they are neither described in documents nor hashed.
  public var uniquenessConstraints: [[JSONString]]
  /// What it was called in the model before.
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
  /// Whether it may be nil when the object is saved.
  public var isOptional: Bool
  /// Whether it lives in memory only: neither stored nor described.
  public var isTransient: Bool
  /// What a new object begins with.
  public var defaultValue: AttributeValue?
  public var validation: AttributeValidation
  /// The class that makes bytes out of values; of `xform` only.
  public var transformer: JSONString?
  /// What binary content is; of `binary` only.
  public var mimeType: JSONString?
  /// What it was called in the model before.
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

/// What a value has to be when its object is saved; nil is checked by `isOptional` alone.
public struct AttributeValidation: Hashable, Sendable {
  /// The least and the greatest number or date.
  public var minimum: AttributeValue?
  public var maximum: AttributeValue?
  /// The least and the greatest length of a text, in UTF-16 code units, as Core Data counts.
  public var minimumLength: Int64?
  public var maximumLength: Int64?
  /// A regular expression that the whole text matches, in Swift's dialect.
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
  /// The relationship of the destination that leads back.
  public var inverse: JSONString?
  public var isToMany: Bool
  public var isOptional: Bool
  public var isTransient: Bool
  public var deleteRule: DeleteRule
  /// How many objects; of a relationship to many only. A maximum of nil is none.
  public var minimumCount: Int64
  public var maximumCount: Int64?
  /// What it was called in the model before.
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

/// What becomes of the objects at the other end when an object is deleted.
public enum DeleteRule: String, CaseIterable, Sendable {
  case noAction
  case nullify
  case cascade
  case deny
}

/// Why there is no such model.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Such as `entities.Recipe.attributes.name`.
  public let path: String
  public let message: String

  public var description: String { "\(path): \(message)" }
}
