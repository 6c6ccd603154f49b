public import JSON

/// A non-nil value of an attribute.
///
/// Equality is bitwise: the two zeros differ, and a NaN equals itself.
public enum AttributeValue: Sendable {
  /// A text.
  case text(JSONString)
  /// A truth value.
  case bool(Bool)
  /// Seconds since 1970-01-01T00:00:00Z, finite.
  case date(Double)
  /// An integer of 16, 32 or 64 bits.
  case integer(Int64)
  /// A double.
  case double(Double)
  /// A float of 32 bits.
  case float(Float)
  /// A decimal number.
  case decimal(DecimalNumber)
  /// Binary content, or the output of a transformer.
  case bytes([UInt8])
  /// The URI of an object.
  case identifier(JSONString)
}

extension AttributeValue: Hashable {
  public static func == (left: AttributeValue, right: AttributeValue) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.date(let left), .date(let right)): left.bitPattern == right.bitPattern
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.decimal(let left), .decimal(let right)): left == right
    case (.bytes(let left), .bytes(let right)): left == right
    case (.identifier(let left), .identifier(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let value), .identifier(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .date(let value), .double(let value): hasher.combine(value.bitPattern)
    case .integer(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value.bitPattern)
    case .decimal(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    }
  }
}

/// The value of a property: none, an attribute value, or other objects.
public enum PropertyValue: Hashable, Sendable {
  /// No value; for a to-one relationship, no object.
  case none
  /// The value of an attribute.
  case attribute(AttributeValue)
  /// The document of the object.
  case toOne(ObjectID)
  /// The documents of the objects, without order.
  case toMany([ObjectID])
}
