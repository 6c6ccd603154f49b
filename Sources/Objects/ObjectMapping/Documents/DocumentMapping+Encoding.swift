internal import Datastore
internal import Digest
public import JSON

// Encoding of objects as documents.

extension DocumentMapping {
  /// The document of an object.
  ///
  /// Nil attributes and empty to-one relationships have no key; an empty to-many relationship is
  /// `[]`.
  public func encode(_ object: ManagedObject) throws(MappingError) -> EntityDocument {
    let entity = try entity(object.entity)
    var members: [(JSONString, JSONValue)] = [
      (EnvelopeMember.entityName, .string(object.entity)),
      (EnvelopeMember.version, .text(String(object.version))),
    ]
    if let identifier = object.identifier {
      members.append((EnvelopeMember.identifier, .string(identifier)))
    }
    var document = EntityDocument()
    var known = 0
    for attribute in entity.attributes {
      let value = object.properties[attribute.name]
      known += value == nil ? 0 : 1
      guard !attribute.isTransient else { continue }
      switch value ?? .none {
      case .none: continue
      case .attribute(let value):
        let written = try written(value, of: attribute)
        members.append((attribute.name, written.value))
        if let meta = written.meta {
          members.append((EnvelopeMember.meta(of: attribute.name), .object(meta)))
        }
        document.contents[attribute.name] = written.content
      default:
        throw MappingError(
          .wrongType, attribute.name, message: "expected an attribute value, found objects")
      }
    }
    for relationship in entity.relationships {
      let value = object.properties[relationship.name]
      known += value == nil ? 0 : 1
      guard !relationship.isTransient,
        let value = try written(value ?? .none, of: relationship)
      else { continue }
      members.append((relationship.name, value))
    }
    guard known == object.properties.count else {
      throw unknownProperty(among: object.properties, of: entity)
    }
    document.body = JSONObject(members)
    return document
  }

  /// A document with some properties changed, all other members kept, and the version incremented.
  ///
  /// A property that becomes nil loses its key and its metadata.
  public func update(
    _ document: EntityDocument, to object: ManagedObject, changed names: Set<JSONString>
  ) throws(MappingError) -> EntityDocument {
    let entity = try entity(object.entity)
    var document = document
    document.body[EnvelopeMember.version] = .text(String(object.version))
    if let identifier = object.identifier {
      document.body[EnvelopeMember.identifier] = .string(identifier)
    }
    var known = 0
    for attribute in entity.attributes where names.contains(attribute.name) {
      known += 1
      guard !attribute.isTransient else { continue }
      let meta = EnvelopeMember.meta(of: attribute.name)
      document.contents[attribute.name] = nil
      switch object.properties[attribute.name] ?? .none {
      case .none:
        document.body[attribute.name] = nil
        document.body[meta] = nil
      case .attribute(let value):
        let written = try written(value, of: attribute)
        document.body[attribute.name] = written.value
        document.body[meta] = written.meta.map { .object($0) }
        document.contents[attribute.name] = written.content
      default:
        throw MappingError(
          .wrongType, attribute.name, message: "expected an attribute value, found objects")
      }
    }
    for relationship in entity.relationships where names.contains(relationship.name) {
      known += 1
      guard !relationship.isTransient else { continue }
      document.body[relationship.name] = try written(
        object.properties[relationship.name] ?? .none, of: relationship)
    }
    guard known == names.count else {
      throw unknownProperty(among: object.properties, of: entity)
    }
    return document
  }

  private func unknownProperty(
    among properties: [JSONString: PropertyValue], of entity: EntityDescription
  ) -> MappingError {
    let unknown = properties.keys.filter {
      entity.attribute($0) == nil && entity.relationship($0) == nil
    }
    let first = unknown.min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return MappingError(.unknownProperty, first, message: "\(entity.name) has no such property")
  }

  private func written(
    _ value: PropertyValue, of relationship: RelationshipDescription
  ) throws(MappingError) -> JSONValue? {
    switch (value, relationship.isToMany) {
    case (.none, false): form == .released ? "" : nil
    case (.toOne(let id), false): id.json
    case (.none, true): []
    case (.toMany(let ids), true):
      // In byte order, so that equal sets yield equal documents.
      .array(
        Set(ids).sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }.map { $0.json })
    default:
      throw MappingError(
        .wrongType, relationship.name,
        message: "it is a \(relationship.isToMany ? "to-many" : "to-one") relationship")
    }
  }
}

extension DocumentMapping {
  /// The encoded form of a value in a document.
  struct Written {
    var value: JSONValue
    var meta: JSONObject?
    var content: EntityDocument.Content?
  }

