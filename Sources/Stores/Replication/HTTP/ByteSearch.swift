#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension ArraySlice<UInt8> {
  /// The first occurrence of other bytes, at least one, with the search of the C library: bodies have
  /// many megabytes.
  func place(of wanted: [UInt8]) -> Range<Int>? {
    let offset: Int? = withUnsafeBytes { bytes in
      wanted.withUnsafeBytes { wanted in
        guard let start = bytes.baseAddress, let first = wanted.baseAddress else { return nil }
        var place = 0
        while bytes.count - place >= wanted.count {
          let rest = bytes.count - place - wanted.count + 1
          guard let found = memchr(start + place, Int32(wanted[0]), rest) else { return nil }
          place = UnsafeRawPointer(found) - start
          if memcmp(start + place, first, wanted.count) == 0 { return place }
          place += 1
        }
        return nil
      }
    }
    return offset.map { startIndex + $0..<startIndex + $0 + wanted.count }
  }
}
