public import Datastore
internal import Digest
public import JSON

// Decoding of documents as objects, including documents of other clients.

extension DocumentMapping {
  /// The object of a document, with warnings.
  ///
  /// Unknown members are ignored. A document without identifier, version, images or MIME types was
  /// written by another client, and is read from its plain values.
  public func decode(
    _ document: EntityDocument, id: ObjectID
  ) throws(MappingError) -> (object: ManagedObject, warnings: [MappingWarning]) {
    let body = document.body
    let entity = try entity(of: body)
    var warnings: [MappingWarning] = []
    var object = ManagedObject(id, of: entity.name)
    object.identifier = try identifier(in: body)
    object.version = try version(in: body, &warnings)
    // Members are found in one pass; a look-up of each would be slow for wide objects.
    var members: [JSONString: JSONValue] = [:]
    members.reserveCapacity(body.count)
    for member in body.members { members[member.name] = member.value }
    for attribute in entity.attributes where !attribute.isTransient {
      let stored = Stored(
        value: members[attribute.name],
        meta: try meta(members[EnvelopeMember.meta(of: attribute.name)], of: attribute),
        content: document.contents[attribute.name])
      if let value = try value(stored, of: attribute, &warnings) {
        object.properties[attribute.name] = .attribute(value)
      }
    }
    for relationship in entity.relationships where !relationship.isTransient {
      let value = try references(members[relationship.name] ?? .null, of: relationship)
      if value != .none { object.properties[relationship.name] = value }
    }
    return (object, warnings)
  }

  /// The entity of a document; throws if the document is not an object of the model.
  func entity(of body: JSONObject) throws(MappingError) -> EntityDescription {
    guard case .string(let name)? = body[EnvelopeMember.entityName], !name.isEmpty,
      !name.utf8.contains(UInt8(ascii: " "))
    else {
      throw MappingError(
        .noEntity, EnvelopeMember.entityName, message: "the document is not an object")
    }
    return try entity(name)
  }

  /// The transformed value of an attribute of a decoded document; nil for nil.
  ///
  /// The transformer is the one that the model names; otherwise the one stored with the value.
  public func value<Value>(
    of name: JSONString, in object: ManagedObject, _ document: EntityDocument, as type: Value.Type
  ) throws(MappingError) -> Value? {
    guard let attribute = try entity(object.entity).attribute(name), attribute.type == .xform else {
      throw MappingError(
        .unknownProperty, name, message: "\(object.entity) has no such transformable attribute")
    }
    guard case .attribute(.bytes(let bytes))? = object.properties[name] else { return nil }
    let meta = document.body[EnvelopeMember.meta(of: name)]?.objectValue
    return try transformers.value(
      of: bytes, attribute, named: meta?[MetaMember.transformer]?.textValue, as: type)
  }

  private func identifier(in body: JSONObject) throws(MappingError) -> JSONString? {
    switch body[EnvelopeMember.identifier] {
    case nil: return nil
    case .string(let text)?: return text
    default:
      throw MappingError(
        .badEnvelope, EnvelopeMember.identifier, message: "expected a string as identifier")
    }
  }

  private func version(
    in body: JSONObject, _ warnings: inout [MappingWarning]
  ) throws(MappingError) -> Int64 {
    let version: Int64?
    switch body[EnvelopeMember.version] {
    case nil: return 1
    case .string(let text)?:
      let isDigits = text.utf8.allSatisfy { (48...57).contains($0) }
      version = isDigits ? Int64(text.string) : nil
    case .integer(let number)?:
      warnings.append(MappingWarning(.versionIsNumber, EnvelopeMember.version))
      version = number
    case .double(let number)?:
      warnings.append(MappingWarning(.versionIsNumber, EnvelopeMember.version))
      version = Int64(exactly: number)
    default: version = nil
    }
    guard let version, (1...EnvelopeMember.largestVersion).contains(version) else {
      throw MappingError(
        .badEnvelope, EnvelopeMember.version,
        message: "expected the text of a number, 1 or more, as version"
      )
    }
    return version
  }

  private func meta(
    _ value: JSONValue?, of attribute: AttributeDescription
  ) throws(MappingError) -> JSONObject {
    switch value {
    case nil: return JSONObject()
    case .object(let object)?: return object
    default:
      throw MappingError(
        .badEnvelope, EnvelopeMember.meta(of: attribute.name),
        message: "expected an object as metadata of a value")
    }
  }

  private func references(
    _ value: JSONValue, of relationship: RelationshipDescription
  ) throws(MappingError) -> PropertyValue {
    switch (value, relationship.isToMany) {
    case (.null, false), (.string(""), false): return .none
    case (.string(let id), false): return .toOne(ObjectID(id))
    case (.null, true): return .toMany([])
    case (.array(let elements), true):
      var ids: [ObjectID] = []
      var known: Set<ObjectID> = []
      for element in elements {
        guard case .string(let text) = element else { break }
        // The released versions wrote empty references.
        if !text.isEmpty, known.insert(ObjectID(text)).inserted { ids.append(ObjectID(text)) }
      }
      guard elements.allSatisfy({ $0.textValue != nil }) else { break }
      return .toMany(ids.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) })
    default: break
    }
    throw MappingError(
      .wrongType, relationship.name,
      message: "expected \(relationship.isToMany ? "a list of document ids" : "a document id")")
  }
}

