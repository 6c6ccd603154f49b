extension JSONString {
  /// Whether these bytes precede the other ones in byte order: the order of generated files,
  /// independent of any store.
  package func precedesBytewise(_ other: JSONString) -> Bool {
    withBytes { left in
      other.withBytes { right in left.lexicographicallyPrecedes(right) }
    }
  }
}

extension Sequence where Element == JSONString {
  /// The strings in byte order, so that output never depends on hashing.
  package var inByteOrder: [JSONString] { sorted { $0.precedesBytewise($1) } }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether no byte has its highest bit set, tested one word at a time.
  var isASCII: Bool {
    let bytes = UnsafeRawBufferPointer(self)
    var bits: UInt64 = 0
    guard count >= 8 else {
      for byte in self { bits |= UInt64(byte) }
      return bits & 0x80 == 0
    }
    var index = 0
    while index < count - 8 {
      bits |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index += 8
    }
    // The last word overlaps the one before it.
    bits |= bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// Whether both have the same bytes, compared one word at a time.
  func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
    var index = 0
    while count - index >= 8 {
      let leftWord = left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let rightWord = right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard leftWord == rightWord else { return false }
      index += 8
    }
    while index < count {
      guard left[index] == right[index] else { return false }
      index += 1
    }
    return true
  }
}
