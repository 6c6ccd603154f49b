internal import JSON

/// Bodies to the bytes of JSON text and back.
///
/// The text is what the shell of SQLite and `jq` read: compact, member order kept. Numbers come back
/// as they went in: integers in full, doubles with the fewest digits that only they have. A double is
/// written with a point or an exponent, and such a number is read as a double, so 1.0 stays one.
enum BodyCodec {
  /// The deepest value that is read back: a body, or one inside a filter that asks for it.
  static let depthMax = Limits.depthMax + 2

  /// The text of a value that a filter or a body can have; nil when it is none.
  static func encode(_ value: JSONValue) -> [UInt8]? {
    try? BodyWriter().text(of: value, depthMax: depthMax)
  }

  /// The value of a text that is read where it lies.
  static func decode(_ json: UnsafeBufferPointer<UInt8>) throws(BodyCodecError) -> JSONValue {
    var reader = BodyReader(json)
    return try reader.wholeValue()
  }
}

/// Why a stored text is no body.
struct BodyCodecError: Error, Hashable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
