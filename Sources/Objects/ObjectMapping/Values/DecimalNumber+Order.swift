// The order of decimal numbers, without rounding.

extension DecimalNumber {
  /// Whether it is less than another number; false if either is NaN.
  public func isLess(than other: DecimalNumber) -> Bool {
    guard !isNaN, !other.isNaN else { return false }
    if isNegative != other.isNegative { return isNegative }
    let (low, high) = isNegative ? (other, self) : (self, other)
    return low.magnitudeIsLess(than: high)
  }

  private func magnitudeIsLess(than other: DecimalNumber) -> Bool {
    if mantissa == 0 || other.mantissa == 0 { return mantissa == 0 && other.mantissa != 0 }
    let (left, right) = (String(mantissa), String(other.mantissa))
    // The position of the first digit to the left of the point.
    let (top, otherTop) = (left.utf8.count + exponent, right.utf8.count + other.exponent)
    if top != otherTop { return top < otherTop }
    let length = max(left.utf8.count, right.utf8.count)
    let zeros = { (digits: String) in
      digits + String(repeating: "0", count: length - digits.utf8.count)
    }
    return zeros(left).utf8.lexicographicallyPrecedes(zeros(right).utf8)
  }
}
