#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Lines to and from an adapter, each within a time, and what it writes to its standard error.
///
/// It reads while it writes, so that two programs with full pipes never wait for each other.
final class Connection {
  private let input: Descriptor
  private let output: Descriptor
  private let error: Descriptor?
  /// The program at the other end; nil when somebody else started it.
  let child: ChildProcess?

  /// What was read of the lines to come.
  private var buffer: [UInt8] = []
  /// Where in the buffer the next line begins, and up to where no line feed was found.
  private var (lineStart, searched) = (0, 0)
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var isOver = false
  /// The end of what was written to the standard error.
  private(set) var errorTail: [UInt8] = []

  /// The longest line, in bytes.
  static let lineBytesMax = 64 << 20
  /// How much of the standard error is kept, in bytes.
  private static let errorBytesMax = 8 << 10

  /// Speaks with a program that was started for it.
  init(_ child: ChildProcess) {
    self.child = child
    (input, output, error) = (child.input, child.output, child.error)
  }

  /// Speaks over a socket, of which some bytes may have been read already.
  init(socket: Descriptor, received: [UInt8] = []) {
    child = nil
    (input, output, error) = (socket, socket, nil)
    buffer = received
  }

  /// Speaks over two descriptors.
  init(input: Descriptor, output: Descriptor) {
    child = nil
    (self.input, self.output, error) = (input, output, nil)
    for descriptor in [input, output] { descriptor.doNotBlock() }
  }

  /// Why no line came.
  enum Failure: Error {
    case timedOut(partial: [UInt8])
    case tooLong
    /// The other end closed the connection, or the program has ended.
    case over(partial: [UInt8])
  }

  /// Sends a line; what is wrong with the other end is seen when its answer is read.
  func send(_ line: [UInt8], until deadline: Deadline) throws(Failure) {
    var sent = 0
    while sent < line.count {
      switch input.isOpen ? input.write(line, from: sent) : .over {
      case .bytes(let count): sent += count
      case .over: return
      case .notNow:
        try wait(until: deadline, forWriting: true)
        // The pipe stays full when nobody is there to read from it.
        if isOver { return }
      }
    }
  }

  /// The bytes of the next line, without its end.
  func readLine(until deadline: Deadline) throws(Failure) -> ArraySlice<UInt8> {
    while true {
      if let line = takeLine() { return line }
      guard buffer.count - lineStart <= Self.lineBytesMax else { throw .tooLong }
      guard !isOver else { throw .over(partial: Array(buffer[lineStart...])) }
      try wait(until: deadline, forWriting: false)
    }
  }

  /// A line that has come already; nil when there is none.
  func takeLine() -> ArraySlice<UInt8>? {
    guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      return nil
    }
    defer { (lineStart, searched) = (end + 1, end + 1) }
    let isCRLF = end > lineStart && buffer[end - 1] == UInt8(ascii: "\r")
    return buffer[lineStart..<(isCRLF ? end - 1 : end)]
  }

  /// Reads what is there, after waiting for it; at the end of the time it says so.
  private func wait(until deadline: Deadline, forWriting: Bool) throws(Failure) {
    if lineStart > 0 {
      buffer.removeSubrange(..<lineStart)
      (lineStart, searched) = (0, searched - lineStart)
    }
    let left = deadline.millisecondsLeft
    guard left > 0 else { throw .timedOut(partial: buffer) }
    // A grandchild may hold the pipe open when the program is gone: look for it now and then.
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
      // What it wrote before its end is in the pipe.
      while case .bytes = output.read(into: &buffer, chunk: &chunk) {}
      isOver = true
    }
  }

  /// Takes in what was written to the standard error.
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

  /// Forgets what was written to the standard error so far.
  func forgetError() { errorTail.removeAll(keepingCapacity: true) }

  /// Ends the connection, and the program when it was started for it.
  func close() {
    if let child {
      child.kill()
    } else {
      output.close()
    }
  }
}
