internal import Digest
public import JSON

// Version hashes: 64 hexadecimal digits that are equal as long as stored objects are compatible.
//
// They are SHA-256 over a canonical description: JSON without spaces with members in a fixed order,
// defined in `Vectors/README.md`. Defaults, validation, delete rules and transient properties are
// not included, because they do not change stored data.

extension AttributeDescription {
  /// The hash of the attribute.
  public var versionHash: JSONString {
    ManagedObjectModel.hash(
      [
        ("attribute", .string(name)), ("type", .text(type.rawValue)),
        ("optional", .bool(isOptional)),
        ("transformer", transformer.map { .string($0) } ?? .null),
      ])
  }
}

extension RelationshipDescription {
  /// The hash of the relationship.
  public var versionHash: JSONString {
    ManagedObjectModel.hash(
      [
        ("relationship", .string(name)), ("destination", .string(destination)),
        ("inverse", inverse.map { .string($0) } ?? .null), ("many", .bool(isToMany)),
        ("optional", .bool(isOptional)),
      ])
  }
}

extension EntityDescription {
  /// The hash of the entity, independent of the order of its properties and of transient
  /// properties.
  public var versionHash: JSONString {
    let properties =
      attributes.filter { !$0.isTransient }.map { ($0.name, $0.versionHash) }
      + relationships.filter { !$0.isTransient }.map { ($0.name, $0.versionHash) }
    let ordered = properties.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    return ManagedObjectModel.hash(
      [("entity", .string(name)), ("properties", .array(ordered.map { .string($0.1) }))])
  }
}

extension ManagedObjectModel {
  /// The hashes of all entities by name, as in the metadata of a store.
  public var versionHashes: JSONObject {
    JSONObject(entities.map { ($0.name, .string($0.versionHash)) })
  }

  fileprivate static func hash(_ members: [(JSONString, JSONValue)]) -> JSONString {
    let text = JSONValue.object(JSONObject(members)).serialized()
    return JSONString(DigestAlgorithm.sha256.digest(of: Array(text.utf8)).hexadecimal)
  }
}
