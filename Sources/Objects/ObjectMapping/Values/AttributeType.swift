/// The types of attributes, with their names in the metadata document.
///
/// Source: the schema of `CDTISMetaData`, `typeName`.
public enum AttributeType: String, CaseIterable, Sendable {
  /// Any Unicode text, including NUL.
  case utf8
  /// A truth value.
  case bool
  /// Seconds since 1970-01-01T00:00:00Z, including fractions and negative values.
  case date1970
  /// An integer of 16 signed bits.
  case int16
  /// An integer of 32 signed bits.
  case int32
  /// An integer of 64 signed bits.
  case int64
  /// A double, also infinite or NaN.
  case double
  /// A float of 32 bits, also infinite or NaN.
  case float
  /// A decimal mantissa times a power of ten.
  case decimal
  /// Bytes that a class of the application converts from a value.
  case xform
  /// Bytes.
  case binary
  /// The URI of an object.
  case id
}
