internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The user's Control-C, for commands that must clean up before they exit.
enum Interruption {
  private static let isWatched = Atomic(false)
  /// The signal that was received; 0 for none.
  private static let noted = Atomic<Int32>(0)

  private static let notice: StaticString =
    "\ntouchstone: finishing the step in progress; press Control-C again to stop at once\n"

  static var isNoted: Bool { noted.load(ordering: .relaxed) != 0 }

  /// Records the first of these signals; a second one ends the process.
  static func watch() {
    guard !isWatched.exchange(true, ordering: .relaxed) else { return }
    // Created here, so that the signal handler only stores a value and writes bytes.
    _ = (isNoted, notice)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      _ = signal(number) { number in
        Interruption.noted.store(number, ordering: .relaxed)
        _ = signal(number, SIG_DFL)
        guard number == SIGINT, isatty(2) == 1 else { return }
        _ = write(2, Interruption.notice.utf8Start, Interruption.notice.utf8CodeUnitCount)
      }
    }
  }

  /// Ends the process by the recorded signal, so that the parent process sees it.
  static func passOn() {
    let number = noted.load(ordering: .relaxed)
    guard number != 0 else { return }
    _ = signal(number, SIG_DFL)
    _ = raise(number)
  }
}
