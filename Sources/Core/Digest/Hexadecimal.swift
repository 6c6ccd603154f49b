extension Collection<UInt8> {
  /// The bytes as lower-case hexadecimal digits, two for each.
  public var hexadecimal: String {
    let digits = withContiguousStorageIfAvailable { hexadecimalDigits(of: $0) }
    return digits ?? Array(self).withUnsafeBufferPointer { hexadecimalDigits(of: $0) }
  }
}

private func hexadecimalDigits(of bytes: UnsafeBufferPointer<UInt8>) -> String {
  String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
    for (index, byte) in bytes.enumerated() {
      digits[2 * index] = hexadecimalDigit(byte >> 4)
      digits[2 * index + 1] = hexadecimalDigit(byte & 0xF)
    }
    return 2 * bytes.count
  }
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + value
}
