/// Reads an object member by member, and rejects unread members at the end.
///
///     var reader = try ObjectReader(value, path: "steps[3]")
///     let name = try reader.text("name")
///     let limit = try reader.optionalInteger("limit")
///     try reader.finish()  // steps[3].limt: unknown member; known here: name, limit
///
/// An absent member and an explicit `null` differ: `optional` returns nil for the former and
/// `.null` for the latter, and the typed methods reject `null`.
public struct ObjectReader: Sendable {
  /// The path from the root to this object; empty for the root.
  public let path: String

  private let object: JSONObject
  /// The names read so far, in order.
  private var known: [JSONString] = []

  /// A reader of the members of an object; any other value is a failure at `path`.
  public init(_ value: JSONValue, path: String = "") throws(DecodingFailure) {
    guard case .object(let object) = value else {
      throw DecodingFailure(path: path, expected: "an object", found: value)
    }
    self.init(object, path: path)
  }

  /// A reader of the members of an object at a path from the root.
  public init(_ object: JSONObject, path: String = "") {
    self.object = object
    self.path = path
  }

  /// The path from the root to a member, whether or not it exists.
  public func path(to name: JSONString) -> String { DecodingPath.member(name, of: path) }

  /// Throws if the object has a member that was not read; the message lists the names that were
  /// read.
  public func finish() throws(DecodingFailure) {
    guard object.count > 0,
      let unknown = object.members.first(where: { !known.contains($0.name) })
    else { return }
    let names = known.isEmpty ? "none" : known.map(\.string).joined(separator: ", ")
    let message = "unknown member; known here: \(names)"
    throw DecodingFailure(path: path(to: unknown.name), message: message)
  }

  /// The value of a member, including `.null`, or nil if it is absent.
  public mutating func optional(_ name: JSONString) -> JSONValue? {
    if !known.contains(name) { known.append(name) }
    return object[name]
  }

  /// The value of a member; an absent member is a failure.
  public mutating func required(_ name: JSONString) throws(DecodingFailure) -> JSONValue {
    guard let value = optional(name) else {
      throw DecodingFailure(path: path(to: name), message: "missing member")
    }
    return value
  }
}

extension ObjectReader {
  /// The text of a required string.
  public mutating func text(_ name: JSONString) throws(DecodingFailure) -> JSONString {
    try required(name).text(at: path(to: name))
  }

  /// The text of a string, or nil if the member is absent.
  public mutating func optionalText(_ name: JSONString) throws(DecodingFailure) -> JSONString? {
    try optional(name)?.text(at: path(to: name))
  }

  /// The value of a required integer of 64 signed bits.
  public mutating func integer(_ name: JSONString) throws(DecodingFailure) -> Int64 {
    try required(name).integer(at: path(to: name))
  }

  /// The value of an integer of 64 signed bits, or nil if the member is absent.
  public mutating func optionalInteger(_ name: JSONString) throws(DecodingFailure) -> Int64? {
    try optional(name)?.integer(at: path(to: name))
  }

  /// The truth value of a required boolean.
  public mutating func bool(_ name: JSONString) throws(DecodingFailure) -> Bool {
    try required(name).bool(at: path(to: name))
  }

  /// The truth value of a boolean, or nil if the member is absent.
  public mutating func optionalBool(_ name: JSONString) throws(DecodingFailure) -> Bool? {
    try optional(name)?.bool(at: path(to: name))
  }

  /// The elements of a required array.
  public mutating func array(_ name: JSONString) throws(DecodingFailure) -> [JSONValue] {
    try required(name).array(at: path(to: name))
  }

  /// The elements of an array, or nil if the member is absent.
  public mutating func optionalArray(_ name: JSONString) throws(DecodingFailure) -> [JSONValue]? {
    try optional(name)?.array(at: path(to: name))
  }

  /// A reader of a required object; the caller must finish it as well.
  public mutating func reader(_ name: JSONString) throws(DecodingFailure) -> ObjectReader {
    try ObjectReader(try required(name), path: path(to: name))
  }

  /// A reader of an object, or nil if the member is absent.
  public mutating func optionalReader(_ name: JSONString) throws(DecodingFailure) -> ObjectReader? {
    guard let value = optional(name) else { return nil }
    return try ObjectReader(value, path: path(to: name))
  }

  /// The decoded elements of a required array; `decode` receives each with its path.
  public mutating func elements<Element>(
    _ name: JSONString, _ decode: (JSONValue, _ path: String) throws(DecodingFailure) -> Element
  ) throws(DecodingFailure) -> [Element] {
    try required(name).elements(at: path(to: name), decode)
  }

  /// The decoded elements of an array, or nil if the member is absent.
  public mutating func optionalElements<Element>(
    _ name: JSONString, _ decode: (JSONValue, _ path: String) throws(DecodingFailure) -> Element
  ) throws(DecodingFailure) -> [Element]? {
    try optional(name)?.elements(at: path(to: name), decode)
  }
}
