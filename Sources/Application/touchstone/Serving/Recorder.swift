#if HTTP
  internal import Conformance
  internal import Synchronization

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// A file of recorded exchanges, one on each line, which a killed process leaves complete up to the
  /// last line.
  final class Recorder: Sendable {
    private let path: String
    private let descriptor: Int32
    /// The first failed write; later lines are dropped.
    private let firstFailure = Mutex<String?>(nil)

    init(_ path: String) throws(CommandFailure) {
      descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else {
        throw CommandFailure("\(path): \(String(cString: strerror(errno)))")
      }
      self.path = path
    }

    deinit { close(descriptor) }

    /// Why the recording is not complete; nil if it is.
    var failure: String? { firstFailure.withLock { $0 } }

    /// Writes one line.
    @Sendable func write(_ line: String) {
      firstFailure.withLock { failure in
        guard failure == nil, !Files.write("\(line)\n", descriptor: descriptor) else { return }
        failure = "\(path): the recording is not complete: \(String(cString: strerror(errno)))"
      }
    }
  }
#endif
