internal import Datastore
internal import JSON

// What makes a model sound.

extension ManagedObjectModel {
  func check() throws(ModelError) {
    var names: Set<JSONString> = []
    for entity in entities {
      let path = "entities.\(entity.name)"
      try Self.checkName(entity.name, path: path)
      guard names.insert(entity.name).inserted else {
        throw ModelError(path: path, message: "there is another entity of this name")
      }
      try check(entity, path: path)
    }
  }

  /// Entity names are without spaces; a name of a property is that, and leaves alone what the
  /// documents use for themselves.
  private static func checkName(_ name: JSONString, path: String) throws(ModelError) {
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: " ")) else {
      throw ModelError(path: path, message: "a name is not empty and has no space")
    }
  }

  private func check(_ entity: EntityDescription, path: String) throws(ModelError) {
    var names: Set<JSONString> = []
    for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
      let path = "\(path).\(name)"
      try Self.checkName(name, path: path)
      guard !name.utf8.starts(with: "CDTIS".utf8), !name.utf8.starts(with: "_".utf8) else {
        throw ModelError(path: path, message: "names that begin with CDTIS or _ are taken")
      }
      guard names.insert(name).inserted else {
        throw ModelError(path: path, message: "there is another property of this name")
      }
    }
    for constraint in entity.uniquenessConstraints {
      for name in constraint where entity.attribute(name)?.isTransient ?? true {
        throw ModelError(path: "\(path).unique", message: "'\(name)' is no stored attribute")
      }
    }
    for attribute in entity.attributes {
      try Self.check(attribute, path: "\(path).\(attribute.name)")
    }
    for relationship in entity.relationships {
      try check(relationship, of: entity, path: "\(path).\(relationship.name)")
    }
  }

  private static func check(
    _ attribute: AttributeDescription, path: String
  ) throws(ModelError) {
    func demand(_ isSo: Bool, _ message: String) throws(ModelError) {
      guard isSo else { throw ModelError(path: path, message: message) }
    }
    let validation = attribute.validation
    try demand(
      attribute.transformer == nil || attribute.type == .xform, "only xform has a transformer")
    try demand(
      attribute.mimeType == nil || attribute.type == .binary,
      "only binary has a MIME type of its own; that of xform is its transformer's")
    for value in [attribute.defaultValue, validation.minimum, validation.maximum] {
      guard let value else { continue }
      try demand(value.fits(attribute.type), "this is no value of \(attribute.type.rawValue)")
    }
    try demand(
      validation.minimum == nil && validation.maximum == nil || attribute.type.isOrdered,
      "\(attribute.type.rawValue) has no least and no greatest value")
    try demand(
      validation.minimumLength == nil && validation.maximumLength == nil
        && validation.pattern == nil || attribute.type == .utf8,
      "only utf8 has a length and a pattern")
    if let pattern = validation.pattern {
      do throws(DatastoreError) { _ = try RegularExpression(pattern) } catch {
        throw ModelError(path: path, message: "its pattern is none of the dialect: \(error)")
      }
    }
  }

  private func check(
    _ relationship: RelationshipDescription, of entity: EntityDescription, path: String
  ) throws(ModelError) {
    guard let destination = self[relationship.destination] else {
      throw ModelError(path: path, message: "there is no entity \(relationship.destination)")
    }
    if let maximum = relationship.maximumCount, maximum < relationship.minimumCount {
      throw ModelError(path: path, message: "it has at least more than at most")
    }
    guard let name = relationship.inverse else { return }
    guard let inverse = destination.relationship(name), inverse.destination == entity.name,
      inverse.inverse == relationship.name
    else {
      throw ModelError(
        path: path, message: "\(destination.name).\(name) does not lead back to it")
    }
  }
}

extension AttributeType {
  /// Whether its values have a least and a greatest.
  var isOrdered: Bool {
    switch self {
    case .int16, .int32, .int64, .double, .float, .decimal, .date1970: true
    case .utf8, .bool, .xform, .binary, .id: false
    }
  }

  /// The integers of the type; nil of any other type.
  var integers: ClosedRange<Int64>? {
    switch self {
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .int64: Int64.min...Int64.max
    default: nil
    }
  }
}

extension AttributeValue {
  /// Whether an attribute of the type can have the value.
  public func fits(_ type: AttributeType) -> Bool {
    switch (self, type) {
    case (.text, .utf8), (.bool, .bool), (.double, .double), (.float, .float),
      (.decimal, .decimal), (.bytes, .xform), (.bytes, .binary), (.identifier, .id):
      true
    case (.date(let seconds), .date1970): seconds.isFinite
    case (.integer(let value), _): type.integers?.contains(value) ?? false
    default: false
    }
  }
}