  func written(
    _ value: AttributeValue, of attribute: AttributeDescription
  ) throws(MappingError) -> Written {
    switch (value, attribute.type) {
    case (.text(let text), .utf8): return Written(value: .string(text))
    case (.identifier(let text), .id): return Written(value: .string(text))
    case (.bool(let value), .bool):
      return Written(value: form == .released ? .bool(value) : value ? 1 : 0)
    case (.date(let seconds), .date1970): return Written(value: try date(seconds, attribute))
    case (.double(let value), .double): return double(value)
    case (.float(let value), .float): return float(value)
    case (.decimal(let value), .decimal): return decimal(value)
    case (.bytes(let bytes), .binary), (.bytes(let bytes), .xform):
      return content(bytes, of: attribute)
    case (.integer(let value), _):
      guard let range = attribute.type.integers else { break }
      guard range.contains(value) else {
        throw MappingError(
          .outOfRange, attribute.name,
          message: "\(value) is out of range for \(attribute.type.rawValue)")
      }
      return Written(value: .integer(value))
    default: break
    }
    throw MappingError(
      .wrongType, attribute.name, message: "expected a value of \(attribute.type.rawValue)")
  }

  private func date(
    _ seconds: Double, _ attribute: AttributeDescription
  ) throws(MappingError) -> JSONValue {
    guard seconds.isFinite else {
      throw MappingError(.nonFiniteDate, attribute.name, message: "\(seconds) is not a finite date")
    }
    // Whole seconds are written as integers; -0.0 remains a double.
    guard let whole = Int64(exactly: seconds), seconds != 0 || seconds.sign == .plus,
      whole.magnitude <= 1 << 53
    else { return .double(seconds) }
    return .integer(whole)
  }

  private func double(_ value: Double) -> Written {
    var meta: JSONObject = [MetaMember.double: JSONValue(value.bitPattern)]
    guard value.isFinite else {
      let largest = Double.greatestFiniteMagnitude
      meta = nonFinite(value) + meta
      guard !value.isNaN else { return Written(value: .null, meta: meta) }
      return Written(value: number(value < 0 ? -largest : largest), meta: meta)
    }
    return Written(value: number(value), meta: meta)
  }

  /// A double as a number; the released versions wrote a text.
  private func number(_ value: Double) -> JSONValue {
    guard form == .released else { return .double(value) }
    return .text(DecimalNumber(text: "\(value)".utf8)?.description ?? "\(value)")
  }

  private func float(_ value: Float) -> Written {
    let bits = value.bitPattern
    let image: JSONValue =
      .integer(form == .released ? Int64(Int32(bitPattern: bits)) : Int64(bits))
    var meta: JSONObject = [MetaMember.single: image]
    // The shortest digits are for people; but those of the largest float exceed it as a double.
    let largest = Double(Float.greatestFiniteMagnitude)
    guard value.isFinite else {
      meta = nonFinite(Double(value)) + meta
      guard !value.isNaN else { return Written(value: .null, meta: meta) }
      return Written(value: .double(value < 0 ? -largest : largest), meta: meta)
    }
    let shortest = Double("\(value)") ?? Double(value)
    return Written(
      value: .double(shortest.magnitude > largest ? Double(value) : shortest), meta: meta)
  }

  private func nonFinite(_ value: Double) -> JSONObject {
    let token: NonFinite = value.isNaN ? .nan : value < 0 ? .negativeInfinity : .infinity
    return [MetaMember.nonFinite: .text(token.rawValue)]
  }

  private func decimal(_ value: DecimalNumber) -> Written {
    let image: JSONObject = [MetaMember.decimal: .text(Base64.encode(value.image))]
    guard !value.isNaN else { return Written(value: .null, meta: nonFinite(.nan) + image) }
    return Written(value: .text(value.description), meta: image)
  }

  private func content(_ bytes: [UInt8], of attribute: AttributeDescription) -> Written {
    let type =
      attribute.mimeType ?? attribute.transformer.flatMap { transformers[$0]?.mimeType }
      ?? "application/octet-stream"
    let meta: JSONObject = [MetaMember.mimeType: .string(type)]
    guard form == .released else {
      return Written(value: .text(Base64.encode(bytes)), meta: meta)
    }
    return Written(
      value: .string(attribute.name), meta: meta,
      content: EntityDocument.Content(type: type, bytes: bytes))
  }
}

/// The members of both objects, the left ones first.
private func + (left: JSONObject, right: JSONObject) -> JSONObject {
  JSONObject((left.members + right.members).map { ($0.name, $0.value) })
}
