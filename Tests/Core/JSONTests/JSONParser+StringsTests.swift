import JSON
import Testing

@Suite struct JSONParserStringTests {
  @Test(
    arguments: [
      (#""""#, ""),
      (#""a""#, "a"),
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""/""#, "/"),
      (#""a\nb\nc""#, "a\nb\nc"),
      (#""\u0000""#, "\u{0}"),
      (#""a\u0000b""#, "a\u{0}b"),
      (#""\u0041\u00e9\u00E9\u20ac\uFFFF""#, "A\u{E9}\u{E9}\u{20AC}\u{FFFF}"),
      (#""\ud83d\ude00""#, "\u{1F600}"),
      (#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
      (#""\ud7ff\ue000""#, "\u{D7FF}\u{E000}"),
      (#""\\ud800""#, "\\ud800"),
      (
        "\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"",
        "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"
      ),
      ("\"e\u{301}\"", "e\u{301}"),
      (
        #""a long plain run, then \t and again a long plain run""#,
        "a long plain run, then \t and again a long plain run"
      ),
    ] as [(String, JSONString)])
  func acceptedString(text: String, value: JSONString) throws {
    #expect(try JSONValue.parse(text) == .string(value))
    #expect(try JSONValue.parse("{\(text):0}").objectValue?.members.first?.name == value)
  }

  @Test(
    arguments: [
      (#"""#, 1, .unexpectedEnd(expected: "'\"'")),
      (#""abc"#, 4, .unexpectedEnd(expected: "'\"'")),
      (#""a long enough run"#, 18, .unexpectedEnd(expected: "'\"'")),
      ("\"\u{E9}", 3, .unexpectedEnd(expected: "'\"'")),
      (#""a\"#, 3, .unexpectedEnd(expected: "the rest of an escape sequence")),
      (#""\u00"#, 5, .unexpectedEnd(expected: "the rest of an escape sequence")),
      (#""\ud83d\u"#, 9, .unexpectedEnd(expected: "the rest of an escape sequence")),
      (#""a\x""#, 2, .badEscape),
      (#""\a""#, 1, .badEscape),
      (#""\U0041""#, 1, .badEscape),
      (#""\u004""#, 1, .badEscape),
      (#""\u004g""#, 1, .badEscape),
      (#""\u+041""#, 1, .badEscape),
      (#""\u{41}""#, 1, .badEscape),
      (#""\ud83d\ude0g""#, 7, .badEscape),
      (#""\ud83d\x""#, 1, .unpairedSurrogate),
      (#""\'""#, 1, .badEscape),
      (#""ab\ud800""#, 3, .unpairedSurrogate),
      (#""\udc00""#, 1, .unpairedSurrogate),
      (#""\ud800x""#, 1, .unpairedSurrogate),
      (#""\ud800\n""#, 1, .unpairedSurrogate),
      (#""\ud800\ud800""#, 1, .unpairedSurrogate),
      (#""\ud800\u0041""#, 1, .unpairedSurrogate),
      (#""\udc00\ud800""#, 1, .unpairedSurrogate),
      (#""\ud800\udbff\udc00""#, 1, .unpairedSurrogate),
      ("\"a\nb\"", 2, .controlCharacter(0x0A)),
      ("\"\t\"", 1, .controlCharacter(0x09)),
      ("\"\u{0}\"", 1, .controlCharacter(0x00)),
      ("\"0123456789\u{1F}\"", 11, .controlCharacter(0x1F)),
      ("{\"\r\":1}", 2, .controlCharacter(0x0D)),
    ] as [(String, Int, JSONError.Kind)])
  func refusedString(text: String, offset: Int, kind: JSONError.Kind) {
    #expect(throws: JSONError(kind, at: offset)) { try JSONValue.parse(text) }
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xC2, 0xC2],
      [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xE2, 0x41, 0x82], [0xE2, 0x82, 0xC3],
      [0xF0, 0x9F, 0x98, 0xFF],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x41],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE],
    ] as [[UInt8]])
  func refusedUTF8(sequence: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    for padding in 0..<10 {
      let before = [quote] + [UInt8](repeating: 0x61, count: padding)
      let error = JSONError(.invalidUTF8, at: before.count)
      #expect(throws: error) { try JSONValue.parse(before + sequence + [quote]) }
      #expect(throws: error) { try JSONValue.parse(before + sequence) }
      #expect(throws: error) { try JSONValue.parse(before + sequence + Array("\\n\"".utf8)) }
    }
  }

  /// Every scalar, raw and escaped, is parsed as itself.
  @Test func everyScalar() throws {
    for code in UInt32(0x20)...0x10FFFF where code % 7 == 0 || code < 0x1000 {
      guard let scalar = Unicode.Scalar(code), scalar != "\"", scalar != "\\" else { continue }
      let expected = JSONValue.text(String(scalar))
      let escaped = scalar.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      guard try JSONValue.parse("\"\(scalar)\"") == expected,
        try JSONValue.parse("\"\(escaped.joined())\"") == expected
      else {
        Issue.record("U+\(String(code, radix: 16)) is not read as itself")
        return
      }
    }
  }

  /// Each special byte at each position of the words of the scan.
  @Test(arguments: 0..<24)
  func specialByteAtEachPlace(place: Int) throws {
    let plain = String(repeating: "~", count: place)
    let rest = String(repeating: " ", count: 24 - place)
    #expect(try JSONValue.parse("\"\(plain)\"") == .text(plain))
    #expect(try JSONValue.parse("\"\(plain)\\\"\(rest)\"") == .text("\(plain)\"\(rest)"))
    #expect(try JSONValue.parse("\"\(plain)\u{E9}\(rest)\"") == .text("\(plain)\u{E9}\(rest)"))
    #expect(throws: JSONError(.controlCharacter(0x1F), at: place + 1)) {
      try JSONValue.parse("\"\(plain)\u{1F}\(rest)\"")
    }
  }
}
