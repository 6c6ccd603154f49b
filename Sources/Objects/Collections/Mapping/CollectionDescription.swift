public import JSON

/// A collection of a backend, and the mapping of its entities to objects of an application.
///
/// Source: the guide, "Entities and Collections" and "NSManagedObjects".
public struct CollectionDescription: Hashable, Sendable {
  /// The name at the backend.
  public let name: JSONString
  /// The type of the objects.
  public let objectType: JSONString
  /// The property with the id, which is mapped to `_id`.
  public let idProperty: JSONString
  /// All other stored properties, in the order of the fields.
  public let properties: [MappedProperty]

  /// Throws if a name is not valid at the backend, or occurs twice.
  public init(
    _ name: JSONString, of objectType: JSONString? = nil, idProperty: JSONString = "objId",
    properties: [MappedProperty]
  ) throws(CollectionError) {
    self.name = name
    self.objectType = objectType ?? name
    self.idProperty = idProperty
    self.properties = properties
    guard Self.isName(name) else { throw Self.fault(name, "not a valid name of a collection") }
    var names: Set<JSONString> = [idProperty]
    var fields: Set<JSONString> = [EntityField.id]
    for property in properties {
      guard names.insert(property.name).inserted else {
        throw Self.fault(property.name, "the property is mapped twice")
      }
      if let relation = property.reference?.relation, relation != property.name {
        guard names.insert(relation).inserted else {
          throw Self.fault(relation, "a relation must not have the name of another property")
        }
      }
      guard fields.insert(property.field).inserted else {
        throw Self.fault(property.name, "the field '\(property.field)' is mapped twice")
      }
      guard !property.field.isEmpty, property.field.utf8.first != UInt8(ascii: "$"),
        !property.field.utf8.contains(UInt8(ascii: "."))
      else { throw Self.fault(property.name, "'\(property.field)' is not a valid name of a field") }
    }
  }

  private static func fault(_ name: JSONString, _ message: String) -> CollectionError {
    CollectionError(.badMapping(name), "'\(name)': \(message)")
  }

  /// A letter, then letters, digits, `-` and `_`: a name that is valid in a path and in an id.
  static func isName(_ name: JSONString) -> Bool {
    for (place, byte) in name.utf8.enumerated() {
      switch byte {
      case 65...90, 97...122: continue
      case 48...57, 45, 95: if place == 0 { return false }
      default: return false
      }
    }
    return !name.isEmpty
  }

  /// Returns the mapped property with a name; nil if there is none.
  public func property(_ name: JSONString) -> MappedProperty? {
    properties.first { $0.name == name }
  }

  /// The references, by the names of their relations.
  public func reference(_ relation: JSONString) -> CollectionReference? {
    properties.lazy.compactMap { $0.reference }.first { $0.relation == relation }
  }
}

/// A property that is stored in a field.
public struct MappedProperty: Hashable, Sendable {
  /// The name of the property in the application.
  public var name: JSONString
  /// The name of the field at the backend.
  public var field: JSONString
  /// The value of a loaded object if the field is missing.
  public var defaultValue: JSONValue?
  /// The target of the ids in the field; nil for plain values.
  public var reference: CollectionReference?

  /// A property with a plain value.
  public init(_ name: JSONString, field: JSONString? = nil, defaultValue: JSONValue? = nil) {
    self.name = name
    self.field = field ?? name
    self.defaultValue = defaultValue
  }

  /// A property that refers to objects, stored as their ids.
  ///
  /// - Parameter isComputed: whether the ids are computed by the getter of this property from a
  ///   relation of another name, and its setter loads that relation in the background.
  public init(
    _ name: JSONString, field: JSONString? = nil, to collection: JSONString, isToMany: Bool,
    relation: JSONString? = nil, isComputed: Bool = false, cascades: Bool = false,
    form: CollectionReference.Form = .ids
  ) {
    self.name = name
    self.field = field ?? name
    reference = CollectionReference(
      relation: relation ?? name, collection: collection, isToMany: isToMany,
      isComputed: isComputed, cascades: cascades, form: form)
  }
}

/// A relation to objects of a collection, stored as their ids.
///
/// Source: the guide, "Handling Relationships".
public struct CollectionReference: Hashable, Sendable {
  /// The stored form of a reference.
  public enum Form: String, CaseIterable, Sendable {
    /// As an id.
    case ids
    /// As `{"_type": "KinveyRef", "_collection": …, "_id": …}`.
    ///
    /// Source: KinveyKit 1.41, `KCSLinkedAppdataStore`.
    case kinveyRef
  }

  /// The property with the objects.
  public var relation: JSONString
  /// The name of the collection that is referred to.
  public var collection: JSONString
  /// Whether the field contains a list of ids, or one id.
  public var isToMany: Bool
  /// Whether the relation of a loaded object is loaded in the background.
  public var isComputed: Bool
  /// Whether a cascading removal follows the reference.
  public var cascades: Bool
  /// The stored form of the ids.
  public var form: Form
}
