/// A decimal number of Core Data: a mantissa of 128 bits times a power of ten, or NaN.
///
/// Equality is numeric: 1.0 is 1, and there is one zero. Every number is stored in one normal form,
/// the one with the shortest mantissa whose exponent is in range.
public struct DecimalNumber: Hashable, Sendable {
  /// The mantissa, below 2^128; 38 digits always fit, and some numbers of 39.
  public let mantissa: UInt128
  /// The exponent, -128 … 127.
  public let exponent: Int
  /// True for a negative number; false for zero and NaN.
  public let isNegative: Bool
  /// True if the value is not a number.
  public let isNaN: Bool

  /// The value that is not a number.
  public static let nan = DecimalNumber()
  /// The range of exponents.
  public static let exponents = -128...127

  private init() {
    (mantissa, exponent, isNegative, isNaN) = (0, 0, false, true)
  }

  /// The number, or nil if no exponent in range yields it with a mantissa of 128 bits.
  public init?(mantissa: UInt128, exponent: Int, isNegative: Bool = false) {
    var mantissa = mantissa
    var exponent = exponent
    if mantissa == 0 {
      exponent = 0
    } else {
      while exponent < Self.exponents.upperBound {
        let (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: 10)
        guard remainder == 0 else { break }
        mantissa = quotient
        exponent += 1
      }
      while exponent > Self.exponents.upperBound {
        let (product, isTooLarge) = mantissa.multipliedReportingOverflow(by: 10)
        guard !isTooLarge else { return nil }
        mantissa = product
        exponent -= 1
      }
      guard exponent >= Self.exponents.lowerBound else { return nil }
    }
    self.mantissa = mantissa
    self.exponent = exponent
    self.isNegative = isNegative && mantissa != 0
    isNaN = false
  }

  /// Whether the mantissa is longer than the 38 digits that every platform supports.
  public var isLongerThanPromised: Bool { mantissa >= Self.promised }

  /// 10^38.
  private static let promised: UInt128 = (0..<38).reduce(1) { power, _ in power * 10 }
}
