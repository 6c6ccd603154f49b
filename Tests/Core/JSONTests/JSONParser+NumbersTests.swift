import JSON
import Testing

@Suite struct JSONParserNumberTests {
  @Test(
    arguments: [
      ("0", .integer(0)),
      ("7", .integer(7)),
      ("-1", .integer(-1)),
      ("10", .integer(10)),
      ("9007199254740993", .integer(9_007_199_254_740_993)),
      ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .unsigned(1 << 63)),
      ("18446744073709551615", .unsigned(.max)),
      // A double represents these exactly; their neighbors are rejected below.
      ("-9223372036854777856", .double(-0x1.0000000000001p63)),
      ("18446744073709551616", .double(0x1p64)),
      ("-18446744073709551616", .double(-0x1p64)),
      ("18446744073709555712", .double(0x1.0000000000001p64)),
      ("100000000000000000000", .double(1e20)),
      ("10000000000000000000000", .double(1e22)),
    ] as [(String, JSONValue)])
  func integerLiteral(text: String, value: JSONValue) throws {
    #expect(try JSONValue.parse(text) == value)
    #expect(try JSONValue.parse("[\(text),\(text)]") == [value, value])
  }

  @Test(
    arguments: [
      ("0.0", 0),
      ("1.0", 1),
      ("1e2", 100),
      ("1E2", 100),
      ("1e+2", 100),
      ("1e-2", 0.01),
      ("1e002", 100),
      ("-1.5", -1.5),
      ("0.1", 0.1),
      ("123.456", 123.456),
      ("9007199254740993.0", 9_007_199_254_740_992),
      ("18446744073709551616.0", 0x1p64),
      ("0e999999999999999999999999", 0),
      ("0.000e-999999999999999999999999", 0),
      ("0.00000000000000000000000000000000", 0),
      ("1e22", 1e22),
      ("1e23", 1e23),
      ("1.7976931348623157e308", .greatestFiniteMagnitude),
      // Just below the midpoint between the greatest double and the next value.
      ("1.7976931348623158079e308", .greatestFiniteMagnitude),
      ("5e-324", .leastNonzeroMagnitude),
      ("2.4703282292062328e-324", .leastNonzeroMagnitude),
      ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown),
      ("2.2250738585072014e-308", .leastNormalMagnitude),
      ("100000000000000000000000000000000000000000e-40", 10),
      ("0.00000000000000000000000000000000000000001e41", 1),
    ] as [(String, Double)])
  func doubleLiteral(text: String, value: Double) throws {
    #expect(try JSONValue.parse(text) == .double(value))
    #expect(try JSONValue.parse("-" + text.drop { $0 == "-" }) == .double(-value.magnitude))
  }

  @Test(arguments: ["-0", "-0.0", "-0e0", "-0.000E+5", "-0.00000000000000000000000000000"])
  func negativeZero(text: String) throws {
    #expect(try JSONValue.parse(text) == .double(-0.0))
    #expect(try JSONValue.parse(text) != .double(0.0))
  }

  /// A tie between two doubles, decided by a digit far behind it.
  @Test func everyDigitCounts() throws {
    let tie = "9007199254740993." + String(repeating: "0", count: 2000)
    #expect(try JSONValue.parse(tie) == .double(9_007_199_254_740_992))
    #expect(try JSONValue.parse(tie + "1") == .double(9_007_199_254_740_994))
  }

  @Test func greatestExactInteger() throws {
    // The greatest double as an integer: 2^1024 - 2^971.
    let greatest = """
      17976931348623157081452742373170435679807056752584499659891747680315726078002853876058955863\
      27668781715404589535143824642343213268894641827684675467035375169860499105765512820762454900\
      90389328944075868508455133942304583236903222948165808559332123348274797826204144723168738177\
      180919299881250404026184124858368
      """
    #expect(try JSONValue.parse(greatest) == .double(.greatestFiniteMagnitude))

    // 2^1024 has only one significant bit, and exceeds all doubles.
    let beyond = """
      17976931348623159077293051907890247336179769789423065727343008115773267580550096313270847732\
      24075360211201138798713933576587897688144166224928474306394741243777678934248654852763022196\
      01246094119453082952085005768838150682342462881473913110540827237163350510684586298239947245\
      938479716304835356329624224137216
      """
    #expect(throws: JSONError.self) { try JSONValue.parse(beyond) }

    let neighbour = greatest.dropLast() + "9"
    let error = #expect(throws: JSONError.self) { try JSONValue.parse(String(neighbour)) }
    #expect(error?.kind == .numberOutOfRange("179769313486231570814527…4026184124858369"))
  }

  @Test(arguments: [
    "-9223372036854775809", "18446744073709551617", "18446744073709551618",
    "-18446744073709551615", "99999999999999999999", "100000000000000000000000",
    "1e309", "-1e309", "1.7976931348623159e308", "1e99999999999999999999999",
    "1e-400", "-1e-400", "2.4703282292062327e-324", "0.1e-99999999999999999999999",
  ])
  func outOfRange(text: String) {
    #expect(throws: JSONError(.numberOutOfRange(text), at: 0)) { try JSONValue.parse(text) }
    #expect(throws: JSONError(.numberOutOfRange(text), at: 3)) {
      try JSONValue.parse("[1,\(text)]")
    }
  }

  @Test func outOfRangeWithManyDigits() {
    let nines = String(repeating: "9", count: 100_000)
    let shown = "999999999999999999999999…9999999999999999"
    #expect(throws: JSONError(.numberOutOfRange(shown), at: 0)) { try JSONValue.parse(nines) }
  }

  @Test(
    arguments: [
      ("-", 1, .unexpectedEnd(expected: "a digit")),
      ("-x", 1, .unexpectedByte(0x78, expected: "a digit")),
      ("--1", 1, .unexpectedByte(0x2D, expected: "a digit")),
      ("+1", 0, .unexpectedByte(0x2B, expected: "a value")),
      (".5", 0, .unexpectedByte(0x2E, expected: "a value")),
      ("-.5", 1, .unexpectedByte(0x2E, expected: "a digit")),
      ("1.", 2, .unexpectedEnd(expected: "a digit")),
      ("[1.]", 3, .unexpectedByte(0x5D, expected: "a digit")),
      ("1.e1", 2, .unexpectedByte(0x65, expected: "a digit")),
      ("1e", 2, .unexpectedEnd(expected: "a digit")),
      ("1e+", 3, .unexpectedEnd(expected: "a digit")),
      ("1e-x", 3, .unexpectedByte(0x78, expected: "a digit")),
      ("1e+-1", 3, .unexpectedByte(0x2D, expected: "a digit")),
      ("01", 0, .leadingZero),
      ("-01", 1, .leadingZero),
      ("00.5", 0, .leadingZero),
      ("[0, 007]", 4, .leadingZero),
      ("1.5.5", 3, .trailingText),
      ("0x1F", 1, .trailingText),
      ("1e5e5", 3, .trailingText),
      ("1_000", 1, .trailingText),
      ("-Infinity", 1, .unexpectedByte(0x49, expected: "a digit")),
      ("\u{661}", 0, .unexpectedByte(0xD9, expected: "a value")),
    ] as [(String, Int, JSONError.Kind)])
  func refusedNumber(text: String, offset: Int, kind: JSONError.Kind) {
    #expect(throws: JSONError(kind, at: offset)) { try JSONValue.parse(text) }
  }

  /// The fast conversion to a double and that of the standard library agree on literals of each
  /// form.
  @Test func nearestDoubleOfRandomLiterals() throws {
    var random = SplitMix64(seed: 8259)
    for _ in 0..<50_000 {
      let digits = String(random.next() >> random.next(below: 64))
      let fraction = String(random.next() >> random.next(below: 64))
      let exponent = random.next(below: 60) - 30
      let literal = "\(digits).\(fraction)e\(exponent)"
      let value = try JSONValue.parse(literal)
      guard value == .double(try #require(Double(literal))) else {
        Issue.record("\(literal) is read as \(value)")
        return
      }
    }
  }

  /// Integers of 65 to 1024 bits: those with 53 significant bits are accepted, others rejected.
  @Test func exactnessOfRandomIntegers() throws {
    var random = SplitMix64(seed: 754)
    for _ in 0..<2_000 {
      let high = UInt128(random.next() >> random.next(below: 12) | 1)
      let integer = high << UInt128(random.next(below: 65))
      guard integer > UInt128(UInt64.max) else { continue }
      let nearest = Double(integer)
      let isExact = nearest < 0x1p128 && UInt128(nearest) == integer
      let value = try? JSONValue.parse(integer.description)
      #expect(value == (isExact ? .double(nearest) : nil), "\(integer)")
    }
  }
}
