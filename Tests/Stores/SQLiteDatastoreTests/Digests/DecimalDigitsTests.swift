import Testing

@testable import SQLiteDatastore

@Suite struct DecimalDigitsTests {
  static let spellings: [(Double, String)] = [
    (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (100, "100"),
    (123_456_789_012_345_683_968, "123456789012345680000"), (1e21, "1e+21"), (1.5e300, "1.5e+300"),
    (0.000001, "0.000001"), (0.0000012, "0.0000012"), (1e-7, "1e-7"), (-1.25e-9, "-1.25e-9"),
    (.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
    (1e20, "100000000000000000000"),
    (12.5, "12.5"), (9_007_199_254_740_992, "9007199254740992"),
  ]

  @Test(arguments: spellings)
  func doublesAreSpelledAsECMAScriptDoes(number: Double, text: String) {
    #expect(String(decoding: DecimalDigits(number).ecmaScript, as: UTF8.self) == text)
  }
}
