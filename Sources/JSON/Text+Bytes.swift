extension Text {
  /// Whether these bytes come first in byte order; the order of files written here, of no store.
  func precedesBytewise(_ other: Text) -> Bool {
    withBytes { left in
      other.withBytes { right in left.lexicographicallyPrecedes(right) }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether no byte has its highest bit set, looked at a word at a time.
  var isASCII: Bool {
    let bytes = UnsafeRawBufferPointer(self)
    var index = 0
    while count - index >= 8 {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard word & 0x8080_8080_8080_8080 == 0 else { return false }
      index += 8
    }
    return self[index...].allSatisfy { $0 < 0x80 }
  }

  /// Whether both are the same bytes, compared a word at a time.
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
