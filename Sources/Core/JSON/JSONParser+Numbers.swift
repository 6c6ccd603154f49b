extension JSONParser {
  /// Parses the number whose minus sign or first digit comes next.
  mutating func parseNumber() throws(JSONError) -> JSONValue {
    let start = position
    let isNegative = next == .minus
    if isNegative { position += 1 }

    var significand = Significand()
    let integerStart = position
    try skipDigits(into: &significand)
    if position - integerStart > 1, bytes[integerStart] == .zero {
      throw JSONError(.leadingZero, at: integerStart)
    }
    guard next == .period || next == .lowerE || next == .upperE else {
      return try integer(isNegative, significand, from: start)
    }

    var exponent = 0
    if next == .period {
      position += 1
      let fractionStart = position
      try skipDigits(into: &significand)
      exponent = fractionStart - position
    }
    if next == .lowerE || next == .upperE {
      exponent += try parseExponent()
    }
    return try double(isNegative, significand, exponent: exponent, from: start)
  }

  /// Skips one or more digits and appends them to the significand.
  private mutating func skipDigits(into significand: inout Significand) throws(JSONError) {
    guard next.decimalDigit != nil else { throw unexpected("a digit") }
    while let digit = next.decimalDigit {
      significand.append(digit)
      position += 1
    }
  }

  /// Parses `e`, an optional sign and the digits; the result saturates far beyond the range of a
  /// double.
  private mutating func parseExponent() throws(JSONError) -> Int {
    position += 1
    let isNegative = next == .minus
    if isNegative || next == .plus { position += 1 }
    guard next.decimalDigit != nil else { throw unexpected("a digit") }
    var exponent = 0
    while let digit = next.decimalDigit {
      exponent = min(exponent * 10 + Int(digit), 1_000_000)
      position += 1
    }
    return isNegative ? -exponent : exponent
  }

  /// The value of an integer literal.
  private func integer(
    _ isNegative: Bool, _ significand: Significand, from start: Int
  ) throws(JSONError) -> JSONValue {
    if let magnitude = significand.value {
      guard isNegative else { return JSONValue(magnitude) }
      guard magnitude > 0 else { return .double(-0.0) }
      if magnitude <= Int64.min.magnitude {
        return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
      }
    }
    let digits = bytes(from: isNegative ? start + 1 : start)
    guard Double.holdsExactly(decimalDigits: digits) else { throw outOfRange(from: start) }
    return .double(try nearestDouble(from: start))
  }

  /// The value of a literal with a fraction or an exponent: significand × 10^exponent.
  private func double(
    _ isNegative: Bool, _ significand: Significand, exponent: Int, from start: Int
  ) throws(JSONError) -> JSONValue {
    if let digits = significand.value {
      // Both factors are exact doubles here, so the single rounding of their product or quotient
      // yields the nearest double.
      if digits <= 1 << 53, let power = Double.exactPower(ofTen: exponent.magnitude) {
        let value = exponent < 0 ? Double(digits) / power : Double(digits) * power
        return .double(isNegative ? -value : value)
      }
      if digits == 0 { return .double(isNegative ? -0.0 : 0.0) }
    }
    return .double(try nearestDouble(from: start))
  }

  /// The double nearest to the literal that starts at an offset and ends at the position.
  private func nearestDouble(from start: Int) throws(JSONError) -> Double {
    let literal = bytes(from: start)
    // The standard library rounds correctly for any number of digits.
    guard let value = Double(String(decoding: literal, as: UTF8.self)), value.isFinite else {
      throw outOfRange(from: start)
    }
    guard value == 0 else { return value }
    let significand = literal.prefix { $0 != .lowerE && $0 != .upperE }
    let isZero = significand.allSatisfy { $0.decimalDigit ?? 0 == 0 }
    guard isZero else { throw outOfRange(from: start) }
    return value
  }

  private func outOfRange(from start: Int) -> JSONError {
    let literal = bytes(from: start)
    let shown =
      literal.count <= 48
      ? String(decoding: literal, as: UTF8.self)
      : String(decoding: literal.prefix(24), as: UTF8.self) + "…"
        + String(decoding: literal.suffix(16), as: UTF8.self)
    return JSONError(.numberOutOfRange(shown), at: start)
  }
}

/// The digits of a number without its point, as one integer if it fits in 64 bits.
private struct Significand {
  private(set) var value: UInt64? = 0

  mutating func append(_ digit: UInt8) {
    guard let value else { return }
    let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
    self.value = overflow || carry ? nil : sum
  }
}

extension Double {
  /// The powers of ten that a double represents exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Ten to this power, or nil if no double represents it exactly.
  fileprivate static func exactPower(ofTen exponent: UInt) -> Double? {
    exponent < powersOfTen.count ? powersOfTen[Int(exponent)] : nil
  }

  /// Whether a double represents the integer with these decimal digits exactly, that is, whether
  /// its binary form has at most 53 significant bits followed by zeros; the range is not checked.
  /// The digits have no leading zero.
  fileprivate static func holdsExactly(decimalDigits: UnsafeBufferPointer<UInt8>) -> Bool {
    // The greatest double has 309 digits, which bounds the quadratic work below.
    guard decimalDigits.count <= 309 else { return false }
    var words: [UInt64] = []  // The integer in base 2^64, least significant word first.
    for digit in decimalDigits {
      var carry = UInt64(digit - .zero)
      for index in words.indices {
        let (high, low) = words[index].multipliedFullWidth(by: 10)
        let (sum, overflow) = low.addingReportingOverflow(carry)
        words[index] = sum
        carry = overflow ? high + 1 : high
      }
      if carry > 0 { words.append(carry) }
    }
    guard let last = words.last, let lowest = words.firstIndex(where: { $0 != 0 }) else {
      return true
    }
    let bitCount = words.count * 64 - last.leadingZeroBitCount
    let trailingZeroCount = lowest * 64 + words[lowest].trailingZeroBitCount
    return bitCount - trailingZeroCount <= 53
  }
}
