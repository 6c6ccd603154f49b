import JSON
import Testing

@Suite struct JSONValueEquivalenceTests {
  @Test(
    arguments: [
      (1, 1.0),
      (0, -0.0),
      (0.0, -0.0),
      (-5, -5.0),
      (.integer(1 << 53), 9_007_199_254_740_992.0),
      (.integer(.min), -0x1p63),
      (.unsigned(1 << 63), 0x1p63),
      (.unsigned(.max - 2047), 0x1.fffffffffffffp63),
      (.unsigned(1), 1),
      (.unsigned(1), 1.0),
      (["a": 1, "b": 2], ["b": 2.0, "a": 1.0]),
      (["a": 1, "b": 2, "c": 3], ["a": 1, "c": 3, "b": 2]),
      ([["a": [0]]], [["a": [-0.0]]]),
    ] as [(JSONValue, JSONValue)])
  func same(left: JSONValue, right: JSONValue) {
    #expect(left.isSameValue(as: right))
    #expect(right.isSameValue(as: left))
  }

  @Test(
    arguments: [
      (1, 2),
      (1, 1.5),
      (1, "1"),
      (0, .null),
      (0, false),
      (.null, false),
      (.integer(1 << 53 + 1), 9_007_199_254_740_992.0),
      (.integer(.max), 0x1p63),
      (.integer(.max), .unsigned(1 << 63)),
      (.unsigned(.max), 0x1p64),
      (.unsigned(1 << 63 + 1), 0x1p63),
      (.unsigned(.max), -1),
      (.unsigned(.max), -1.0),
      (0, .double(.leastNonzeroMagnitude)),
      (.integer(.min), -0x1.0000000000001p63),
      (.integer(.max), .double(.greatestFiniteMagnitude)),
      (.unsigned(.max), .double(.infinity)),
      (.integer(.min), .double(-.infinity)),
      (0, .double(.nan)),
      (.unsigned(.max), .double(.nan)),
      (.double(.nan), .double(.nan)),
      ("\u{E9}", "e\u{301}"),
      ("a", "A"),
      ([1, 2], [2, 1]),
      ([1], [1, 1]),
      ([], [:]),
      (["a": 1], ["b": 1]),
      (["a": 1], ["a": 2]),
      (["a": 1], ["a": 1, "b": 2]),
      (["a": 1, "b": 2], ["b": 1, "a": 2]),
      (["a": 1, "b": 2], ["a": 1, "c": 2]),
      (["\u{E9}": 1], ["e\u{301}": 1]),
      (["a": .null], [:]),
    ] as [(JSONValue, JSONValue)])
  func different(left: JSONValue, right: JSONValue) {
    #expect(!left.isSameValue(as: right))
    #expect(!right.isSameValue(as: left))
  }

  @Test func equalValuesAreTheSame() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<500 {
      let value = random.value(depthMax: 3)
      #expect(value.isSameValue(as: value))
    }
  }

  /// Quadratic work would take minutes here.
  @Test(.timeLimit(.minutes(1)))
  func manyMembersInReverse() {
    let members = (0..<100_000).map { (JSONString("member \($0)"), JSONValue.integer($0)) }
    let left = JSONValue.object(JSONObject(members))
    #expect(left.isSameValue(as: .object(JSONObject(members.reversed()))))
    let changed = members.reversed().dropLast() + [(JSONString("member 0"), 1)]
    #expect(!left.isSameValue(as: .object(JSONObject(changed))))
  }
}
