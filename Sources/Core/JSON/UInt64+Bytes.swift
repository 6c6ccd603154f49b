/// A word as eight bytes, which most scans of text look at together.
extension UInt64 {
  /// Eight times the same byte.
  private init(repeating byte: UInt8) { self = 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// High bits of bytes, the lowest of which marks the first byte that is not plain ASCII inside a
  /// JSON string: the quote, the backslash, a control character, or anything above ASCII.
  ///
  /// A borrow may mark plain bytes above the first; zero means that all eight are plain.
  var bytesNotPlainInStrings: UInt64 { (self | bytesToEscapeOrAbove) & UInt64(repeating: 0x80) }

  /// The same for bytes that a JSON string must escape; bytes above ASCII need not be.
  var bytesToEscape: UInt64 { bytesToEscapeOrAbove & ~self & UInt64(repeating: 0x80) }

  /// Subtracting sets the high bit of each byte that was less than what is subtracted.
  private var bytesToEscapeOrAbove: UInt64 {
    let ones = UInt64(repeating: 1)
    let controls = self &- UInt64(repeating: .space)
    let quotes = (self ^ UInt64(repeating: .quote)) &- ones
    let backslashes = (self ^ UInt64(repeating: .backslash)) &- ones
    return controls | quotes | backslashes
  }
}
