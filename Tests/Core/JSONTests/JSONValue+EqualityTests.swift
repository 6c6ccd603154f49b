import JSON
import Testing

@Suite struct JSONValueEqualityTests {
  /// Any two of these are different, and each differs from values with an equal hash.
  private static let distinct: [JSONValue] = [
    .null, false, true, 0, 1, 1.0, 0.0, -0.0, .double(.nan), .double(.infinity), .unsigned(.max),
    .integer(-1), .double(0x1p63), "", "1", "\u{E9}", "e\u{301}", [], [[]], [.null], [:], ["a": 1],
    ["a": 1.0], ["a": 1, "b": 2], ["b": 2, "a": 1], ["a": [:]], [["a": 1]],
  ]

  @Test func eachIsEqualToItselfOnly() {
    for (row, left) in JSONValueEqualityTests.distinct.enumerated() {
      for (column, right) in JSONValueEqualityTests.distinct.enumerated() {
        #expect((left == right) == (row == column), "\(left) and \(right)")
      }
    }
    #expect(Set(JSONValueEqualityTests.distinct).count == JSONValueEqualityTests.distinct.count)
  }

  @Test func equalValuesHashAlike() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let value = random.value(depthMax: 3)
      let copy = try JSONValue.parse(value.serializedBytes())
      #expect(value.hashValue == copy.hashValue)
    }
  }
}
