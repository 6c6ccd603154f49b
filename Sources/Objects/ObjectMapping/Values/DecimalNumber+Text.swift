// Decimal numbers as texts: digits, with a point where required.

extension DecimalNumber {
  /// Parses digits with a sign, a point and an exponent, such as `-12.50` or `1e-3`; nil if the
  /// text is not valid, or if 128 bits and the exponent range cannot represent it exactly.
  public init?(text: some Collection<UInt8>) {
    var bytes = text[...]
    func take(_ accepted: String) -> UInt8? {
      guard let first = bytes.first, accepted.utf8.contains(first) else { return nil }
      bytes = bytes.dropFirst()
      return first
    }

    let isNegative = take("+-") == UInt8(ascii: "-")
    var mantissa: UInt128 = 0
    var exponent = 0
    var hasDigits = false
    var hasPoint = false
    // Zeros are added only when another digit follows: 1 with 120 zeros has a short mantissa.
    var zeros = 0
    while let next = take(hasPoint ? "0123456789" : "0123456789.") {
      if next == UInt8(ascii: ".") {
        hasPoint = true
        continue
      }
      hasDigits = true
      if hasPoint { exponent -= 1 }
      guard next != UInt8(ascii: "0") else {
        zeros += 1
        continue
      }
      for digit in Array(repeating: 0, count: mantissa == 0 ? 0 : zeros) + [next - 48] {
        let (product, isTooLarge) = mantissa.multipliedReportingOverflow(by: 10)
        let (sum, isFull) = product.addingReportingOverflow(UInt128(digit))
        guard !isTooLarge, !isFull else { return nil }
        mantissa = sum
      }
      zeros = 0
    }
    guard hasDigits else { return nil }
    exponent += zeros
    if take("eE") != nil {
      let isSmall = take("+-") == UInt8(ascii: "-")
      guard (1...6).contains(bytes.count) else { return nil }
      var power = 0
      while let digit = take("0123456789") { power = power * 10 + Int(digit - 48) }
      exponent += isSmall ? -power : power
    }
    guard bytes.isEmpty else { return nil }
    self.init(mantissa: mantissa, exponent: exponent, isNegative: isNegative)
  }

  /// All digits in their places, without an exponent; `NaN` for NaN.
  public var description: String {
    guard !isNaN else { return "NaN" }
    let digits = String(mantissa)
    let text: String
    if exponent >= 0 {
      text = digits + (mantissa == 0 ? "" : String(repeating: "0", count: exponent))
    } else {
      let places = -exponent
      let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
      text = "\(padded.dropLast(places)).\(padded.suffix(places))"
    }
    return (isNegative ? "-" : "") + text
  }
}

extension DecimalNumber: CustomStringConvertible {}
