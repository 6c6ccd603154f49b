import JSON
import Testing

@testable import SQLiteDatastore

@Suite struct BodyCodecTests {
  /// The stored text of a value, and whether it is escaped.
  private func stored(_ value: JSONValue) throws -> (String, Bool) {
    let stored = try #require(BodyCodec.encode(value))
    return (stored.json.string, stored.isEscaped)
  }

  @Test func ordinaryBodiesAreStoredAsTheyAre() throws {
    let body: JSONValue = [
      "z": [.null, true, false], "a": ["n": 1, "f": 0.1, "s": "é\"\\/\n\u{0}"], "": 1.0,
    ]
    let (text, isEscaped) = try stored(body)
    #expect(
      text
        == #"{"z":[null,true,false],"a":{"n":1,"f":0.1,"s":"é\"\\/\n\u0000"},"":1.0}"#)
    #expect(!isEscaped)
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
    let read = try BodyCodec.decode(stored)
    #expect(read == value)
    #expect(bits(of: read) == bits(of: value))
  }

  /// The doubles of a value as bits, in order: `==` does not tell −0 from 0.
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
      // A short one beside it must not cost the long one its digits, nor the other way round.
      let stored = try #require(BodyCodec.encode([.double(number), .double(0.1), 19.99]))
      let read = try BodyCodec.decode(stored)
      #expect(bits(of: read) == [number.bitPattern, 0.1.bitPattern, 19.99.bitPattern])
    }
  }

  @Test func whatJanssonRefusesIsEscaped() throws {
    let (text, isEscaped) = try stored(["a\u{0}~": .unsigned(.max), "t": "~x", "s": "plain"])
    #expect(text == ##"{"a~0~1":"~18446744073709551615","t":"~~x","s":"plain"}"##)
    #expect(isEscaped)
  }

  @Test func aTextThatIsNoBodySaysWhy() {
    for (json, isEscaped) in [
      (#"{"a":"#, false), (#"{"a":1,"a":2}"#, false), (#"{"a":18446744073709551615}"#, false),
      (#"{"a":"~"}"#, true), (#"{"a":"~12x"}"#, true), (#"{"a~":1}"#, true),
      (#"{"a":"~18446744073709551616"}"#, true), ("", false),
    ] {
      #expect(throws: BodyCodecError.self) {
        try BodyCodec.decode(StoredBody(json: Text(json), isEscaped: isEscaped))
      }
    }
  }

  @Test func whatIsTooDeepIsNotRead() throws {
    func text(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    let deepest = StoredBody(json: Text(text(BodyCodec.depthMax)), isEscaped: false)
    #expect(try BodyCodec.decode(deepest).depth == BodyCodec.depthMax)
    for depth in [BodyCodec.depthMax + 2, 2000, 100_000] {
      #expect(throws: BodyCodecError.self) {
        try BodyCodec.decode(StoredBody(json: Text(text(depth)), isEscaped: false))
      }
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
