#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The peak memory of this process since a point in time, in resident pages of Linux.
enum PeakMemory {
  /// Resets the peak; false if the system does not support that.
  static func reset() -> Bool {
    #if os(Linux)
      guard let file = fopen("/proc/self/clear_refs", "w") else { return false }
      let isWritten = fputs("5", file) >= 0
      return fclose(file) == 0 && isWritten
    #else
      return false
    #endif
  }

  /// The peak in bytes; nil if the system does not report it.
  static var bytes: Int64? {
    #if os(Linux)
      guard let file = fopen("/proc/self/status", "r") else { return nil }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, Int32(line.count), file) != nil {
        let text = String(
          decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix("VmHWM:") else { continue }
        return Int64(text.filter { $0.isASCII && $0.isNumber }).map { $0 * 1024 }
      }
    #endif
    return nil
  }
}
