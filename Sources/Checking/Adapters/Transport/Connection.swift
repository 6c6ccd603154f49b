#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Lines to and from an adapter, each with a time limit, and its standard error.
///
/// It reads while it writes, so that two programs with full pipes do not deadlock.
final class Connection {
  private let input: Descriptor
  private let output: Descriptor
  private let error: Descriptor?
  /// The program at the other end; nil if this process did not start it.
  let child: ChildProcess?

  /// The bytes read of the next lines.
  private var buffer: [UInt8] = []
  /// The start of the next line in the buffer, and the end of the part without a line feed.
  private var (lineStart, searched) = (0, 0)
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var isOver = false
  /// The last part of the standard error.
  private(set) var errorTail: [UInt8] = []

  /// The longest line, in bytes.
  static let lineBytesMax = 64 << 20
  /// The kept size of the standard error, in bytes.
  private static let errorBytesMax = 8 << 10

  /// Creates a connection to a program started for it.
  init(_ child: ChildProcess) {
    self.child = child
    (input, output, error) = (child.input, child.output, child.error)
  }

  /// Creates a connection over a socket, with bytes that were already read.
  init(socket: Descriptor, received: [UInt8] = []) {
    child = nil
    (input, output, error) = (socket, socket, nil)
    buffer = received
  }

  /// Creates a connection over two descriptors.
  init(input: Descriptor, output: Descriptor) {
    child = nil
    (self.input, self.output, error) = (input, output, nil)
    for descriptor in [input, output] { descriptor.doNotBlock() }
  }

  /// The reason why no line was read.
  enum Failure: Error {
    case timedOut(partial: [UInt8])
    case tooLong
    /// The other end closed the connection, or the program ended.
    case over(partial: [UInt8])
  }

  /// Sends a line; errors of the other end appear when its response is read.
  func send(_ line: [UInt8], until deadline: Deadline) throws(Failure) {
    var sent = 0
    while sent < line.count {
      switch input.isOpen ? input.write(line, from: sent) : .over {
      case .bytes(let count): sent += count
      case .over: return
      case .notNow:
        try wait(until: deadline, forWriting: true)
        // The pipe stays full if the program does not read.
        if isOver { return }
      }
    }
  }

  /// Returns the bytes of the next line, without its line feed.
  func readLine(until deadline: Deadline) throws(Failure) -> ArraySlice<UInt8> {
    while true {
      if let line = takeLine() { return line }
      guard buffer.count - lineStart <= Self.lineBytesMax else { throw .tooLong }
      guard !isOver else { throw .over(partial: Array(buffer[lineStart...])) }
      try wait(until: deadline, forWriting: false)
    }
  }

  /// Returns a line that is already in the buffer; nil if there is none.
  func takeLine() -> ArraySlice<UInt8>? {
    guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      return nil
    }
    defer { (lineStart, searched) = (end + 1, end + 1) }
    let isCRLF = end > lineStart && buffer[end - 1] == UInt8(ascii: "\r")
    return buffer[lineStart..<(isCRLF ? end - 1 : end)]
  }

  /// Waits for input and reads it; reports the end of the time.
  private func wait(until deadline: Deadline, forWriting: Bool) throws(Failure) {
    if lineStart > 0 {
      buffer.removeSubrange(..<lineStart)
      (lineStart, searched) = (0, searched - lineStart)
    }
    let left = deadline.millisecondsLeft
    guard left > 0 else { throw .timedOut(partial: buffer) }
    // A grandchild may keep the pipe open after the program ended: check the program now and then.
    let slice = child == nil ? left : min(left, 50)
    var waiting = [
      pollfd(fd: output.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: error?.number ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: forWriting ? input.number : -1, events: Int16(POLLOUT), revents: 0),
    ]
    let count = poll(&waiting, nfds_t(waiting.count), Int32(clamping: slice))
    if waiting[1].revents != 0 { readError() }
    if waiting[0].revents != 0 {
      if case .over = output.read(into: &buffer, chunk: &chunk) { isOver = true }
    } else if count == 0, let child, child.hasEnded() {
      // The pipe has what it wrote before its end.
      while case .bytes = output.read(into: &buffer, chunk: &chunk) {}
      isOver = true
    }
  }

  /// Reads the standard error.
  func readError() {
    guard let error, error.isOpen else { return }
    while true {
      switch error.read(into: &errorTail, chunk: &chunk) {
      case .bytes:
        if errorTail.count > 2 * Self.errorBytesMax {
          errorTail.removeFirst(errorTail.count - Self.errorBytesMax)
        }
      case .notNow: return
      case .over:
        error.close()
        return
      }
    }
  }

  /// Discards the standard error so far.
  func forgetError() { errorTail.removeAll(keepingCapacity: true) }

  /// Closes the connection, and kills the program if it was started for the connection.
  func close() {
    if let child {
      child.kill()
    } else {
      output.close()
    }
  }
}
