import JSON
import Testing

@testable import WireConformance

@Suite struct WirePatternTests {
  private func mismatch(
    _ pattern: JSONValue, _ value: JSONValue?, values: WireValues = WireValues()
  ) throws -> WireMismatch? {
    var matcher = WireMatcher(values: values)
    return matcher.mismatch(try WirePattern(pattern, path: ""), value, at: "body")
  }

  private static let matching: [(JSONValue, JSONValue?)] = [
    (1, 1.0), ("é", "é"), ([1, [2]], [1, [2]]), (["a": 1, "b": 2], ["b": 2, "a": 1]),
    (["$any": true], .null), (["a": ["$absent": true]], [:]), (["$absent": true], nil),
    (["$type": "integer"], 3), (["$type": "number"], 0.5), (["$type": "null"], .null),
    (["$text": ["prefix": "ab", "suffix": "yz", "contains": ["mn"]]], "abmnyz"),
    (["$text": ["length": 4, "hexadecimal": true]], "09af"), (["$integer": ["min": 2]], 2),
    (["$members": ["a": 1]], ["a": 1, "b": 2]), (["$unordered": [1, 2, 1]], [1, 1, 2]),
    (["$contains": [2, 3]], [3, 1, 2]), (["$oneOf": [1, 2]], 2), (["$not": 1], 2),
    (["$not": 1], nil),
    // The first pattern must not take the only element that the second one matches.
    (["$unordered": [["$any": true], 1]], [1, 2]),
    ([["$capture": "x"], ["$value": "x"]], ["same", "same"]),
    ([["$capture": "x"], "{x}!"], ["same", "same!"]),
    (
      [["$oneOf": [["$capture": "x", "$where": 1], ["$capture": "x"]]], ["$value": "x"]], [2, 2]
    ),
  ]

  @Test(arguments: matching)
  func matches(pattern: JSONValue, value: JSONValue?) throws {
    #expect(try mismatch(pattern, value) == nil)
  }

  private static let differing: [(JSONValue, JSONValue?, String)] = [
    (1, 2, "body"), ("é", "e\u{301}", "body"), ([1, 2], [1], "body"), ([1], [1, 2], "body"),
    ([1, 2], [1, 3], "body[1]"), (["a": 1], [:], "body.a"), (["a": 1], ["a": 1, "b": 2], "body.b"),
    (["$any": true], nil, "body"), (["a": ["$absent": true]], ["a": .null], "body.a"),
    (["$type": "integer"], 0.5, "body"), (["$type": "boolean"], 1, "body"),
    (["$text": ["prefix": "ab"]], "a", "body"), (["$text": ["hexadecimal": true]], "0A", "body"),
    (["$text": ["contains": ["x"]]], "abc", "body"), (["$text": ["length": 1]], "é", "body"),
    (["$integer": ["min": 2, "max": 3]], 4, "body"), (["$members": ["a": 1]], ["b": 1], "body.a"),
    (["$unordered": [1, 2]], [1, 1], "body"), (["$unordered": [1]], [1, 2], "body"),
    (["$contains": [1, 1]], [1, 2], "body"), (["$oneOf": [1, 2]], 3, "body"),
    (["$not": ["$any": true]], 1, "body"),
    ([["$capture": "x"], ["$value": "x"]], [1, 2], "body[1]"),
    (["$capture": "x", "$where": 1], 2, "body"),
  ]

  @Test(arguments: differing)
  func differs(pattern: JSONValue, value: JSONValue?, place: String) throws {
    #expect(try mismatch(pattern, value)?.place == place)
  }

  @Test(
    arguments: [
      (["$some": 1], "$some: unknown matcher"), (["$any": false], "$any: expected true"),
      (["$any": true, "a": 1], "a: unknown member; known here: $any"),
      (["$type": "text"], "$type: unknown type 'text'"),
      (["$capture": "a-b"], "$capture: expected a letter, letters and digits"),
    ] as [(JSONValue, String)])
  func rejects(pattern: JSONValue, message: String) {
    #expect(throws: DecodingFailure.self) { try WirePattern(pattern, path: "") }
    do {
      _ = try WirePattern(pattern, path: "")
    } catch {
      #expect("\(error)" == message)
    }
  }

  @Test func aMismatchStatesWhatIsExpected() throws {
    var values = WireValues()
    values["rev"] = "1-a"
    let pattern: JSONValue = ["_rev": "{rev}", "n": ["$integer": ["min": 1]]]
    let found = try mismatch(pattern, ["_rev": "2-b", "n": 1], values: values)
    #expect(found == WireMismatch(place: "body._rev", expected: #""1-a""#, actual: #""2-b""#))
  }
}
