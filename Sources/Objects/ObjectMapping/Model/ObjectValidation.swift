public import Datastore
public import JSON

/// A violated validation rule of a saved object, with the codes of Core Data.
///
/// Source: NSValidationError codes; a single failure is reported with its own code, several with
/// 1560.
public struct ValidationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons, with the codes of Core Data.
  public enum Reason: Int64, Sendable {
    /// A required value is nil.
    case missing = 1570
    /// A relationship has fewer objects than its minimum.
    case tooFew = 1580
    /// A relationship has more objects than its maximum.
    case tooMany = 1590
    /// A relationship with the rule `deny` refers to objects that are not deleted.
    case deniedDelete = 1600
    /// A number is above its maximum.
    case tooLarge = 1610
    /// A number is below its minimum.
    case tooSmall = 1620
    /// A date is after its maximum.
    case tooLate = 1630
    /// A date is before its minimum.
    case tooSoon = 1640
    /// A text is longer than its maximum.
    case tooLong = 1660
    /// A text is shorter than its minimum.
    case tooShort = 1670
    /// A text does not match its pattern.
    case patternUnmatched = 1680
  }

  /// The name of the entity.
  public let entity: JSONString
  /// The name of the property.
  public let property: JSONString
  /// The violated rule.
  public let reason: Reason

  /// Creates a failure.
  public init(entity: JSONString, property: JSONString, reason: Reason) {
    self.entity = entity
    self.property = property
    self.reason = reason
  }

  public var description: String {
    let words =
      switch reason {
      case .missing: "is nil and must not be"
      case .tooFew: "has too few objects"
      case .tooMany: "has too many objects"
      case .deniedDelete: "denies the deletion"
      case .tooLarge: "is too large"
      case .tooSmall: "is too small"
      case .tooLate: "is too late"
      case .tooSoon: "is too soon"
      case .tooLong: "is too long"
      case .tooShort: "is too short"
      case .patternUnmatched: "does not match its pattern"
      }
    return "\(entity).\(property) \(words) (\(reason.rawValue))"
  }
}

extension EntityDescription {
  /// All validation failures of an object before a save, in the order of the model; transient
  /// properties are checked as well.
  ///
  /// Throws `tooLarge` for a text that is too long for the pattern of its attribute.
  public func failures(
    of properties: [JSONString: PropertyValue]
  ) throws(DatastoreError) -> [ValidationFailure] {
    var failures: [ValidationFailure] = []
    func note(_ property: JSONString, _ reason: ValidationFailure.Reason?) {
      guard let reason else { return }
      failures.append(ValidationFailure(entity: name, property: property, reason: reason))
    }
    for attribute in attributes {
      if case .attribute(let value)? = properties[attribute.name] {
        note(attribute.name, try attribute.validation.reason(against: value))
      } else if !attribute.isOptional {
        note(attribute.name, .missing)
      }
    }
    for relationship in relationships {
      switch properties[relationship.name] ?? .none {
      case .toMany(let objects) where !objects.isEmpty || !relationship.isOptional:
        let count = Int64(Set(objects).count)
        if count == 0 {
          note(relationship.name, .missing)
        } else if count < relationship.minimumCount {
          note(relationship.name, .tooFew)
        } else if count > relationship.maximumCount ?? .max {
          note(relationship.name, .tooMany)
        }
      case .none where !relationship.isOptional: note(relationship.name, .missing)
      default: break
      }
    }
    return failures
  }
}

extension AttributeValidation {
  /// The reason for which a value cannot be saved, or nil.
  func reason(
    against value: AttributeValue
  ) throws(DatastoreError) -> ValidationFailure.Reason? {
    let isDate = if case .date = value { true } else { false }
    if let minimum, value.isLess(than: minimum) { return isDate ? .tooSoon : .tooSmall }
    if let maximum, maximum.isLess(than: value) { return isDate ? .tooLate : .tooLarge }
    guard case .text(let text) = value else { return nil }
    let length = Int64(text.string.utf16.count)
    if let minimumLength, length < minimumLength { return .tooShort }
    if let maximumLength, length > maximumLength { return .tooLong }
    // A model with an invalid pattern cannot exist.
    guard let pattern, let expression = try? RegularExpression(pattern) else { return nil }
    return try expression.matchesWhole(text) ? nil : .patternUnmatched
  }
}

extension AttributeValue {
  /// Whether a number or date is less than another of its type; NaN is not less than any value.
  func isLess(than other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
      left < right
    case (.float(let left), .float(let right)): left < right
    case (.decimal(let left), .decimal(let right)): left.isLess(than: right)
    default: false
    }
  }
}
