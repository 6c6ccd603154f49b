internal import Datastore
internal import JSON
internal import ObjectMapping

// Attributes, with their default values and the rules for values.

extension ModelReader {
  /// Returns an attribute; nil for a transient attribute without a type.
  mutating func attribute(
    _ element: MarkupElement, of entity: JSONString
  ) throws(ModelFileError) -> AttributeDescription? {
    let name = try requiredName(element, "attribute", owner: entity)
    let part = "\(entity).\(name)"
    checkMembers(element, of: part, known: ModelVocabulary.attributeMembers)
    checkChildren(element, part)
    warnHashModifier(element, part)
    let isTransient = try flag(element, "transient")
    guard let type = try type(of: element, part) else {
      guard isTransient else {
        throw error(
          element, "the attribute \(part) has no type",
          expected: "one, or transient=\"YES\"")
      }
      warn(
        element, .untypedTransient, in: part,
        message: "the transient attribute has no type and is left out; documents never contain it")
      return nil
    }
    var attribute = AttributeDescription(
      name, type, isOptional: try flag(element, "optional"), isTransient: isTransient)
    attribute.renamedFrom = renaming(element, name)
    note(renamingOf: element, name, of: entity)
    if try flag(element, "derived") || element.nonEmpty("derivationExpression") != nil {
      warn(
        element, .derived, in: part,
        message:
          "the attribute is stored like any other: \(element["derivationExpression"] ?? "its value") "
          + "is not computed")
    }
    if let transformer = element.nonEmpty("valueTransformerName") {
      if type == .xform {
        attribute.transformer = transformer
      } else {
        warn(
          element, .unknown, in: part,
          message: "the transformer '\(transformer)' is ignored: only Transformable has one")
      }
    }
    attribute.defaultValue = try defaultValue(element, type, of: part)
    attribute.validation = try validation(element, type, of: part)
    return attribute
  }

  /// The type of an attribute; nil if it is undefined.
  private mutating func type(
    of element: MarkupElement, _ part: String
  ) throws(ModelFileError) -> AttributeType? {
    guard let name = element.nonEmpty("attributeType"), name != "Undefined" else { return nil }
    if let type = ModelVocabulary.types[name] { return type }
    guard ModelVocabulary.textTypes.contains(name) else {
      guard name != "Composite" else {
        throw error(
          element, "the attribute \(part) is a composite",
          expected: "separate attributes: the document format has no type for composites")
      }
      throw error(
        element, "the attribute \(part) has the type '\(name)'",
        expected: ModelVocabulary.typeNames)
    }
    warn(
      element, .storedAsText, in: part,
      message:
        "a \(name) is stored as utf8, because the document format has no type for it: convert it to "
        + (name == "UUID" ? "its 36 characters" : "its absolute text"))
    return .utf8
  }

  // MARK: Values

  private mutating func defaultValue(
    _ element: MarkupElement, _ type: AttributeType, of part: String
  ) throws(ModelFileError) -> AttributeValue? {
    if type == .date1970 {
      if let interval = element.nonEmpty("defaultDateTimeInterval") {
        return try date(interval, element, of: part)
      }
    }
    guard let text = element["defaultValueString"], type == .utf8 || !text.isEmpty else {
      return nil
    }
    switch type {
    case .date1970, .xform, .binary, .id:
      warn(
        element, .defaultValue, in: part,
        message: "the default '\(text)' is left out: the file does not define its value")
      return nil
    default:
      let value = Self.value(text, type)
      // The editor keeps the text when the type changes.
      if value == nil {
        warn(
          element, .defaultValue, in: part,
          message: "the default '\(text)' is left out: it is not a value of \(type.rawValue)")
      }
      return value
    }
  }

