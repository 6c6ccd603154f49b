import JSON
import Testing

@Suite struct JSONParserTests {
  @Test(
    arguments: [
      ("null", .null),
      ("true", true),
      ("false", false),
      ("\"\"", ""),
      ("[]", []),
      ("{}", [:]),
      ("[ ]", []),
      ("{ }", [:]),
      (" \t\r\n[ 1 , 2 ] \n", [1, 2]),
      ("{ \"a\" : 1 , \"b\" : [ ] }", ["a": 1, "b": []]),
      ("[[[]],{\"a\":{}}]", [[[]], ["a": [:]]]),
      ("{\"\":0}", ["": 0]),
    ] as [(String, JSONValue)])
  func acceptedText(text: String, value: JSONValue) throws {
    #expect(try JSONValue.parse(text) == value)
  }

  @Test(
    arguments: [
      ("", 0, .unexpectedEnd(expected: "a value")),
      (" \n", 2, .unexpectedEnd(expected: "a value")),
      ("nul", 3, .unexpectedEnd(expected: "the rest of 'null'")),
      ("nulL", 3, .unexpectedByte(0x4C, expected: "the rest of 'null'")),
      ("True", 0, .unexpectedByte(0x54, expected: "a value")),
      ("truefalse", 4, .trailingText),
      ("NaN", 0, .unexpectedByte(0x4E, expected: "a value")),
      ("{} {}", 3, .trailingText),
      ("1\u{0}", 1, .trailingText),
      ("\u{0}", 0, .unexpectedByte(0, expected: "a value")),
      ("\u{FEFF}1", 0, .byteOrderMark),
      (" \u{FEFF}1", 1, .unexpectedByte(0xEF, expected: "a value")),
      ("\u{A0}1", 0, .unexpectedByte(0xC2, expected: "a value")),
      ("\u{B}1", 0, .unexpectedByte(0x0B, expected: "a value")),
      ("'a'", 0, .unexpectedByte(0x27, expected: "a value")),
      ("// a", 0, .unexpectedByte(0x2F, expected: "a value")),
      ("[", 1, .unexpectedEnd(expected: "a value")),
      ("[1", 2, .unexpectedEnd(expected: "',' or ']'")),
      ("[1,", 3, .unexpectedEnd(expected: "a value")),
      ("[1,]", 3, .unexpectedByte(0x5D, expected: "a value")),
      ("[,1]", 1, .unexpectedByte(0x2C, expected: "a value")),
      ("[1 2]", 3, .unexpectedByte(0x32, expected: "',' or ']'")),
      ("[1}", 2, .unexpectedByte(0x7D, expected: "',' or ']'")),
      ("]", 0, .unexpectedByte(0x5D, expected: "a value")),
      ("[]]", 2, .trailingText),
      ("{", 1, .unexpectedEnd(expected: "a member name or '}'")),
      ("{1:2}", 1, .unexpectedByte(0x31, expected: "a member name or '}'")),
      ("{a:2}", 1, .unexpectedByte(0x61, expected: "a member name or '}'")),
      ("{\"a\"", 4, .unexpectedEnd(expected: "':'")),
      ("{\"a\" 1}", 5, .unexpectedByte(0x31, expected: "':'")),
      ("{\"a\":", 5, .unexpectedEnd(expected: "a value")),
      ("{\"a\":}", 5, .unexpectedByte(0x7D, expected: "a value")),
      ("{\"a\":1", 6, .unexpectedEnd(expected: "',' or '}'")),
      ("{\"a\":1]", 6, .unexpectedByte(0x5D, expected: "',' or '}'")),
      ("{\"a\":1,}", 7, .unexpectedByte(0x7D, expected: "a member name")),
      ("{\"a\":1,", 7, .unexpectedEnd(expected: "a member name")),
      ("{\"a\":1,,", 7, .unexpectedByte(0x2C, expected: "a member name")),
    ] as [(String, Int, JSONError.Kind)])
  func refusedText(text: String, offset: Int, kind: JSONError.Kind) {
    #expect(throws: JSONError(kind, at: offset)) { try JSONValue.parse(text) }
  }

