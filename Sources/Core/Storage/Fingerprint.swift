/// A hash over bytes and numbers.
struct Fingerprint {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func fold(_ number: UInt64) {
    value = (value ^ number) &* 0x9e37_79b9_7f4a_7c15
    value ^= value >> 29
  }

  mutating func fold(_ bytes: [UInt8]) { bytes.withUnsafeBytes { fold($0) } }

  mutating func fold(_ bytes: UnsafeRawBufferPointer) {
    let words = bytes.count / 8
    for word in 0..<words { fold(bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) }
    for byte in bytes[(words * 8)...] { fold(UInt64(byte)) }
    fold(UInt64(bytes.count))
  }
}
