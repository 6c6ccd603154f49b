internal import JSON

/// Values in Erlang's external term format, the input of CouchDB's digest.
///
/// `{"a": 1}` is the term `{[{<<"a">>, 1}]}`: a tuple of one list, which contains a pair per member
/// in the order received.
///
///     68 01                        a tuple of 1
///       6c 00000001                a list of 1
///         68 02                    a tuple of 2
///           6d 00000001 61         the binary "a"
///           61 01                  the integer 1
///       6a                         the end of the list
struct ErlangTerm {
  /// The encoded bytes, beginning with the version of the format.
  private(set) var bytes: [UInt8] = [131]

  /// Begins a list of the given number of terms, which `endList` ends.
  mutating func beginList(count: Int) {
    bytes.append(108)
    append(UInt32(truncatingIfNeeded: count))
  }

  mutating func endList() { bytes.append(106) }

  mutating func beginTuple(count: UInt8) { bytes += [104, count] }

  mutating func append(atom name: String) {
    bytes.append(100)
    append(UInt16(truncatingIfNeeded: name.utf8.count))
    bytes += name.utf8
  }

  mutating func append(binary content: some Collection<UInt8>) {
    bytes.append(109)
    append(UInt32(truncatingIfNeeded: content.count))
    bytes += content
  }

  mutating func append(integer value: Int64) {
    if let byte = UInt8(exactly: value) {
      bytes += [97, byte]
    } else if let short = Int32(exactly: value) {
      bytes.append(98)
      append(UInt32(bitPattern: short))
    } else {
      append(magnitude: value.magnitude, isNegative: value < 0)
    }
  }

  /// Appends a body or a part of one.
  mutating func append(_ value: JSONValue) {
    switch value {
    case .null: append(atom: "null")
    case .bool(let value): append(atom: value ? "true" : "false")
    case .integer(let value): append(integer: value)
    case .unsigned(let value): append(magnitude: value, isNegative: false)
    case .double(let value):
      bytes.append(70)
      append(value.bitPattern)
    case .string(let text): text.withBytes { append(binary: $0) }
    case .array(let elements): append(elements)
    case .object(let object):
      bytes += [104, 1]
      if !object.isEmpty { beginList(count: object.count) }
      for member in object.members {
        bytes += [104, 2]
        member.name.withBytes { append(binary: $0) }
        append(member.value)
      }
      endList()
    }
  }

  private mutating func append(_ elements: [JSONValue]) {
    // Erlang has no string type: a list of bytes is encoded as a string, up to the maximum length.
    if !elements.isEmpty, elements.count <= UInt16.max, let string = Self.string(elements) {
      bytes.append(107)
      append(UInt16(string.count))
      bytes += string
      return
    }
    if !elements.isEmpty { beginList(count: elements.count) }
    for element in elements { append(element) }
    endList()
  }

  private static func string(_ elements: [JSONValue]) -> [UInt8]? {
    var string: [UInt8] = []
    for element in elements {
      guard case .integer(let value) = element, let byte = UInt8(exactly: value) else {
        return nil
      }
      string.append(byte)
    }
    return string
  }

  /// Appends an integer beyond 32 bits: its magnitude, least significant byte first, no zeros at
  /// the end.
  private mutating func append(magnitude: UInt64, isNegative: Bool) {
    var content: [UInt8] = []
    var rest = magnitude
    while rest > 0 {
      content.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
    bytes += [110, UInt8(content.count), isNegative ? 1 : 0]
    bytes += content
  }

  private mutating func append<Word: FixedWidthInteger>(_ word: Word) {
    withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
  }
}
