internal import Datastore
internal import JSON

// The validation of models.

extension ManagedObjectModel {
  func check() throws(ModelError) {
    var names: Set<JSONString> = []
    for entity in entities {
      let path = "entities.\(entity.name)"
      try Self.checkName(entity.name, path: path)
      guard names.insert(entity.name).inserted else {
        throw ModelError(path: path, message: "another entity has this name")
      }
      try check(entity, path: path)
    }
  }

  /// Checks that an entity name contains no space, and that a property name is valid and not
  /// reserved by the document format.
  private static func checkName(_ name: JSONString, path: String) throws(ModelError) {
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: " ")) else {
      throw ModelError(path: path, message: "a name must not be empty or contain a space")
    }
  }

  private func check(_ entity: EntityDescription, path: String) throws(ModelError) {
    var names: Set<JSONString> = []
    for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
      let path = "\(path).\(name)"
      try Self.checkName(name, path: path)
      guard !name.utf8.starts(with: "CDTIS".utf8), !name.utf8.starts(with: "_".utf8) else {
        throw ModelError(path: path, message: "names that begin with CDTIS or _ are reserved")
      }
      guard names.insert(name).inserted else {
        throw ModelError(path: path, message: "another property has this name")
      }
    }
    for constraint in entity.uniquenessConstraints {
      for name in constraint where entity.attribute(name)?.isTransient ?? true {
        throw ModelError(path: "\(path).unique", message: "'\(name)' is not a stored attribute")
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
      attribute.transformer == nil || attribute.type == .xform, "only xform may have a transformer")
    try demand(
      attribute.mimeType == nil || attribute.type == .binary,
      "only binary may have a MIME type; that of xform comes from its transformer")
    for value in [attribute.defaultValue, validation.minimum, validation.maximum] {
      guard let value else { continue }
      try demand(value.fits(attribute.type), "expected a value of \(attribute.type.rawValue)")
    }
    try demand(
      validation.minimum == nil && validation.maximum == nil || attribute.type.isOrdered,
      "\(attribute.type.rawValue) cannot have a minimum or maximum")
    if let minimum = validation.minimum, let maximum = validation.maximum {
      try demand(!maximum.isLess(than: minimum), "the minimum exceeds the maximum")
    }
    try demand(
      validation.minimumLength ?? 0 <= validation.maximumLength ?? .max,
      "the minimum length exceeds the maximum length")
    try demand(
      validation.minimumLength == nil && validation.maximumLength == nil
        && validation.pattern == nil || attribute.type == .utf8,
      "only utf8 may have a length and a pattern")
    if let pattern = validation.pattern {
      do throws(DatastoreError) { _ = try RegularExpression(pattern) } catch {
        throw ModelError(path: path, message: "the pattern is not valid: \(error)")
      }
    }
  }

  private func check(
    _ relationship: RelationshipDescription, of entity: EntityDescription, path: String
  ) throws(ModelError) {
    guard let destination = self[relationship.destination] else {
      throw ModelError(path: path, message: "unknown entity \(relationship.destination)")
    }
    if let maximum = relationship.maximumCount, maximum < relationship.minimumCount {
      throw ModelError(path: path, message: "the minimum count exceeds the maximum count")
    }
    guard let name = relationship.inverse else { return }
    guard let inverse = destination.relationship(name), inverse.destination == entity.name,
      inverse.inverse == relationship.name
    else {
      throw ModelError(
        path: path, message: "\(destination.name).\(name) is not its inverse")
    }
  }
}

extension AttributeType {
  /// Whether the values of the type can have a minimum and a maximum.
  var isOrdered: Bool {
    switch self {
    case .int16, .int32, .int64, .double, .float, .decimal, .date1970: true
    case .utf8, .bool, .xform, .binary, .id: false
    }
  }

  /// The range of integers of the type; nil for any other type.
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