  @Test func bytesNeedNotBeContiguous() throws {
    let text = Array("[1, \"é\"]".utf8)
    #expect(try JSONValue.parse(Array(text.reversed()).reversed()) == [1, "é"])
    #expect(throws: JSONError(.unexpectedEnd(expected: "a value"), at: 0)) {
      try JSONValue.parse(EmptyCollection<UInt8>())
    }
  }

  /// No truncation of a text that ends in its closing bracket is valid, and none is read past its
  /// end.
  @Test func everyCutIsRefused() throws {
    let text = Array(#"{"a\u00e9":[-1.5e+3,true,null,{"𐍈":"\ud83d\ude00 plain text"}]}"#.utf8)
    _ = try JSONValue.parse(text)
    for end in text.indices {
      let error = #expect(throws: JSONError.self) { try JSONValue.parse(text[..<end]) }
      #expect(error.map { $0.offset <= end } == true)
    }
  }

  /// Each byte of a text replaced by each byte value yields a value or an error, never a trap.
  @Test func everyReplacedByteIsReadOrRefused() {
    let original = Array(#"{"é\u00e9":[-1.5e3,{"b":"x\\"},null]}"#.utf8)
    var refusedCount = 0
    for index in original.indices {
      for byte in UInt8.min...UInt8.max {
        var text = original
        text[index] = byte
        do throws(JSONError) {
          let value = try JSONValue.parse(text)
          #expect(try JSONValue.parse(value.serializedBytes()) == value)
        } catch {
          refusedCount += 1
          #expect(error.offset <= text.count)
        }
      }
    }
    #expect(refusedCount > original.count * 100)
  }
}

@Suite struct JSONParserNameTests {
  @Test func membersKeepTheirOrder() throws {
    let object = try #require(try JSONValue.parse(#"{"b":1,"a":2,"":3}"#).objectValue)
    #expect(object.members.map(\.name) == ["b", "a", ""])
  }

  @Test(arguments: [
    (#"{"a":1,"a":1}"#, 7, "a"),
    (#"{"a":1,"b":2, "\u0061":3}"#, 14, "a"),
    (#"{"":1,"":2}"#, 6, ""),
    (#"[{"a":{"b":1,"b":2}}]"#, 13, "b"),
  ])
  func duplicateName(text: String, offset: Int, name: JSONString) {
    #expect(throws: JSONError(.duplicateName(name), at: offset)) { try JSONValue.parse(text) }
  }

  /// The check for duplicates switches its method as the number of members grows; each count around
  /// that point is tested.
  @Test(arguments: 1...40)
  func duplicateNameAmongMany(count: Int) throws {
    let members = (0..<count).map { "\"\($0)\":0" }
    let text = "{" + members.joined(separator: ",")
    #expect(try JSONValue.parse(text + "}").objectValue?.count == count)
    for name in 0..<count {
      let kind = JSONError.Kind.duplicateName(JSONString("\(name)"))
      #expect(throws: JSONError(kind, at: text.utf8.count + 1)) {
        try JSONValue.parse(text + ",\"\(name)\":0}")
      }
    }
  }

  @Test func canonicallyEquivalentNamesAreTwo() throws {
    let value = try JSONValue.parse("{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(value.objectValue?["\u{E9}"] == 1)
    #expect(value.objectValue?["e\u{301}"] == 2)
  }

  @Test func oneNameInTwoObjectsIsNoDuplicate() throws {
    #expect(try JSONValue.parse(#"[{"a":1},{"a":{"a":2}}]"#) == [["a": 1], ["a": ["a": 2]]])
  }
}

@Suite struct JSONParserLimitTests {
  private func nested(_ depth: Int, opening: String, closing: String) -> String {
    String(repeating: opening, count: depth) + "0" + String(repeating: closing, count: depth)
  }

  @Test(arguments: [("[", "]", 1), ("{\"a\":", "}", 5), ("[ {\"\":", "}]", 6)])
  func depthOfTheStandardLimits(opening: String, closing: String, width: Int) throws {
    let levels = opening.hasPrefix("[ ") ? 2 : 1
    let text = nested(512 / levels, opening: opening, closing: closing)
    #expect(try JSONValue.parse(text).depth == 512)
    let offset = 512 / levels * width
    #expect(throws: JSONError(.tooDeep(limit: 512), at: offset)) {
      try JSONValue.parse(nested(512 / levels + 1, opening: opening, closing: closing))
    }
    #expect(throws: JSONError(.tooDeep(limit: 512), at: offset)) {
      try JSONValue.parse(nested(10_000, opening: opening, closing: closing))
    }
  }

  @Test func depthCountsWhatIsOpenOnly() throws {
    let limits = JSONLimits(depthMax: 2)
    #expect(try JSONValue.parse("[[],[],{}]", limits: limits) == [[], [], [:]])
    #expect(throws: JSONError(.tooDeep(limit: 2), at: 5)) {
      try JSONValue.parse("[[],[[]]]", limits: limits)
    }
    #expect(throws: JSONError(.tooDeep(limit: 0), at: 0)) {
      try JSONValue.parse("[]", limits: JSONLimits(depthMax: 0))
    }
    #expect(try JSONValue.parse("1", limits: JSONLimits(depthMax: 0)) == 1)
  }

  @Test func depthHasACeiling() throws {
    let limits = JSONLimits(depthMax: .max)
    #expect(limits.depthMax == JSONLimits.depthCeiling)
    let depth = JSONLimits.depthCeiling
    #expect(
      try JSONValue.parse(nested(depth, opening: "[", closing: "]"), limits: limits).depth == depth)
    #expect(throws: JSONError(.tooDeep(limit: depth), at: depth)) {
      try JSONValue.parse(nested(depth + 1, opening: "[", closing: "]"), limits: limits)
    }
  }

  @Test func sizeIsOfTheWholeText() throws {
    let limits = JSONLimits(bytesMax: 4)
    #expect(try JSONValue.parse("[1 ]", limits: limits) == [1])
    #expect(throws: JSONError(.tooLarge(limit: 4), at: 4)) {
      try JSONValue.parse("[1] \n", limits: limits)
    }
    #expect(throws: JSONError(.tooLarge(limit: 0), at: 0)) {
      try JSONValue.parse("?", limits: JSONLimits(bytesMax: 0))
    }
  }

  /// Quadratic work would take minutes here.
  @Test(.timeLimit(.minutes(1)))
  func manyMembers() throws {
    let count = 100_000
    let text = "{" + (0..<count).map { "\"member \($0)\":\($0)" }.joined(separator: ",") + "}"
    let value = try JSONValue.parse(text)
    #expect(value.objectValue?.count == count)
    #expect(value.objectValue?.members.last?.value == .integer(Int64(count) - 1))
    #expect(value.serialized() == text)

    let duplicate = text.dropLast() + ",\"member 7\":0}"
    let error = JSONError(.duplicateName("member 7"), at: text.utf8.count)
    #expect(throws: error) { try JSONValue.parse(String(duplicate)) }
  }
}
