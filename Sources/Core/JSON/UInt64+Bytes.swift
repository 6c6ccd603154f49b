/// A word as eight bytes, for scans of text that test eight bytes at a time.
extension UInt64 {
  /// A word of eight equal bytes.
  private init(repeating byte: UInt8) { self = 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// High bits of bytes. The lowest set bit marks the first byte that is not plain ASCII inside a
  /// JSON string: the quote, the backslash, a control character, or a non-ASCII byte.
  ///
  /// A borrow may mark plain bytes above the first; zero means that all eight bytes are plain.
  var bytesNotPlainInStrings: UInt64 { (self | bytesToEscapeOrAbove) & UInt64(repeating: 0x80) }

  /// The same for bytes that a JSON string must escape; non-ASCII bytes need no escape.
  var bytesToEscape: UInt64 { bytesToEscapeOrAbove & ~self & UInt64(repeating: 0x80) }

  /// The subtraction sets the high bit of each byte that is less than the subtrahend.
  private var bytesToEscapeOrAbove: UInt64 {
    let ones = UInt64(repeating: 1)
    let controls = self &- UInt64(repeating: .space)
    let quotes = (self ^ UInt64(repeating: .quote)) &- ones
    let backslashes = (self ^ UInt64(repeating: .backslash)) &- ones
    return controls | quotes | backslashes
  }
}
