// The 20 bytes of `NSDecimal`, encoded explicitly because the memory layout of the structure
// depends on the platform.
//
// Byte 0 is the exponent; byte 1 has the number of words in bits 0 to 3, the sign in bit 4 and
// "compact" in bit 5; bytes 2 and 3 are 0; then 8 words of 16 bits of the mantissa, the least
// significant first, each little-endian.

extension DecimalNumber {
  /// The length of an image in bytes.
  static let imageLength = 20

  private static let negative: UInt8 = 1 << 4
  private static let compact: UInt8 = 1 << 5

  /// The image on Apple's platforms. NaN is encoded with 0 words and a negative sign.
  public var image: [UInt8] {
    guard !isNaN else { return [0, Self.negative] + Array(repeating: 0, count: 18) }
    var words: UInt8 = 0
    var rest = mantissa
    while rest != 0 {
      words += 1
      rest >>= 16
    }
    let head = [
      UInt8(bitPattern: Int8(exponent)),
      words | (isNegative ? Self.negative : 0) | Self.compact, 0, 0,
    ]
    return head + (0..<16).map { UInt8(truncatingIfNeeded: mantissa >> (8 * $0)) }
  }

  /// Parses an image; nil if it has another length, or its number of words is not that of its
  /// mantissa, for example on a platform with another bit order.
  ///
  /// "Compact" and the reserved bytes are ignored.
  public init?(image: [UInt8]) {
    guard image.count == Self.imageLength else { return nil }
    let words = Int(image[1] & 0xF)
    let isNegative = image[1] & Self.negative != 0
    var mantissa: UInt128 = 0
    for byte in image[4...].reversed() { mantissa = mantissa << 8 | UInt128(byte) }
    guard words <= 8, words == 8 || mantissa >> (16 * words) == 0,
      words == 0 || mantissa >> (16 * (words - 1)) != 0
    else { return nil }
    if words == 0, isNegative {
      self = .nan
      return
    }
    self.init(
      mantissa: mantissa, exponent: Int(Int8(bitPattern: image[0])), isNegative: isNegative)
  }
}
