public import Datastore
public import JSON

/// The single document that describes the model of a store.
///
/// Source: the schema of `CDTISMetaData`.
public struct MetadataDocument: Hashable, Sendable {
  /// The id of the document.
  public static let id: DocumentID = "CDTISMetaData"

  /// Core Data's metadata of the store; unknown members are kept.
  public var metadata: JSONObject
  /// The entities of the model.
  public var entities: [Entity]
  /// Written by old versions; kept.
  public var run: JSONString?

  /// An entity of the model.
  public struct Entity: Hashable, Sendable {
    /// The name of the entity.
    public var name: JSONString
    /// The hash of the entity, in 64 hexadecimal digits.
    public var versionHash: JSONString
    /// The attributes and relationships.
    public var properties: [Property]
  }

  /// An attribute or a relationship.
  public struct Property: Hashable, Sendable {
    /// The name of the property.
    public var name: JSONString
    /// The name of a type.
    public var typeName: JSONString
    /// The hash of the property, in 64 hexadecimal digits.
    public var versionHash: JSONString
    /// The class of the transformer; for `xform` only.
    public var transformer: JSONString?
    /// The destination entity; for relationships only.
    public var destination: JSONString?
  }

  static let storeIdentifier: JSONString = "NSStoreUUID"
  static let storeType: JSONString = "NSStoreType"
  static let versionHashes: JSONString = "NSStoreModelVersionHashes"

  /// The description of a model for a store of the given identifier.
  public init(_ model: ManagedObjectModel, storeIdentifier: JSONString, storeType: JSONString) {
    metadata = [
      Self.storeIdentifier: .string(storeIdentifier), Self.storeType: .string(storeType),
      Self.versionHashes: .object(model.versionHashes),
    ]
    entities = model.entities.map { Entity($0) }
  }

  /// Replaces the description of the model; all other data about the store is kept.
  public mutating func describe(_ model: ManagedObjectModel) {
    metadata[Self.versionHashes] = .object(model.versionHashes)
    entities = model.entities.map { Entity($0) }
  }

  /// The stable identifier of the store; nil if the document has none.
  public var storeIdentifier: JSONString? { metadata[Self.storeIdentifier]?.textValue }
}

extension MetadataDocument.Entity {
  init(_ entity: EntityDescription) {
    name = entity.name
    versionHash = entity.versionHash
    properties =
      entity.attributes.filter { !$0.isTransient }.map {
        MetadataDocument.Property(
          name: $0.name, typeName: JSONString($0.type.rawValue), versionHash: $0.versionHash,
          transformer: $0.transformer)
      }
      + entity.relationships.filter { !$0.isTransient }.map {
        MetadataDocument.Property(
          name: $0.name, typeName: $0.typeName, versionHash: $0.versionHash,
          destination: $0.destination)
      }
  }
}

extension MetadataDocument {
  /// The names of the types of attributes and relationships.
  static let typeNames: Set<JSONString> = Set(
    AttributeType.allCases.map { JSONString($0.rawValue) }
  )
  .union(["relation-to-one", "relation-to-many"])

  /// The body of the document.
  public var body: JSONObject {
    var body: JSONObject = ["metaData": .object(metadata)]
    body["objectModel"] = .object(
      JSONObject(
        entities.map { entity in
          (
            entity.name,
            [
              "versionHash": .string(entity.versionHash),
              "properties": .object(
                JSONObject(entity.properties.map { ($0.name, .object($0.json)) })),
            ]
          )
        }))
    body["run"] = run.map { .string($0) }
    return body
  }

  /// Reads a body; throws `badEnvelope` with the member concerned and the expectation.
  public init(_ body: JSONObject) throws(MappingError) {
    do throws(DecodingFailure) {
      var reader = ObjectReader(body)
      guard case .object(let metadata) = try reader.required("metaData") else {
        throw DecodingFailure(path: "metaData", message: "expected an object")
      }
      self.metadata = metadata
      guard case .object(let model) = try reader.required("objectModel") else {
        throw DecodingFailure(path: "objectModel", message: "expected an object")
      }
      run = try reader.optionalText("run")
      var entities: [Entity] = []
      for member in model.members {
        let path = "objectModel.\(member.name)"
        var reader = try ObjectReader(member.value, path: path)
        var entity = Entity(
          name: member.name, versionHash: try Self.hash(&reader), properties: [])
        guard case .object(let properties) = try reader.required("properties") else {
          throw DecodingFailure(path: "\(path).properties", message: "expected an object")
        }
        for property in properties.members {
          entity.properties.append(
            try Property(property.name, property.value, path: "\(path).\(property.name)"))
        }
        entities.append(entity)
      }
      self.entities = entities
    } catch {
      // The member of the document; the rest of the path is for people.
      let member = error.path.split(separator: ".").first.map { JSONString(String($0)) }
      throw MappingError(.badEnvelope, member, message: "\(error.path): \(error.message)")
    }
  }

  /// 64 hexadecimal digits, normalized to lower case.
  static func hash(_ reader: inout ObjectReader) throws(DecodingFailure) -> JSONString {
    let text = try reader.text("versionHash")
    let isHash =
      text.utf8.count == 64
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0 | 0x20) }
    guard isHash else {
      throw DecodingFailure(
        path: reader.path(to: "versionHash"), message: "expected 64 hexadecimal digits")
    }
    return JSONString(text.string.lowercased())
  }
}

extension MetadataDocument.Property {
  var json: JSONObject {
    var json: JSONObject = [
      "typeName": .string(typeName), "versionHash": .string(versionHash),
    ]
    json["xform"] = transformer.map { .string($0) }
    json["destination"] = destination.map { .string($0) }
    return json
  }

  init(_ name: JSONString, _ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.name = name
    typeName = try reader.text("typeName")
    guard MetadataDocument.typeNames.contains(typeName) else {
      throw DecodingFailure(path: "\(path).typeName", message: "unknown type '\(typeName)'")
    }
    versionHash = try MetadataDocument.hash(&reader)
    transformer = try reader.optionalText("xform")
    destination = try reader.optionalText("destination")
    if let said = try reader.optionalText("name"), said != name {
      throw DecodingFailure(
        path: "\(path).name", message: "expected the name of the property, '\(name)'")
    }
    let isRelationship = typeName.utf8.starts(with: "relation-".utf8)
    guard isRelationship == (destination != nil) else {
      throw DecodingFailure(
        path: "\(path).destination",
        message: "relationships require a destination, attributes must not have one")
    }
    guard transformer == nil || typeName == "xform" else {
      throw DecodingFailure(path: "\(path).xform", message: "only xform may have a transformer")
    }
  }
}
