internal import JSON
internal import ObjectMapping
internal import Simulation

/// The values of the attributes of a sequence: a few of each type, many of which are nearly equal.
///
/// Objects and the constants of predicates have the same values, so that comparisons hold for some
/// objects and not for others. Values are in the form of calls.
struct FetchValues {
  private var pools: [AttributeType: [JSONValue]] = [:]

  init(_ random: inout KeyedRandom) {
    for type in AttributeType.allCases {
      var families = Self.families(type)
      var pool: [JSONValue] = []
      for _ in 0..<min(type == .double || type == .float ? 3 : 2, families.count) {
        pool += families.remove(at: random.below(families.count))
      }
      pools[type] = pool
    }
  }

  /// Values that are equal for code that rounds, cuts, or ignores case, marks, forms or types, or
  /// that takes signs for wildcards, quotes or expressions.
  private static func families(_ type: AttributeType) -> [[JSONValue]] {
    switch type {
    case .utf8:
      [
        ["", "a", "A", "ab", "aB", "b"], ["", "ba", "abab", "ab"], ["é", "É", "e\u{301}", "ß"],
        ["1", "1.0", "01", "10", "9"], ["a*b", "a?b", "a%b", "a_b", "axb", "a.b"],
        ["a\nb", "\n", "a b", "ab"], ["O'B", "a\"b", "O", "a\\b", "a"],
        ["\u{ff5e}", "😀", "a😀"],
      ]
    case .bool: [[true, false]]
    case .date1970:
      [
        [0, 0.5, 1, -0.5], [978_307_200, 978_307_200.5, 978_307_201], [1.25, 1],
        [1_700_000_000.125, 1_700_000_000],
      ]
    case .int16: [[0, 1, -1], [9, 10, 100], [2, 3], [32767, -32768]]
    case .int32: [[0, 1, -1], [9, 10, 100], [2, 3], [2_147_483_647, -2_147_483_648]]
    case .int64:
      [
        [0, 1, -1], [9, 10, 100], [9_007_199_254_740_992, 9_007_199_254_740_993],
        [.integer(.max), .integer(.max - 1)], [.integer(.min), .integer(.min + 1)],
      ]
    case .double:
      [
        [0, ["image": "8000000000000000"]], [1, 1.5, 0.5, 2], [9, 10, 100],
        [1.7976931348623157e308, ["image": "7ff0000000000000"]], [0.1, 1.5e300],
        [-1.7976931348623157e308, ["image": "fff0000000000000"]],
        [["image": "7ff8000000000000"], 0], [9_007_199_254_740_992.0, -1],
      ]
    case .float:
      [
        [0, ["image": "80000000"]], [1, 1.5, 0.5, 2], [9, 10, 100], [0.1, 16_777_216.0],
        [3.4028234663852886e38, ["image": "7f800000"]], [-1, ["image": "ff800000"]],
        [["image": "7fc00000"], 0],
      ]
    case .decimal:
      [
        ["9007199254740992", "9007199254740993"], ["0.1", "0.1000000000000000000000000001"],
        ["1", "1.0", "1.5"], ["9", "10", "100"], ["NaN", "0", "-1"],
        ["12345678901234567890123456789", "12345678901234567890123456788"],
      ]
    case .xform, .binary: [["", "AA=="], ["YQ==", "YWI="]]
    case .id: [["x-o://s/E/p1", "x-o://s/E/p2", "X-O://s/E/p1", "u"]]
    }
  }

  /// A value of a type.
  func value(_ type: AttributeType, _ random: inout KeyedRandom) -> JSONValue {
    random.pick(pools[type] ?? []) ?? .null
  }
}
