internal import JSON

/// A number as a key: two keys stand to each other as the numbers do, exactly, whichever of the three
/// kinds of numbers they came from.
///
/// Each of them is 1.… times a power of two with at most 64 binary digits. The power, raised above 0,
/// decides before the digits; for a negative number both count down.
struct NumberKey: Hashable, Comparable {
  /// 0x8000 is zero; the sign and the power of two are the distance from there.
  let power: UInt16
  /// From the highest digit on, which is 1.
  let digits: UInt64

  private static let zero: UInt16 = 0x8000
  /// Added to a power of two, so that it is positive: the lowest is that of the smallest double.
  private static let bias = 1075

  /// The key of a number; nil for what is none.
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

  /// The number of these digits, the first of which counts two to this power.
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
