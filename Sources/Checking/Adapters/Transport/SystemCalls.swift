#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A time of a monotonic clock, in nanoseconds.
struct Deadline: Comparable {
  let nanoseconds: UInt64

  static var now: Deadline {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Deadline(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }

  /// Later than anything.
  static let never = Deadline(nanoseconds: .max)

  static func after(_ duration: Duration) -> Deadline {
    let (seconds, attoseconds) = duration.components
    let span = UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    return Deadline(nanoseconds: now.nanoseconds + span)
  }

  /// The remaining time in whole milliseconds, rounded up; 0 when it is over.
  var millisecondsLeft: Int {
    let now = Self.now.nanoseconds
    return now >= nanoseconds ? 0 : Int(clamping: (nanoseconds - now) / 1_000_000 + 1)
  }

  static func < (left: Deadline, right: Deadline) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// A system call that failed.
package struct SystemFailure: Error, CustomStringConvertible {
  let code: Int32

  /// The failure of the last system call.
  package static var last: SystemFailure { SystemFailure(code: errno) }

  package var description: String { String(cString: strerror(code)) }
}

/// A descriptor that is closed once, at the latest with its last reference.
final class Descriptor {
  private(set) var number: Int32

  init(_ number: Int32) {
    self.number = number
    // Programs started later must not inherit this descriptor.
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  deinit { close() }

  var isOpen: Bool { number >= 0 }

  func close() {
    guard number >= 0 else { return }
    closeDescriptor(number)
    number = -1
  }

  /// Makes reads and writes non-blocking.
  func doNotBlock() {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  /// The result of a read or a write.
  enum Transfer {
    case bytes(Int)
    /// No bytes can be transferred now.
    case notNow
    /// No bytes can be transferred any more.
    case over
  }

  /// Appends the available bytes, up to the size of `chunk`.
  func read(into buffer: inout [UInt8], chunk: inout [UInt8]) -> Transfer {
    while true {
      let count = readDescriptor(number, &chunk, size: chunk.count)
      if count > 0 {
        buffer.append(contentsOf: chunk[..<count])
        return .bytes(count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { return .notNow }
      return .over
    }
  }

  /// Writes the bytes from `start` on, as many as possible without blocking.
  func write(_ bytes: [UInt8], from start: Int) -> Transfer {
    while true {
      let count = bytes.withUnsafeBytes { raw in
        writeDescriptor(number, raw.baseAddress! + start, size: raw.count - start)
      }
      if count >= 0 { return .bytes(count) }
      if errno == EINTR { continue }
      if errno == EAGAIN || errno == EWOULDBLOCK { return .notNow }
      return .over
    }
  }
}

// The C functions have the names of the methods above.
private func closeDescriptor(_ number: Int32) { _ = close(number) }

private func readDescriptor(
  _ number: Int32, _ buffer: UnsafeMutableRawPointer, size: Int
) -> Int { read(number, buffer, size) }

private func writeDescriptor(_ number: Int32, _ bytes: UnsafeRawPointer, size: Int) -> Int {
  write(number, bytes, size)
}

/// Makes a write to a program that has ended fail, in place of ending this process.
func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
