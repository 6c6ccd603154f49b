/// A JSON value that preserves every difference that an operation on a store can observe.
///
/// A number preserves its form as far as it can matter: an integer of 64 signed bits, one that
/// needs the 64th unsigned bit, or a double (written with a fraction or an exponent). An object
/// preserves the order of its members. `==` distinguishes all of these; `isSameValue(as:)` is the
/// equality of JSON values.
public enum JSONValue: Hashable, Sendable {
  /// The value `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// An integer of 64 signed bits.
  case integer(Int64)
  /// An integer above `Int64.max`; a smaller one is always `integer`.
  case unsigned(UInt64)
  /// Any other number; `-0` is a double, whether written `-0` or `-0.0`.
  case double(Double)
  /// A string, compared and stored as its UTF-8 bytes.
  case string(JSONString)
  /// An array; its elements are ordered.
  case array([JSONValue])
  /// An object; its members keep their order.
  case object(JSONObject)
}

extension JSONValue {
  /// The value of an unsigned integer in its only form: `integer` up to `Int64.max`, otherwise
  /// `unsigned`.
  public init(_ value: UInt64) {
    if let signed = Int64(exactly: value) {
      self = .integer(signed)
    } else {
      self = .unsigned(value)
    }
  }

  /// A string value.
  public static func text(_ string: String) -> JSONValue { .string(JSONString(string)) }

  /// The members, or nil if the value is not an object.
  public var objectValue: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The elements, or nil if the value is not an array.
  public var arrayValue: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text, or nil if the value is not a string.
  public var textValue: JSONString? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number, or nil if the value is not an integer of 64 signed bits.
  public var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The truth value, or nil if the value is not a boolean.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The kind of the value in error messages.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .unsigned, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

// `nil` is not a literal for null: an absent value and the value null must look different.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(JSONString(value)) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (JSONString, JSONValue)...) {
    self = .object(JSONObject(elements.map { ($0.0, $0.1) }))
  }
}
