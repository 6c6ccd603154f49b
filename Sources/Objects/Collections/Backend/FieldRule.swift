internal import Datastore
public import JSON
internal import ObjectMapping

/// A validation rule of a field of an entity.
///
/// Source: the guide, "Validation".
public struct FieldRule: Hashable, Sendable {
  /// The JSON kinds that a rule can require.
  public enum Kind: String, CaseIterable, Sendable {
    /// The kinds; `integer` also accepts a double without a fraction.
    case string, number, integer, boolean, array, object
  }

  /// The name of the field.
  public var field: JSONString
  /// Whether a non-null value is required; a missing value satisfies all other rules.
  public var isRequired: Bool
  /// The required kind of the value; nil for any kind.
  public var kind: Kind?
  /// The minimum and the maximum of a number.
  public var minimum: JSONValue?
  /// The maximum of a number; nil for none.
  public var maximum: JSONValue?
  /// A regular expression that the complete text must match.
  public var pattern: JSONString?

  /// Creates a rule for a field; by default it accepts every value.
  public init(
    _ field: JSONString, isRequired: Bool = false, kind: Kind? = nil, minimum: JSONValue? = nil,
    maximum: JSONValue? = nil, pattern: JSONString? = nil
  ) {
    self.field = field
    self.isRequired = isRequired
    self.kind = kind
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
  }

  /// The name of the first violated rule; nil if none is violated.
  ///
  /// Throws `tooLarge` for a text that is too long for the pattern.
  func failure(of entity: JSONObject) throws(DatastoreError) -> JSONString? {
    guard let value = entity[field], value != .null else { return isRequired ? "required" : nil }
    if let kind, !value.isOf(kind) { return "type" }
    if let minimum, value.isBelow(minimum) { return "minimum" }
    if let maximum, maximum.isBelow(value) { return "maximum" }
    if let pattern, let text = value.textValue {
      guard let expression = try? RegularExpression(pattern), try expression.matchesWhole(text)
      else { return "pattern" }
    }
    return nil
  }
}

extension JSONValue {
  fileprivate func isOf(_ kind: FieldRule.Kind) -> Bool {
    switch (kind, self) {
    case (.string, .string), (.boolean, .bool), (.array, .array), (.object, .object): true
    case (.number, .integer), (.number, .unsigned), (.number, .double): true
    case (.integer, .integer), (.integer, .unsigned): true
    case (.integer, .double(let value)): value.isFinite && value.rounded() == value
    default: false
    }
  }

  /// Whether a number is less than another, by exact values if both are integers.
  fileprivate func isBelow(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.unsigned(let left), .unsigned(let right)): left < right
    case (.integer, .unsigned): true
    case (.unsigned, .integer): false
    default:
      if let left = number, let right = other.number { left < right } else { false }
    }
  }
}
