import JSON
import Testing

@Suite struct TextTests {
  @Test func canonicallyEquivalentTextsDiffer() {
    let texts: [JSONString] = [
      "\u{E9}", "e\u{301}", "K", "\u{212A}", "a\u{301}\u{323}", "a\u{323}\u{301}",
    ]
    #expect(Set(texts).count == texts.count)
    for (row, left) in texts.enumerated() {
      for (column, right) in texts.enumerated() {
        #expect((left == right) == (row == column))
      }
    }
  }

  /// One changed byte at each position of texts with lengths around the sizes of words and of
  /// inline strings.
  @Test func everyByteCounts() {
    for count in 0..<40 {
      let bytes = [UInt8](repeating: 0x61, count: count)
      let text = JSONString(validating: bytes)
      #expect(text == JSONString(String(repeating: "a", count: count)))
      #expect(text?.hashValue == JSONString(String(repeating: "a", count: count)).hashValue)
      #expect(text != JSONString(validating: bytes + [0x61]))
      for place in bytes.indices {
        var changed = bytes
        changed[place] = 0x62
        #expect(text != JSONString(validating: changed), "byte \(place) of \(count)")
      }
    }
  }

  @Test func onlyUTF8IsText() {
    #expect(JSONString(validating: [0x61, 0x00, 0xC3, 0xA9]) == "a\u{0}\u{E9}")
    #expect(JSONString(validating: [0xC3]) == nil)
    #expect(JSONString(validating: [0xED, 0xA0, 0x80]) == nil)
    #expect(JSONString(validating: [0xC0, 0x80]) == nil)
  }

  /// An invalid byte, and a character of two bytes, at each position of texts with lengths around
  /// the size of a word.
  @Test func everyByteIsLookedAt() {
    for count in 1..<40 {
      for place in 0..<count {
        var bytes = [UInt8](repeating: 0x61, count: count)
        bytes[place] = 0xFF
        #expect(JSONString(validating: bytes) == nil, "byte \(place) of \(count)")
        bytes.replaceSubrange(place...place, with: [0xC3, 0xA9])
        #expect(
          JSONString(validating: bytes).map { Array($0.utf8) } == bytes, "byte \(place) of \(count)"
        )
      }
    }
  }

  @Test func bytesAreTheUTF8() {
    let text: JSONString = "a\u{0}\u{E9}"
    #expect(Array(text.utf8) == [0x61, 0x00, 0xC3, 0xA9])
    #expect(text.withBytes { Array($0) } == [0x61, 0x00, 0xC3, 0xA9])
    #expect(text.description == "a\u{0}\u{E9}")
    #expect(!text.isEmpty && JSONString("").isEmpty)
  }

  @Test func errorsPassThroughWithBytes() {
    let failure = DecodingFailure(path: "a", message: "b")
    #expect(throws: failure) {
      try JSONString("x").withBytes { _ throws(DecodingFailure) in throw failure }
    }
  }
}
