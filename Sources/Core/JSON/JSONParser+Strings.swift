extension JSONParser {
  /// Parses the string whose opening quote comes next.
  mutating func parseString() throws(JSONError) -> JSONString {
    position += 1
    let start = position
    try skipPlainBytes()
    guard next == .quote else { return try parseEscapedString(from: start) }
    let text = JSONString(String(decoding: bytes(from: start), as: UTF8.self))
    position += 1
    return text
  }

  /// Parses the rest of a string that has an escape at the position.
  private mutating func parseEscapedString(from start: Int) throws(JSONError) -> JSONString {
    unescaped.removeAll(keepingCapacity: true)
    unescaped.append(contentsOf: bytes(from: start))
    while next == .backslash {
      try parseEscape()
      let runStart = position
      try skipPlainBytes()
      unescaped.append(contentsOf: bytes(from: runStart))
    }
    position += 1
    return JSONString(String(decoding: unescaped, as: UTF8.self))
  }

  /// Skips to the next quote or backslash, and validates the skipped bytes as UTF-8.
  private mutating func skipPlainBytes() throws(JSONError) {
    while true {
      skipPlainWords()
      switch next {
      case .quote, .backslash: return
      case 0x80...: position += try lengthOfSequence()
      case ..<0x20:
        guard position < bytes.count else { throw unexpected("'\"'") }
        throw JSONError(.controlCharacter(next), at: position)
      default: position += 1
      }
    }
  }

  /// Skips plain ASCII eight bytes at a time, up to the first other byte or into the last word.
  private mutating func skipPlainWords() {
    let raw = UnsafeRawBufferPointer(bytes)
    while bytes.count - position >= 8 {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let notPlain = UInt64(littleEndian: word).bytesNotPlainInStrings
      guard notPlain == 0 else {
        position += notPlain.trailingZeroBitCount / 8
        return
      }
      position += 8
    }
  }

  /// The length of the well-formed multi-byte sequence at the position.
  private func lengthOfSequence() throws(JSONError) -> Int {
    // Table 3-7 of the Unicode standard: the range of the second byte excludes overlong forms,
    // surrogates and code points above U+10FFFF.
    let (length, seconds): (Int, ClosedRange<UInt8>)
    switch bytes[position] {
    case 0xC2...0xDF: (length, seconds) = (2, 0x80...0xBF)
    case 0xE0: (length, seconds) = (3, 0xA0...0xBF)
    case 0xED: (length, seconds) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, seconds) = (3, 0x80...0xBF)
    case 0xF0: (length, seconds) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, seconds) = (4, 0x80...0xBF)
    case 0xF4: (length, seconds) = (4, 0x80...0x8F)
    default: throw JSONError(.invalidUTF8, at: position)
    }
    guard bytes.count - position >= length, seconds.contains(bytes[position + 1]),
      bytes[(position + 2)..<(position + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
    else { throw JSONError(.invalidUTF8, at: position) }
    return length
  }
}

extension JSONParser {
  /// Parses the escape sequence at the position into `unescaped`.
  private mutating func parseEscape() throws(JSONError) {
    let start = position
    position += 1
    let byte: UInt8
    switch next {
    case .quote, .backslash, .slash: byte = next
    case .lowerB: byte = .backspace
    case .lowerF: byte = .formFeed
    case .lowerN: byte = .newline
    case .lowerR: byte = .carriageReturn
    case .lowerT: byte = .tab
    case .lowerU:
      unescaped.append(contentsOf: try parseEscapedScalar(from: start).utf8)
      return
    default: throw failedEscape(from: start)
    }
    unescaped.append(byte)
    position += 1
  }

  /// Parses the rest of `\uXXXX`, or of a surrogate pair of two such escapes.
  private mutating func parseEscapedScalar(from start: Int) throws(JSONError) -> Unicode.Scalar {
    var code = try parseCodeUnit(from: start)
    if 0xD800...0xDBFF ~= code, next == .backslash, isBefore(.lowerU) {
      let secondStart = position
      position += 1
      let trail = try parseCodeUnit(from: secondStart)
      if 0xDC00...0xDFFF ~= trail {
        code = 0x10000 + (code & 0x3FF) << 10 + trail & 0x3FF
      }
    }
    // A surrogate that remains here is not a scalar.
    guard let scalar = Unicode.Scalar(code) else { throw JSONError(.unpairedSurrogate, at: start) }
    return scalar
  }

  /// Parses `u` and four hexadecimal digits.
  private mutating func parseCodeUnit(from start: Int) throws(JSONError) -> UInt32 {
    position += 1
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.hexadecimalDigit else { throw failedEscape(from: start) }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  /// The error for an escape sequence that is cut off by the byte at the position or by the end.
  private func failedEscape(from start: Int) -> JSONError {
    position < bytes.count
      ? JSONError(.badEscape, at: start) : unexpected("the rest of an escape sequence")
  }

  private func isBefore(_ byte: UInt8) -> Bool {
    position + 1 < bytes.count && bytes[position + 1] == byte
  }
}