  private mutating func validation(
    _ element: MarkupElement, _ type: AttributeType, of part: String
  ) throws(ModelFileError) -> AttributeValidation {
    var validation = AttributeValidation()
    let minimum = element.nonEmpty("minValueString")
    let maximum = element.nonEmpty("maxValueString")
    switch type {
    case .utf8:
      validation.minimumLength = limit(minimum, element, of: part, what: "a length") {
        Int64($0.string)
      }
      validation.maximumLength = limit(maximum, element, of: part, what: "a length") {
        Int64($0.string)
      }
      validation.pattern = pattern(element, part)
      return validation
    case .date1970:
      if let text = element.nonEmpty("minDateTimeInterval") {
        validation.minimum = try date(text, element, of: part)
      }
      if let text = element.nonEmpty("maxDateTimeInterval") {
        validation.maximum = try date(text, element, of: part)
      }
      // The texts of dates repeat the intervals, in the language of the editor.
      for (text, value) in [(minimum, validation.minimum), (maximum, validation.maximum)]
      where value == nil {
        _ = limit(text, element, of: part, what: "seconds since 2001") { _ in Int64?.none }
      }
    case .int16, .int32, .int64, .double, .float, .decimal:
      let what = "a value of \(type.rawValue)"
      validation.minimum = limit(minimum, element, of: part, what: what) { Self.value($0, type) }
      validation.maximum = limit(maximum, element, of: part, what: what) { Self.value($0, type) }
    case .bool, .xform, .binary, .id:
      for text in [minimum, maximum] {
        _ = limit(text, element, of: part, what: "for a type with an order") { _ in Int64?.none }
      }
    }
    if element.nonEmpty("regularExpressionString") != nil {
      warn(
        element, .validation, in: part,
        message: "the pattern is left out: only a text can have one")
    }
    return validation
  }

  /// Reads a limit; warns if it is not what it has to be.
  private mutating func limit<Limit>(
    _ text: JSONString?, _ element: MarkupElement, of part: String, what: String,
    read: (JSONString) -> Limit?
  ) -> Limit? {
    guard let text else { return nil }
    let limit = read(text)
    if limit == nil {
      warn(
        element, .validation, in: part,
        message: "the limit '\(text)' is left out: it is not \(what)")
    }
    return limit
  }

  private mutating func pattern(_ element: MarkupElement, _ part: String) -> JSONString? {
    guard let pattern = element.nonEmpty("regularExpressionString") else { return nil }
    do throws(DatastoreError) {
      _ = try RegularExpression(pattern)
      return pattern
    } catch {
      warn(
        element, .validation, in: part,
        message: "the pattern '\(pattern)' is left out: \(error.message)")
      return nil
    }
  }

  /// A date from seconds since 2001-01-01T00:00:00Z, which is the epoch of Core Data.
  private func date(
    _ text: JSONString, _ element: MarkupElement, of part: String
  ) throws(ModelFileError) -> AttributeValue {
    guard let seconds = Double(text.string), seconds.isFinite else {
      throw error(
        element, "the date '\(text)' of \(part) is not a number",
        expected: "seconds since 2001-01-01T00:00:00Z")
    }
    return .date(seconds + 978_307_200)
  }

  /// The value of a text; nil if the type does not have it.
  private static func value(_ text: JSONString, _ type: AttributeType) -> AttributeValue? {
    let value: AttributeValue? =
      switch type {
      case .utf8: .text(text)
      case .bool:
        switch text {
        case "YES", "true", "1": .bool(true)
        case "NO", "false", "0": .bool(false)
        default: nil
        }
      // The editor also writes whole numbers as 0.0.
      case .int16, .int32, .int64:
        (Int64(text.string) ?? Double(text.string).flatMap { Int64(exactly: $0) })
          .map { .integer($0) }
      // A number beyond the range, such as 1e999, is read as infinity.
      case .double: Double(text.string).flatMap { $0.isFinite ? .double($0) : nil }
      case .float: Float(text.string).flatMap { $0.isFinite ? .float($0) : nil }
      case .decimal: DecimalNumber(text: text.utf8).map { .decimal($0) }
      case .date1970, .xform, .binary, .id: nil
      }
    return value.flatMap { $0.fits(type) ? $0 : nil }
  }
}
