internal import JSON

/// Erlang's external term format, restricted to what CouchDB uses for revision ids.
///
/// A JSON object is a tuple of one list of pairs in received order, a string is a binary, and a
/// list of small integers is encoded as a string because the runtime does so.
enum ErlangTerm {
  static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: append(atom: "null", to: &bytes)
    case .bool(let value): append(atom: value ? "true" : "false", to: &bytes)
    case .integer(let value): append(value.magnitude, isNegative: value < 0, to: &bytes)
    case .unsigned(let value): append(value, isNegative: false, to: &bytes)
    case .double(let value):
      bytes.append(70)
      append(bigEndian: value.bitPattern, count: 8, to: &bytes)
    case .string(let text): append(binary: Array(text.utf8), to: &bytes)
    case .array(let elements): append(elements, to: &bytes)
    case .object(let object):
      bytes.append(contentsOf: [104, 1])
      appendList(object.members, to: &bytes) { member, bytes in
        bytes.append(contentsOf: [104, 2])
        append(binary: Array(member.name.utf8), to: &bytes)
        append(member.value, to: &bytes)
      }
    }
  }

  static func append(atom: String, to bytes: inout [UInt8]) {
    bytes.append(100)
    append(bigEndian: UInt64(atom.utf8.count), count: 2, to: &bytes)
    bytes.append(contentsOf: atom.utf8)
  }

  static func append(binary: [UInt8], to bytes: inout [UInt8]) {
    bytes.append(109)
    append(bigEndian: UInt64(binary.count), count: 4, to: &bytes)
    bytes.append(contentsOf: binary)
  }

  private static func append(_ elements: [JSONValue], to bytes: inout [UInt8]) {
    let small = elements.compactMap { $0.integerValue.flatMap { UInt8(exactly: $0) } }
    if !elements.isEmpty, small.count == elements.count, small.count <= 65535 {
      bytes.append(107)
      append(bigEndian: UInt64(small.count), count: 2, to: &bytes)
      bytes.append(contentsOf: small)
    } else {
      appendList(elements, to: &bytes) { append($0, to: &$1) }
    }
  }

  private static func appendList<Element>(
    _ elements: [Element], to bytes: inout [UInt8],
    _ appendElement: (Element, inout [UInt8]) -> Void
  ) {
    if !elements.isEmpty {
      bytes.append(108)
      append(bigEndian: UInt64(elements.count), count: 4, to: &bytes)
      for element in elements { appendElement(element, &bytes) }
    }
    bytes.append(106)
  }

  /// An integer in the shortest of the three forms: a byte, 32 bits, or magnitude and sign.
  static func append(_ magnitude: UInt64, isNegative: Bool, to bytes: inout [UInt8]) {
    if !isNegative, magnitude < 256 {
      bytes.append(contentsOf: [97, UInt8(magnitude)])
    } else if magnitude < 1 << 31 || isNegative && magnitude == 1 << 31 {
      bytes.append(98)
      let pattern = isNegative ? 0 &- magnitude : magnitude
      append(bigEndian: pattern, count: 4, to: &bytes)
    } else {
      let count = (64 - magnitude.leadingZeroBitCount + 7) / 8
      bytes.append(contentsOf: [110, UInt8(count), isNegative ? 1 : 0])
      for place in 0..<count {
        bytes.append(UInt8(truncatingIfNeeded: magnitude >> (8 * UInt64(place))))
      }
    }
  }

  private static func append(bigEndian value: UInt64, count: Int, to bytes: inout [UInt8]) {
    for place in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place))))
    }
  }
}
