internal import JSON

/// The text of a decimal number as a key whose byte order is the order of the numbers.
///
/// One byte for the sign, eight for the power of ten above the first digit, then the digits without
/// zeros at either end; for a negative number all bytes after the sign are inverted.
struct DecimalKey: Equatable, Comparable {
  private let bytes: [UInt8]

  /// The maximum length of the text in bytes.
  private static let bytesMax = 1000

  /// Nil for a text that is not a decimal number: a sign, digits with a point, an exponent of up to
  /// six digits.
  init?(_ text: JSONString) {
    guard let key = text.withBytes({ Self.key($0) }) else { return nil }
    bytes = key
  }

  private static func key(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count <= bytesMax, let first = text.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var place = isNegative || first == UInt8(ascii: "+") ? 1 : 0
    var digits: [UInt8] = []
    var (hasDigit, hasPoint) = (false, false)
    // The power of ten above the first significant digit.
    var power = 0
    while place < text.count {
      let byte = text[place]
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        hasDigit = true
        let counts = !digits.isEmpty || byte != UInt8(ascii: "0")
        if counts { digits.append(byte) }
        if counts && !hasPoint { power += 1 }
        if !counts && hasPoint { power -= 1 }
      } else {
        break
      }
      place += 1
    }
    guard hasDigit, let exponent = exponent(text[place...]) else { return nil }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.isEmpty { return [1] }
    let raised = UInt64(bitPattern: Int64(power + exponent)) ^ 1 << 63
    let tail =
      stride(from: UInt64(56), through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: raised >> $0)
      } + digits + [0]
    return isNegative ? [0] + tail.map { ~$0 } : [2] + tail
  }

  /// The value of the exponent after the digits; 0 if it is absent.
  private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard let mark = text.first else { return 0 }
    guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
    var figures = text.dropFirst()
    let isNegative = figures.first == UInt8(ascii: "-")
    if isNegative || figures.first == UInt8(ascii: "+") { figures = figures.dropFirst() }
    guard (1...6).contains(figures.count) else { return nil }
    var value = 0
    for figure in figures {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(figure) else { return nil }
      value = 10 * value + Int(figure - UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }

  static func < (left: DecimalKey, right: DecimalKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
