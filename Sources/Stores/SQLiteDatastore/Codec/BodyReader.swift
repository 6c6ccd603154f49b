internal import JSON

/// A strict reader of JSON text: rejects duplicate names in an object and data after the value.
struct BodyReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var place = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The byte at the current position; 0, which is valid nowhere in JSON, at the end.
  var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

  /// The value of the complete text.
  mutating func wholeValue() throws(BodyCodecError) -> JSONValue {
    let value = try value(depthAbove: 0)
    skipSpace()
    guard place == bytes.count else { throw failure("data after the value") }
    return value
  }

  func failure(_ what: String) -> BodyCodecError { BodyCodecError("\(what), at byte \(place)") }

  mutating func value(depthAbove: Int) throws(BodyCodecError) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try object(depth: depthAbove + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depthAbove + 1))
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  mutating func skipSpace() {
    while true {
      switch next {
      case 0x20, 0x09, 0x0a, 0x0d: place += 1
      default: return
      }
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(BodyCodecError) -> JSONValue {
    for offset in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[offset] else { throw failure("no value") }
      place += 1
    }
    return value
  }

  /// Enters an array or an object.
  mutating func enter(_ depth: Int) throws(BodyCodecError) {
    // Much deeper text than this store writes could overflow the stack.
    guard depth <= BodyCodec.depthMax else { throw failure("nested too deeply") }
    place += 1
    skipSpace()
  }

  /// Skips the comma after an element, or the closing bracket; returns true if another element
  /// follows.
  mutating func passComma(end: UInt8) throws(BodyCodecError) -> Bool {
    skipSpace()
    let byte = next
    guard byte == end || byte == UInt8(ascii: ",") else {
      throw failure("expected ',' or a closing bracket")
    }
    place += 1
    return byte != end
  }

  private mutating func array(depth: Int) throws(BodyCodecError) -> [JSONValue] {
    try enter(depth)
    var elements: [JSONValue] = []
    if next == UInt8(ascii: "]") {
      place += 1
      return elements
    }
    repeat {
      elements.append(try value(depthAbove: depth))
    } while try passComma(end: UInt8(ascii: "]"))
    return elements
  }

  private mutating func object(depth: Int) throws(BodyCodecError) -> JSONObject {
    try enter(depth)
    var members: [JSONObject.Member] = []
    if next == UInt8(ascii: "}") {
      place += 1
      return JSONObject(distinct: members)
    }
    members.reserveCapacity(8)
    var names = MemberNames()
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("no name") }
      let name = try string()
      guard names.insert(name, after: members) else { throw failure("duplicate name") }
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw failure("no colon") }
      place += 1
      members.append(JSONObject.Member(name, try value(depthAbove: depth)))
    } while try passComma(end: UInt8(ascii: "}"))
    return JSONObject(distinct: members)
  }
}

/// The names of an object so far, to detect duplicates.
private struct MemberNames {
  /// A Bloom filter of the names: most new names set a new bit.
  private var kinds: UInt64 = 0
  /// Empty while there are few names: comparing all of them is then faster than hashing.
  private var many: Set<JSONString> = []

  private static let few = 16

  /// Adds a name; returns false if it equals one of the members before it.
  mutating func insert(_ name: JSONString, after members: [JSONObject.Member]) -> Bool {
    if members.count >= Self.few {
      if many.isEmpty { for member in members { many.insert(member.name) } }
      return many.insert(name).inserted
    }
    let kind = name.withBytes {
      $0.count &* 5 &+ Int($0.first ?? 0) &* 3 &+ Int($0.last ?? 0)
    }
    let bit = UInt64(1) << UInt64(kind & 63)
    defer { kinds |= bit }
    return kinds & bit == 0 || !members.contains { $0.name == name }
  }
}
