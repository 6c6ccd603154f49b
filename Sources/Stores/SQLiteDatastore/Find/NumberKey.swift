internal import JSON

/// A number as a key: the order of keys is the exact order of the numbers, across the three kinds
/// of numbers.
///
/// Each number is 1.… times a power of two with at most 64 binary digits. The biased power precedes
/// the digits; for a negative number both are inverted.
struct NumberKey: Hashable, Comparable {
  /// 0x8000 is zero; the sign and the power of two are the distance from there.
  let power: UInt16
  /// The digits from the highest one on, which is 1.
  let digits: UInt64

  private static let zero: UInt16 = 0x8000
  /// The bias of the power of two, which makes it positive: the lowest power is that of the
  /// smallest double.
  private static let bias = 1075

  /// The key of a number; nil for any other value.
  init?(_ value: JSONValue) {
    switch value {
    case .integer(let value): self.init(value.magnitude, power: 63, isNegative: value < 0)
    case .unsigned(let value): self.init(value, power: 63, isNegative: false)
    case .double(let value):
      guard value.isFinite else { return nil }
      let bits = value.significandBitPattern
      let isNormal = value.isNormal
      self.init(
        (isNormal ? bits | 1 << 52 : bits) << 11,
        power: isNormal ? Int(value.exponent) : -1022, isNegative: value < 0)
    default: return nil
    }
  }

  /// The number with these digits and this power of two of the first digit.
  private init(_ magnitude: UInt64, power: Int, isNegative: Bool) {
    guard magnitude != 0 else {
      (self.power, digits) = (Self.zero, 0)
      return
    }
    let shift = magnitude.leadingZeroBitCount
    let raised = UInt16(power - shift + Self.bias)
    let shifted = magnitude << UInt64(shift)
    self.power = isNegative ? Self.zero - raised : Self.zero + raised
    digits = isNegative ? ~shifted : shifted
  }

  static func < (left: NumberKey, right: NumberKey) -> Bool {
    left.power != right.power ? left.power < right.power : left.digits < right.digits
  }
}
