import JSON
import Testing

@testable import SQLiteDatastore

@Suite struct BodyCodecTests {
  /// The stored text of a value.
  private func text(_ value: JSONValue) throws -> String {
    String(decoding: try #require(BodyCodec.encode(value)), as: UTF8.self)
  }

  private func decode(_ json: [UInt8]) throws -> JSONValue {
    try json.withUnsafeBufferPointer { try BodyCodec.decode($0) }
  }

  @Test func ordinaryBodiesAreStoredAsTheyAre() throws {
    let body: JSONValue = [
      "z": [.null, true, false], "a": ["n": 1, "f": 0.1, "s": "é\"\\/\n\u{0}"], "": 1.0,
    ]
    #expect(
      try text(body)
        == #"{"z":[null,true,false],"a":{"n":1,"f":0.1,"s":"é\"\\/\n\u0000"},"":1.0}"#)
    #expect(
      try text(["\u{8}\t\u{b}\u{c}\r\u{1f}\u{7f}": ["😀\u{2028}": .unsigned(.max)], "f": 1e300])
        == #"{"\b\t\u000b\f\r\u001f\#u{7f}":{"😀\#u{2028}":18446744073709551615},"f":1e+300}"#)
  }

  static let values: [JSONValue] = [
    [:], ["a": [:], "b": []],
    ["n": .integer(.max), "m": .integer(.min), "zero": 0],
    ["u": .unsigned(.max), "v": .unsigned(UInt64(Int64.max) + 1)],
    ["-0": .double(-0.0), "0": .double(0), "one": .double(1), "big": .double(1e22)],
    ["third": .double(1.0 / 3), "tenth": .double(0.1), "max": .double(.greatestFiniteMagnitude)],
    ["tiny": .double(.leastNonzeroMagnitude), "least": .double(.leastNormalMagnitude)],
    ["a\u{0}b": 1, "a~b": 2, "~0": 3, "~": "~", "t": "~1", "u": .unsigned(.max)],
    ["~": "~1", "x": "~~", "~1": "~"],
    ["a\u{0}b": ["c\u{0}": [.string("\u{0}"), .string("~18446744073709551615")]]],
    ["e\u{301}": 1, "é": 2, "😀": "\u{10ffff}", "": "\u{7f}\u{2028}"],
  ]

  @Test(arguments: values)
  func valuesComeBackAsTheyWere(value: JSONValue) throws {
    let stored = try #require(BodyCodec.encode(value))
    let read = try decode(stored)
    #expect(read == value)
    #expect(bits(of: read) == bits(of: value))
  }

  /// The doubles of a value as bits, in order: `==` does not distinguish −0 from 0.
  private func bits(of value: JSONValue) -> [UInt64] {
    switch value {
    case .double(let number): [number.bitPattern]
    case .array(let elements): elements.flatMap { bits(of: $0) }
    case .object(let object): object.members.flatMap { bits(of: $0.value) }
    default: []
    }
  }

  @Test func everyDoubleSurvives() throws {
    var random = SplitMix(state: 7)
    for _ in 0..<2_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      // A short number next to a long one must not change the digits of either.
      let stored = try #require(BodyCodec.encode([.double(number), .double(0.1), 19.99]))
      let read = try decode(stored)
      #expect(bits(of: read) == [number.bitPattern, 0.1.bitPattern, 19.99.bitPattern])
    }
  }

  /// Valid texts that this store does not write.
  @Test func everyNotationIsRead() throws {
    let body: JSONValue = ["a": [1, 0.25, "/\u{e9}😀\n", .null, 12.5], "b": ["": []]]
    let text = """
       { "a" : [ 1 , 25e-2, "\\/\\u00E9\\ud83d\\ude00\\n", null, 1.25E+1 ] ,
        "\\u0062":{"" :[ ]} }\r
      """
    #expect(try decode(Array(text.utf8)) == body)
    let many = JSONObject((0..<100).map { (JSONString("m\($0)"), JSONValue.integer($0)) })
    #expect(try decode(try #require(BodyCodec.encode(.object(many)))) == .object(many))
    for (text, value) in [
      ("0.1e1", 1.0), ("9007199254740993.0", 9_007_199_254_740_992.0), ("1e23", 1e23),
      ("123456789012345678901234567890.0", 123_456_789_012_345_678_901_234_567_890.0),
      ("1e-400", 0.0), ("4.9e-324", .leastNonzeroMagnitude),
    ] {
      #expect(try decode(Array(text.utf8)) == .double(value), "\(text)")
    }
  }

  @Test func aTextThatIsNoBodySaysWhy() {
    for json in [
      #"{"a":"#, #"{"a":1,"a":2}"#, #"{"a":18446744073709551616}"#, "", " ", "{", "[1", "[1,]",
      "[,1]", "{,}", #"{"a"}"#, #"{"a":1,}"#, "{1:2}", "1 2", "{}x", "tru", "nul", "falsy", "01",
      "+1", "-", "1.", ".5", "1e", "1e+", "0x1", "1e400", "-9223372036854775809", #"""#, #""\"#,
      #""\x""#, #""\u12"#, #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800\n""#,
      "\"\u{0}\"", "\"\n\"", "\u{0}", "{}\u{0}",
      "{" + (0..<20).map { "\"m\($0)\":0," }.joined() + "\"m3\":1}",
    ] {
      #expect(throws: BodyCodecError.self, "\(json)") { try decode(Array(json.utf8)) }
    }
    #expect(throws: BodyCodecError.self) { try decode([0x22, 0xff, 0x22]) }
    #expect(throws: BodyCodecError.self) { try decode([0x22, 0x5c, 0x6e, 0xff, 0x22]) }
  }

  @Test func whatIsTooDeepIsNotRead() throws {
    func text(_ depth: Int) -> [UInt8] {
      let brackets = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return Array(brackets.utf8)
    }
    #expect(try decode(text(BodyCodec.depthMax)).depth == BodyCodec.depthMax)
    for depth in [BodyCodec.depthMax + 1, 2000, 100_000] {
      #expect(throws: BodyCodecError.self) { try decode(text(depth)) }
    }
  }

  @Test func aNumberWithoutJSONHasNoText() {
    #expect(BodyCodec.encode(["n": .double(.infinity)]) == nil)
    #expect(BodyCodec.encode([["n": [.double(.nan)]]]) == nil)
  }
}

/// A small generator for tests.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
