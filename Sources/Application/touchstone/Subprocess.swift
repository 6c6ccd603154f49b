internal import Adapters

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A program that runs beside this one, with the environment of this process, and its output so
/// far.
///
/// The system ends it when this process ends, in whatever way.
final class Subprocess {
  /// How a program ended.
  enum End: Hashable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
  }

  private(set) var output: [UInt8] = []
  /// The last part of its standard error.
  private(set) var errorTail: [UInt8] = []
  /// Nil while it runs.
  private(set) var end: End?
  private let process: pid_t
  /// The process id.
  var identifier: Int32 { process }
  private let descriptor: Int32
  /// The file descriptor of its standard error; negative at its end.
  private var errorDescriptor: Int32

  /// The kept size of the standard error, in bytes.
  private static let errorBytesMax = 8 << 10

  /// A program could not be started.
  typealias Failure = SystemFailure

  /// Starts a program.
  ///
  /// - Parameter variables: `NAME=value`; they extend or replace the environment of this process.
  init(_ path: String, _ arguments: [String], variables: [String]) throws(Failure) {
    var (pipes, errorPipes): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&pipes) == 0 else { throw .last }
    guard pipe(&errorPipes) == 0 else {
      let failure = Failure.last
      for end in pipes { _ = close(end) }
      throw failure
    }
    // A program started later must not inherit these descriptors, whichever thread starts it.
    for end in pipes + errorPipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer {
      _ = close(pipes[1])
      _ = close(errorPipes[1])
    }
    do throws(Failure) {
      process = try ProgramStart.spawnRegistered(
        [path] + arguments,
        streams: [.inherited, .descriptor(pipes[1]), .descriptor(errorPipes[1])],
        variables: variables, leadsGroup: false
      ) { ExitCleanup.add(.process($0)) }
    } catch {
      _ = close(pipes[0])
      _ = close(errorPipes[0])
      throw error
    }
    (descriptor, errorDescriptor) = (pipes[0], errorPipes[0])
  }

  /// Reads available output, waiting for as long as given; returns true once the program has ended.
  func advance(milliseconds: Int32) -> Bool {
    if end != nil { return true }
    var waiting = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&waiting, 2, milliseconds) > 0 else { return false }
    if waiting[1].revents != 0 { readError() }
    guard waiting[0].revents != 0 else { return false }
    guard !readOutput() else { return false }
    finish()
    return true
  }

  /// Kills the program, and reads its remaining output. A program that it started may keep the pipes
  /// open, so only available output is read.
  func kill() {
    guard end == nil else { return }
    send(SIGKILL)
    finish()
  }

  /// Asks the program to end after the step in progress.
  func interrupt() {
    guard end == nil else { return }
    send(SIGINT)
  }

  private func send(_ signal: Int32) {
    #if canImport(Glibc)
      _ = Glibc.kill(process, signal)
    #elseif canImport(Musl)
      _ = Musl.kill(process, signal)
    #elseif canImport(Darwin)
      _ = Darwin.kill(process, signal)
    #endif
  }

  /// Kills the program because of its time limit.
  func stop() {
    guard end == nil else { return }
    kill()
    end = .timedOut
  }

  /// Waits for the end of the program, and reads what remains in the pipes.
  private func finish() {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    ExitCleanup.remove(.process(process))
    drain(descriptor) { readOutput() }
    _ = close(descriptor)
    drain(errorDescriptor) { readError() }
    if errorDescriptor >= 0 { _ = close(errorDescriptor) }
    errorDescriptor = -1
    let signal = status & 0x7f
    end = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
  }

  /// Reads available bytes; a pipe that another program keeps filling is left after some of them.
  private func drain(_ descriptor: Int32, _ read: () -> Bool) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var reads = 0
    while descriptor >= 0, reads < 64, poll(&waiting, 1, 0) > 0, read() { reads += 1 }
  }

  /// Reads once from the standard output; returns false at its end.
  private func readOutput() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    output += chunk[..<count]
    return true
  }

  /// Reads once from the standard error; returns false at its end.
  @discardableResult private func readError() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    let count = read(errorDescriptor, &chunk, chunk.count)
    guard count > 0 else {
      if count < 0, errno == EINTR { return true }
      _ = close(errorDescriptor)
      errorDescriptor = -1
      return false
    }
    errorTail += chunk[..<count]
    if errorTail.count > Self.errorBytesMax {
      errorTail.removeFirst(errorTail.count - Self.errorBytesMax)
    }
    return true
  }
}
