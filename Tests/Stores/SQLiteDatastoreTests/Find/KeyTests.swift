import JSON
import Testing

@testable import SQLiteDatastore

struct KeyTests {
  /// Distinct values in ascending order.
  static let ascending: [JSONValue?] = [
    nil, .null, false, true, -1e300, -18446744073709551616.0, .integer(.min),
    .integer(.min + 1), -9_007_199_254_740_993, -9007199254740992.0, -2, -1.5, -1, -1e-300,
    .double(-.leastNonzeroMagnitude), 0, .double(.leastNonzeroMagnitude),
    .double(.leastNonzeroMagnitude * 5), 1e-300, 0.5, 1,
    1.5, 2, 9007199254740992.0, 9_007_199_254_740_993, .integer(.max), JSONValue(1 << 63),
    JSONValue(1 << 63 + 1), JSONValue(UInt64.max), 18446744073709551616.0, 1e300, "", "\u{0}",
    "\u{0}\u{0}", "\u{0}a", "\u{1}", "A", "a", "a\u{0}", "a\u{0}b", "a\u{1}", "ab", "é",
    "\u{ff5e}", "\u{1f600}", [], [:],
  ]

  @Test func keysHaveTheOrderOfValues() {
    let keys = Self.ascending.map { ValueKey.of($0) }
    for place in keys.indices.dropLast() {
      #expect(
        keys[place].lexicographicallyPrecedes(keys[place + 1]),
        "\(String(describing: Self.ascending[place]))")
    }
  }

  /// So the end of a key is unambiguous, and its continuations are below the key followed by 0xff.
  @Test func noKeyBeginsAnotherOne() {
    let keys = Self.ascending.map { ValueKey.of($0) }
    for (place, key) in keys.enumerated() {
      #expect(!keys.enumerated().contains { $0 != place && $1.starts(with: key) })
      #expect(key.first != 0xff)
      for other in keys {
        #expect((key + other).lexicographicallyPrecedes(key + [0xff]))
      }
    }
  }

  @Test func equalNumbersHaveOneKey() {
    let equals: [[JSONValue]] = [
      [0, 0.0, -0.0], [1, 1.0], [-3, -3.0], [JSONValue(1 << 63), 9.223372036854775808e18],
      [.integer(.min), -9.223372036854775808e18],
    ]
    for values in equals {
      #expect(Set(values.map { ValueKey.of($0) }).count == 1, "\(values)")
    }
  }

  /// Texts of decimal numbers in ascending order.
  static let decimals: [JSONString] = [
    "-1e999999", "-100.5", "-100", "-99.99", "-1", "-0.5", "-.05", "-1e-999999", "0", "1e-999999",
    ".05", "0.5", "1", "12.49", "12.5", "12.500000000000000000000000000000000001", "99", "1e2",
    "100000000000000000000000000000000000000000", "1e999999",
  ]

  @Test func decimalsHaveTheOrderOfNumbers() throws {
    let keys = try Self.decimals.map { try #require(DecimalKey($0)) }
    for place in keys.indices.dropLast() { #expect(keys[place] < keys[place + 1]) }
    for text in ["12.5", "+12.50", "012.5", "1.25e1", "125E-1", "12.5e+0"] as [JSONString] {
      #expect(DecimalKey(text) == DecimalKey("12.500"), "\(text)")
    }
    for text in ["-0", "0e5", "00.00", "-.0"] as [JSONString] {
      #expect(DecimalKey(text) == DecimalKey("0"), "\(text)")
    }
    for text in ["", "-", ".", "1e", "1e1234567", "1 ", "a", "1.2.3", "--1", "1e+-2"]
      as [JSONString]
    {
      #expect(DecimalKey(text) == nil, "\(text)")
    }
    #expect(DecimalKey(JSONString(String(repeating: "1", count: 1001))) == nil)
  }
}
