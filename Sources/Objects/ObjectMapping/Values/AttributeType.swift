/// The types of attributes, as the metadata document names them.
///
/// Source: the schema of `CDTISMetaData`, `typeName`.
public enum AttributeType: String, CaseIterable, Sendable {
  /// Unicode text of any content, NUL included.
  case utf8
  case bool
  /// Seconds since 1970-01-01T00:00:00Z, fractions and negative ones included.
  case date1970
  case int16
  case int32
  case int64
  case double
  case float
  /// A decimal mantissa times a power of ten.
  case decimal
  /// Bytes that a class of the application makes out of a value.
  case xform
  case binary
  /// The URI of an object.
  case id
}
