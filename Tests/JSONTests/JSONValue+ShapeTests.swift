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

  /// Deeper than the parser ever goes: what a store hands out may be, and must be told.
  @Test func depthFarBeyondTheLimits() {
    var value: JSONValue = .double(.nan)
    for level in 0..<10_000 {
      value = level.isMultiple(of: 2) ? [value, 1] : ["a": value, "b": 1]
    }
    #expect(value.depth == 10_000)
    #expect(value.hasNonFiniteNumber)
  }

  @Test(
    arguments: [
      (1.5, false), (.double(.nan), true), (.double(.infinity), true), (.double(-.infinity), true),
      ([1, ["a": [.double(.nan)]], 2], true), (["a": 1e308, "b": "nan", "c": .null], false),
    ] as [(JSONValue, Bool)])
  func nonFiniteNumber(value: JSONValue, found: Bool) {
    #expect(value.hasNonFiniteNumber == found)
  }
}
