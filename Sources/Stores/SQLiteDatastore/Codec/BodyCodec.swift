internal import JSON

/// Conversion between bodies and JSON text.
///
/// The text is compact and keeps the member order; the SQLite shell and `jq` can read it. Numbers
/// are preserved: integers in full, doubles with the fewest digits that identify them. A double is
/// written with a point or an exponent and such a number is read as a double, so 1.0 remains one.
enum BodyCodec {
  /// The maximum depth of a decoded value: a body, or one inside a filter.
  static let depthMax = Limits.depthMax + 2

  /// The text of a value of a filter or a body; nil if the value cannot be encoded.
  static func encode(_ value: JSONValue) -> [UInt8]? {
    try? BodyWriter().text(of: value, depthMax: depthMax)
  }

  /// Decodes a text without copying it.
  static func decode(_ json: UnsafeBufferPointer<UInt8>) throws(BodyCodecError) -> JSONValue {
    var reader = BodyReader(json)
    return try reader.wholeValue()
  }
}

/// The error for a stored text that is not a valid body.
struct BodyCodecError: Error, Hashable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
