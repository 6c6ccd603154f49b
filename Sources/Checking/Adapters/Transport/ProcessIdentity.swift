#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The identity of a process: its id and its start time, because ids are reused.
struct ProcessIdentity: Hashable {
  let number: Int32
  /// In ticks since the start of the machine, on Linux; 0 if unknown.
  let start: UInt64

  static var current: ProcessIdentity {
    let number = getpid()
    return ProcessIdentity(number: number, start: startTime(of: number) ?? 0)
  }

  /// Whether the process runs, as far as this process can tell.
  var isAlive: Bool {
    guard kill(number, 0) == 0 || errno == EPERM else { return false }
    guard let start = Self.startTime(of: number) else { return true }
    return start == self.start
  }

  /// Field 22 of `/proc/PID/stat` (proc_pid_stat(5)); nil where the system has no such file.
  private static func startTime(of number: Int32) -> UInt64? {
    let descriptor = Descriptor(open("/proc/\(number)/stat", O_RDONLY | O_CLOEXEC))
    guard descriptor.isOpen else { return nil }
    var (bytes, chunk): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 4096))
    guard case .bytes = descriptor.read(into: &bytes, chunk: &chunk) else { return nil }
    // The name of the program, in parentheses, may contain any characters.
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
    return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
  }
}
