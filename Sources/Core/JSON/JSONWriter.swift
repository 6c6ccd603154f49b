extension JSONValue {
  /// The value as JSON text without white space, its members in their order.
  ///
  /// Parsing the text yields an equal value. The exceptions are an infinity and a NaN, which JSON
  /// cannot encode: they are written as `null`.
  public func serialized(sortingNames: Bool = false) -> String {
    String(decoding: serializedBytes(sortingNames: sortingNames), as: UTF8.self)
  }

  /// The UTF-8 bytes of `serialized(sortingNames:)`.
  public func serializedBytes(sortingNames: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes, sortingNames: sortingNames)
    return bytes
  }

  /// The bytes of `serialized()`, or nil if they are more than the limit.
  ///
  /// Writing stops at the limit, which it exceeds by one scalar at most.
  public func serializedBytes(atMost limit: Int) -> [UInt8]? {
    var writer = JSONWriter(sortsNames: false, limit: limit)
    writer.write(self)
    return writer.bytes.count > limit ? nil : writer.bytes
  }

  /// Appends the UTF-8 bytes of `serialized(sortingNames:)` to `bytes`.
  public func write(to bytes: inout [UInt8], sortingNames: Bool = false) {
    var writer = JSONWriter(sortsNames: sortingNames)
    // Two references to the bytes would make the first append copy them.
    swap(&writer.bytes, &bytes)
    writer.write(self)
    swap(&writer.bytes, &bytes)
  }
}

/// A writer of compact text; see `PrettyJSONWriter` for the other form.
struct JSONWriter {
  var bytes: [UInt8] = []
  /// Whether members are written in the byte order of their names instead of their own.
  let sortsNames: Bool
  /// The number of bytes after which writing stops.
  var limit = Int.max

  mutating func write(_ value: JSONValue) {
    guard bytes.count <= limit else { return }
    switch value {
    case .array(let elements):
      bytes.append(.openBracket)
      for (index, element) in elements.enumerated() where bytes.count <= limit {
        if index > 0 { bytes.append(.comma) }
        write(element)
      }
      bytes.append(.closeBracket)
    case .object(let object):
      bytes.append(.openBrace)
      for (index, member) in members(of: object).enumerated() where bytes.count <= limit {
        if index > 0 { bytes.append(.comma) }
        write(member.name)
        bytes.append(.colon)
        write(member.value)
      }
      bytes.append(.closeBrace)
    default: writeScalar(value)
    }
  }

  /// The members in the order in which they are written.
  func members(of object: JSONObject) -> [JSONObject.Member] {
    guard sortsNames else { return object.members }
    return object.members.sorted { $0.name.precedesBytewise($1.name) }
  }

  /// Writes a value that is neither an array nor an object.
  mutating func writeScalar(_ value: JSONValue) {
    switch value {
    case .bool(let value): write(verbatim: value ? "true" : "false")
    case .integer(let value): write(verbatim: value.description)
    case .unsigned(let value): write(verbatim: value.description)
    case .double(let value) where value.isFinite: write(verbatim: value.description)
    case .string(let text): write(text)
    default: write(verbatim: "null")
    }
  }

  private mutating func write(verbatim text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes a string with its quotes; escapes only where required.
  mutating func write(_ text: JSONString) {
    bytes.append(.quote)
    text.withBytes { text in
      var start = 0
      while start < text.count {
        let end = text.firstToEscape(from: start)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
        if end < text.count { writeEscape(text[end]) }
        start = end + 1
      }
    }
    bytes.append(.quote)
  }

  private mutating func writeEscape(_ byte: UInt8) {
    bytes.append(.backslash)
    switch byte {
    case .quote, .backslash: bytes.append(byte)
    case .backspace: bytes.append(.lowerB)
    case .formFeed: bytes.append(.lowerF)
    case .newline: bytes.append(.lowerN)
    case .carriageReturn: bytes.append(.lowerR)
    case .tab: bytes.append(.lowerT)
    default: write(verbatim: byte < 0x10 ? "u000" : "u00"); write(verbatim: String(byte, radix: 16))
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The offset of the first byte from `start` on that a JSON string must escape, or the end.
  fileprivate func firstToEscape(from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(self)
    var index = start
    while count - index >= 8 {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let toEscape = UInt64(littleEndian: word).bytesToEscape
      guard toEscape == 0 else { return index + toEscape.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count {
      switch self[index] {
      case .quote, .backslash, ..<0x20: return index
      default: index += 1
      }
    }
    return count
  }
}
