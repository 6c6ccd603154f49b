import JSON
import Testing

@Suite struct JSONValueShapeTests {
  @Test(
    arguments: [
      (.null, 0), ("a", 0), ([], 1), ([:], 1), ([1, 2], 1), ([[], 1], 2),
      (["a": [["b": 0]], "c": []], 3),
      ([[[[]]], [], 0], 4),
    ] as [(JSONValue, Int)])
  func depth(value: JSONValue, depth: Int) {
    #expect(value.depth == depth)
  }

  /// Deeper than the parser accepts: an implementation may return such a value, and the depth must
  /// be reported.
  @Test func depthFarBeyondTheLimits() {
    var value: JSONValue = .double(.nan)
    for level in 0..<10_000 {
      value = level.isMultiple(of: 2) ? [value, 1] : ["a": value, "b": 1]
    }
    #expect(value.depth == 10_000)
    #expect(value.shape.depth == 10_000)
    #expect(value.shape.hasNonFiniteNumber)
  }

  @Test(
    arguments: [
      (1.5, false), (.double(.nan), true), (.double(.infinity), true), (.double(-.infinity), true),
      ([1, ["a": [.double(.nan)]], 2], true), (["a": 1e308, "b": "nan", "c": .null], false),
    ] as [(JSONValue, Bool)])
  func nonFiniteNumber(value: JSONValue, found: Bool) {
    #expect(value.shape.hasNonFiniteNumber == found)
  }

  /// No encoding is longer than the bound, and none is much shorter.
  @Test(
    arguments: [
      .null, "", "a", "\u{0}\u{1f}", "é\u{1F600}\"\\", -2.2250738585072014e-308,
      .integer(.min), .unsigned(.max), true, [], [:], [[], [[:]]], ["": ""],
      ["\u{0}": ["\u{0}", 1, [true, false, .null]], "b": ["c": -1.5e-300]],
    ] as [JSONValue])
  func boundOfTheLength(value: JSONValue) {
    let bytes = value.serializedBytes().count
    #expect(value.shape.bytesAtMost >= bytes)
    #expect(value.shape.bytesAtMost <= 25 + 6 * bytes)
  }
}
