public import Datastore
public import JSON

/// An object as stored: its properties and its names.
public struct ManagedObject: Hashable, Sendable {
  /// The id of the object, which is that of its document.
  public var id: ObjectID
  /// The name of the entity.
  public var entity: JSONString
  /// The properties by name; a missing property is nil or an empty relationship.
  public var properties: [JSONString: PropertyValue]
  /// The URI of the object; nil until it is assigned.
  public var identifier: JSONString?
  /// The number of saves; 1 if the document has no version.
  public var version: Int64

  /// Creates an object.
  public init(
    _ id: ObjectID, of entity: JSONString, _ properties: [JSONString: PropertyValue] = [:],
    identifier: JSONString? = nil, version: Int64 = 1
  ) {
    self.id = id
    self.entity = entity
    self.properties = properties
    self.identifier = identifier
    self.version = version
  }
}

extension ManagedObject: CustomStringConvertible {
  /// The object as JSON, its properties in byte order of their names.
  public var description: String {
    let values = properties.keys.inByteOrder.map { ($0, properties[$0]?.json ?? .null) }
    var json: JSONObject = ["id": id.json, "entity": .string(entity), "version": .integer(version)]
    if let identifier { json["identifier"] = .string(identifier) }
    json["properties"] = .object(JSONObject(values))
    return json.description
  }
}

/// A document that represents an object.
public struct EntityDocument: Hashable, Sendable {
  /// The body of the document.
  public var body: JSONObject
  /// The content of attachments, by the names of attributes; in the released form only.
  public var contents: [JSONString: Content]

  /// The content of an attachment.
  public struct Content: Hashable, Sendable {
    /// The media type.
    public var type: JSONString
    /// The bytes, not encoded.
    public var bytes: [UInt8]

    /// Creates a content.
    public init(type: JSONString, bytes: [UInt8]) {
      self.type = type
      self.bytes = bytes
    }
  }

  /// Creates a document; by default an empty one.
  public init(body: JSONObject = JSONObject(), contents: [JSONString: Content] = [:]) {
    self.body = body
    self.contents = contents
  }
}

/// The members of documents that are not properties.
///
/// Source: the schema of entity documents.
public enum EnvelopeMember {
  /// The member with the name of the entity.
  public static let entityName: JSONString = "CDTISEntityName"
  /// The member with the URI of the object.
  public static let identifier: JSONString = "CDTISIdentifier"
  /// The member with the number of saves.
  public static let version: JSONString = "CDTISObjectVersion"

  /// The maximum number of saves that a double can count.
  static let largestVersion: Int64 = 1 << 53

  /// The name of the member with the metadata of a property.
  public static func meta(of property: JSONString) -> JSONString {
    JSONString("CDTISMeta_\(property)")
  }
}

/// Members of the metadata of a value.
enum MetaMember {
  static let mimeType: JSONString = "mime-type"
  static let single: JSONString = "ieee754_single"
  static let double: JSONString = "ieee754_double"
  static let decimal: JSONString = "nsdecimal"
  static let nonFinite: JSONString = "nonFinite"
  /// The class of the transformer; written to the metadata document only.
  static let transformer: JSONString = "xform"
}

/// Tokens for numbers that JSON cannot represent.
enum NonFinite: String {
  case infinity
  case negativeInfinity = "-infinity"
  case nan
}
