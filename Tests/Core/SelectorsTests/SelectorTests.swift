import Datastore
import JSON
import Selectors
import Testing

/// Selectors with manually determined results.
struct SelectorTests {
  private static func ids(_ selector: String, among bodies: String) throws -> String {
    let selector = try FindSelector(try JSONValue.parse(selector))
    return (try JSONValue.parse(bodies).arrayValue ?? []).enumerated()
      .filter { Subject($1, id: JSONString("\($0)"), rev: "1-a").matches(selector) }
      .map { "\($0.offset)" }.joined()
  }

  static let values = """
    [{}, {"a": null}, {"a": false}, {"a": true}, {"a": -1.5}, {"a": 2}, {"a": "2"}, {"a": []},
     {"a": [2, "x"]}, {"a": {"b": 2}}]
    """

  static let ofValues: [(String, String)] = [
    ("{}", "0123456789"), (#"{"a": null}"#, "1"), (#"{"a": 2.0}"#, "58"), (#"{"a": "2"}"#, "6"),
    (#"{"a": []}"#, "7"), (#"{"a": [2, "x"]}"#, "8"), (#"{"a": {"b": 2}}"#, "9"),
    (#"{"a": {"$eq": {"b": 2.0}}}"#, "9"), (#"{"a.b": 2}"#, "9"),
    (#"{"a": {"$ne": 2}}"#, "01234679"), (#"{"a": {"$nin": [2, null]}}"#, "0234679"),
    (#"{"a": {"$in": [true, "x"]}}"#, "38"), (#"{"a": {"$not": {"$gt": 0}}}"#, "0123479"),
    (#"{"a": {"$lt": true}}"#, "2"), (#"{"a": {"$lte": true}}"#, "23"),
    (#"{"a": {"$lt": 2}}"#, "234"), (#"{"a": {"$gte": 2}}"#, "568"),
    (#"{"a": {"$gt": 2}}"#, "68"), (#"{"a": {"$gt": "2"}}"#, "8"),
    (#"{"a": {"$lte": "2"}}"#, "234568"), (#"{"a": {"$exists": true}}"#, "123456789"),
    (#"{"a": {"$exists": false}}"#, "0"), (#"{"a": {"$type": "array"}}"#, "78"),
    (#"{"a": {"$type": "boolean"}}"#, "23"), (#"{"a": {"$type": "null"}}"#, "1"),
    (#"{"a": {"$size": 0}}"#, "7"), (#"{"a": {"$all": []}}"#, "78"),
    (#"{"a": {"$all": ["x", 2]}}"#, "8"), (#"{"a": {"$elemMatch": {"$gt": 1, "$lt": 3}}}"#, "8"),
    (#"{"a": {"$gt": 0, "$lt": 3}}"#, "58"), (#"{"$or": []}"#, ""),
    (#"{"$nor": []}"#, "0123456789"),
    (#"{"$or": [{"a": 2}, {"a": "2"}]}"#, "568"), (#"{"$not": {"a": {"$exists": true}}}"#, "0"),
    (#"{"$nor": [{"a": 2}, {"a": null}]}"#, "0234679"), (#"{"a": {"$mod": [2, 0]}}"#, "58"),
    (#"{"_id": {"$gte": "8"}}"#, "89"), (#"{"_rev": {"$regex": "^1-"}, "_id": "3"}"#, "3"),
    (#"{"a": {"$regex": "x|2"}}"#, "68"), (#"{"_other": {"$exists": true}}"#, ""),
  ]

  @Test(arguments: ofValues)
  func selects(selector: String, expected: String) throws {
    #expect(try Self.ids(selector, among: Self.values) == expected)
  }

  static let others: [(String, String, String)] = [
    (
      #"[{"a": 9223372036854775808}, {"a": 9223372036854775809}, {"a": 9223372036854775807}]"#,
      #"{"a": 9223372036854775808}"#, "0"
    ),
    (
      #"[{"a": 9223372036854775808}, {"a": 9223372036854775809}, {"a": 9223372036854775807}]"#,
      #"{"a": {"$gt": 9.223372036854775808e18}}"#, "1"
    ),
    (
      #"[{"a": 9007199254740993}, {"a": 9007199254740992}]"#,
      #"{"a": {"$lte": 9007199254740992.0}}"#,
      "1"
    ),
    (#"[{"a": -15}, {"a": 5}, {"a": 15.5}, {"a": -25.0}]"#, #"{"a": {"$mod": [10, -5]}}"#, "03"),
    (#"[{"a": -15}, {"a": 5}, {"a": 15.5}, {"a": -25.0}]"#, #"{"a": {"$mod": [-10, -5]}}"#, "03"),
    (#"[{"a": 1e300}, {"a": 18446744073709551615}]"#, #"{"a": {"$mod": [7, 1]}}"#, "01"),
    (#"[{"a": -9223372036854775808}]"#, #"{"a": {"$mod": [-1, 0]}}"#, "0"),
    (#"[{"a.b": 1}, {"a": {"b": 1}}, {"a": [{"b": 1}]}]"#, #"{"a\\.b": 1}"#, "0"),
    (#"[{"a.b": 1}, {"a": {"b": 1}}, {"a": [{"b": 1}]}]"#, #"{"a": {"b": 1}}"#, "1"),
    (
      #"[{"a": [{"b": 1}]}, {"a": [2]}, {"a": {"b": 1}}]"#,
      #"{"a": {"$elemMatch": {"b": {"$ne": 2}}}}"#, "0"
    ),
    (#"[{"a": [[1, 2]]}, {"a": [1, 2]}, {"a": [[[1, 2]]]}]"#, #"{"a": [1, 2]}"#, "01"),
    (
      #"[{"a": "12.5"}, {"a": "12.50"}, {"a": 12.5}, {"a": "1.25e1"}, {"a": "x"}, {"a": ["012.5"]}]"#,
      #"{"a": {"$eq": {"$decimal": "12.500"}}}"#, "0135"
    ),
    (
      #"[{"a": "-0.0"}, {"a": "0"}, {"a": "-1e-999999"}, {"a": "1e-999999"}, {"a": "é"}]"#,
      #"{"a": {"$lt": {"$decimal": "0"}}}"#, "2"
    ),
    (
      #"[{"a": "100000000000000000000000000000001"}, {"a": "1e32"}, {"a": "-1e32"}]"#,
      #"{"a": {"$gt": {"$decimal": "1E+32"}}}"#, "0"
    ),
    (
      #"[{"t": "A cat", "u": ["sat down"]}, {"t": "cats"}, {"t": "CAT-sat"}, {"t": 5}]"#,
      #"{"$text": {"$search": "Cat, SAT", "$fields": ["t", "u"]}}"#, "02"
    ),
    (
      #"[{"t": "É"}, {"t": "é"}, {"t": ""}]"#, #"{"$text": {"$search": "é", "$fields": ["t"]}}"#,
      "1"
    ),
    (#"[{"t": "a b"}]"#, #"{"$text": {"$search": " -", "$fields": ["t"]}}"#, ""),
    (#"[{"a": "\u00e9"}, {"a": "e\u0301"}]"#, #"{"a": "\u00e9"}"#, "0"),
    (
      #"[{"a": 9223372036854775807}, {"a": -9223372036854775808}]"#,
      #"{"a": {"$lt": 9.223372036854775808e18}}"#, "01"
    ),
    // Of two negative numbers, the one with the larger magnitude is less.
    (
      #"[{"a": "-2"}, {"a": "-0.5"}, {"a": "-1.0"}, {"a": "-10"}, {"a": "2"}]"#,
      #"{"a": {"$lt": {"$decimal": "-1"}}}"#, "03"
    ),
    (
      #"[{"a": "-2"}, {"a": "-0.5"}, {"a": "-1.0"}, {"a": "-10"}, {"a": "-0"}]"#,
      #"{"a": {"$gt": {"$decimal": "-1"}}}"#, "14"
    ),
    // A decimal text has at most 1,000 bytes, and its exponent at most 6 digits.
    (
      #"[{"a": "1.\#(zeros)"}, {"a": "1.\#(zeros)0"}]"#, #"{"a": {"$eq": {"$decimal": "1"}}}"#,
      "0"
    ),
    (
      #"[{"a": "1e000001"}, {"a": "1e0000001"}]"#, #"{"a": {"$eq": {"$decimal": "10"}}}"#, "0"
    ),
  ]

  private static let zeros = String(repeating: "0", count: 998)

  @Test(arguments: others)
  func selectsAmong(bodies: String, selector: String, expected: String) throws {
    #expect(try Self.ids(selector, among: bodies) == expected)
  }

  /// Expressions with matching and non-matching texts.
  static let expressions: [(String, [String], [String])] = [
    ("", ["", "x"], []), ("^$", [""], ["x"]), ("a.c", ["abc", "xa\rc"], ["a\nc", "ac"]),
    ("^(ab|c)+$", ["ab", "cabc"], ["", "a"]), ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]),
    ("^a{2,}$", ["aa", "aaaaa"], ["a"]), ("^a{0}b$", ["b"], ["ab"]), ("[^a-c]", ["d"], ["abc"]),
    (#"^[\d\-x]*$"#, ["", "1-x"], ["y"]), (#"\w\s\."#, ["a_ ."], ["é ."]),
    ("^(a*)*b$", ["aaab", "b"], ["aaac"]), ("^.$", ["é", "😀"], ["e\u{301}", ""]),
    ("(a|)b", ["b", "ab"], ["a"]), ("[a-]z", ["-z"], ["bz"]), ("^[^^]$", ["a"], ["^"]),
  ]

  @Test(arguments: expressions)
  func expressionsMatch(pattern: String, matching: [String], failing: [String]) throws {
    let bodies = JSONValue.array((matching + failing).map { ["a": .text($0)] })
    let selector: JSONValue = ["a": ["$regex": .text(pattern)]]
    #expect(
      try Self.ids(selector.serialized(), among: bodies.serialized())
        == matching.indices.map { "\($0)" }.joined())
  }

  /// The number of steps for each character is bounded.
  @Test func expressionsDoNotExplode() throws {
    let text = String(repeating: "a", count: 300)
    #expect(
      try Self.ids(#"{"a": {"$regex": "^(a|aa|a*)*$"}}"#, among: #"[{"a": "\#(text)!"}]"#) == "")
  }

  /// New content has no revision id yet, so `_rev` has no value.
  @Test func whatIsNotMadeYetHasNoRevision() throws {
    let selector = try FindSelector(["_rev": ["$exists": true]])
    #expect(!Subject([:], id: "d", rev: nil).matches(selector))
    #expect(Subject([:], id: "d", rev: "1-a").matches(selector))
  }
}