/// The members of a document for one attribute.
struct Stored {
  var value: JSONValue?
  var meta: JSONObject
  var content: EntityDocument.Content?
}

extension DocumentMapping {
  /// The value of an attribute; nil if it has none.
  func value(
    _ stored: Stored, of attribute: AttributeDescription, _ warnings: inout [MappingWarning]
  ) throws(MappingError) -> AttributeValue? {
    // A client that removed the value may have kept its metadata. NaN may have no member.
    guard stored.value != nil || stored.meta[MetaMember.nonFinite] == .text(NonFinite.nan.rawValue)
    else { return nil }
    switch attribute.type {
    case .double: return try double(stored, of: attribute.name, &warnings).map { .double($0) }
    case .float: return try float(stored, of: attribute.name).map { .float($0) }
    case .decimal: return try decimal(stored, of: attribute.name, &warnings).map { .decimal($0) }
    default: break
    }
    guard let value = stored.value, value != .null else { return nil }
    switch (attribute.type, value) {
    case (.utf8, .string(let text)): return .text(text)
    case (.id, .string(let text)): return .identifier(text)
    case (.bool, .bool(let value)): return .bool(value)
    case (.bool, _):
      if let number = value.number { return .bool(number != 0) }
    case (.date1970, _):
      guard let seconds = value.number else { break }
      guard seconds.isFinite else {
        throw MappingError(
          .nonFiniteDate, attribute.name, message: "\(seconds) is not a finite date")
      }
      return .date(seconds)
    case (.int16, _), (.int32, _), (.int64, _):
      return .integer(try integer(value, of: attribute, &warnings))
    case (.binary, .string(let text)), (.xform, .string(let text)):
      return .bytes(try bytes(text, stored, of: attribute.name))
    default: break
    }
    throw MappingError(
      .wrongType, attribute.name,
      message: "expected a value of \(attribute.type.rawValue), found \(value.kind)")
  }

  private func integer(
    _ value: JSONValue, of attribute: AttributeDescription, _ warnings: inout [MappingWarning]
  ) throws(MappingError) -> Int64 {
    let integer: Int64?
    switch value {
    case .integer(let number): integer = number
    case .unsigned: integer = nil
    case .double(let number) where number == number.rounded(): integer = Int64(exactly: number)
    default:
      throw MappingError(
        .wrongType, attribute.name, message: "expected an integer, found \(value.serialized())")
    }
    guard let integer, attribute.type.integers?.contains(integer) == true else {
      throw MappingError(
        .outOfRange, attribute.name,
        message: "\(value.serialized()) is not a valid \(attribute.type.rawValue)")
    }
    if integer.magnitude > 1 << 53, Transport.mayHaveRounded(integer) {
      warnings.append(MappingWarning(.integerMayBeRounded, attribute.name))
    }
    return integer
  }

  /// The bytes of an attachment, or those inside the document.
  private func bytes(
    _ text: JSONString, _ stored: Stored, of name: JSONString
  ) throws(MappingError) -> [UInt8] {
    // The released versions write the name of the content here; other content is unrelated.
    if let content = stored.content, text == name { return content.bytes }
    guard let bytes = Base64.decode(text.utf8) else {
      if text == name {
        throw MappingError(
          .missingContent, name, message: "its content is in an attachment that was not read")
      }
      throw MappingError(.badBase64, name, message: "'\(text)' is not valid base64")
    }
    return bytes
  }

  private func decimal(
    _ stored: Stored, of name: JSONString, _ warnings: inout [MappingWarning]
  ) throws(MappingError) -> DecimalNumber? {
    var number: DecimalNumber?
    switch stored.value {
    case nil, .null?: break
    case .string(let text)?: number = DecimalNumber(text: text.utf8)
    case .integer?, .unsigned?, .double?:
      number = DecimalNumber(text: stored.value?.serialized().utf8 ?? "".utf8)
    default: break
    }
    if let value = stored.value, value != .null, number == nil {
      guard value.textValue?.isNumeric ?? (value.number != nil) else {
        throw MappingError(
          .wrongType, name, message: "expected a decimal, found \(value.serialized())")
      }
      throw MappingError(
        .outOfRange, name, message: "\(value.serialized()) is not a decimal of 128 bits")
    }
    if let token = stored.meta[MetaMember.nonFinite] {
      guard token == .text(NonFinite.nan.rawValue) else {
        throw MappingError(.badImage, name, message: "the only token of a decimal is NaN")
      }
      number = .nan
    }
    if let image = stored.meta[MetaMember.decimal] {
      guard let bytes = image.textValue.flatMap({ Base64.decode($0.utf8) }),
        let pictured = DecimalNumber(image: bytes)
      else {
        throw MappingError(.badImage, name, message: "invalid image of a decimal")
      }
      guard number ?? pictured == pictured else {
        throw MappingError(
          .decimalImageMismatch, name,
          message: "the text is \(number ?? pictured), the image is \(pictured)")
      }
      number = pictured
    }
    if number?.isLongerThanPromised == true {
      warnings.append(MappingWarning(.longDecimal, name))
    }
    return number
  }
}

extension JSONString {
  /// Whether the text has the syntax of a JSON number; Swift accepts more, such as `inf` and
  /// `0x10`.
  var isNumeric: Bool {
    utf8.contains { (48...57).contains($0) }
      && utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
  }
}

extension JSONValue {
  /// The number, rounded to a double.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}
