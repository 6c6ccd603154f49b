/// The types of attributes, with their names in the metadata document.
///
/// Source: the schema of `CDTISMetaData`, `typeName`.
public enum AttributeType: String, CaseIterable, Sendable {
  /// Any Unicode text, including NUL.
  case utf8
  case bool
  /// Seconds since 1970-01-01T00:00:00Z, including fractions and negative values.
  case date1970
  case int16
  case int32
  case int64
  case double
  case float
  /// A decimal mantissa times a power of ten.
  case decimal
  /// Bytes that a class of the application converts from a value.
  case xform
  case binary
  /// The URI of an object.
  case id
}
