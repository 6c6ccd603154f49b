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
  /// When it was received.
  private static let notedNanoseconds = Atomic<Int64>(0)

  /// The time in which further signals are the same request: `timeout` and terminals send one to the
  /// process and one to its group, and a campaign passes it on to its workers.
  private static let sameRequestNanoseconds: Int64 = 100_000_000

  private static let notice: StaticString =
    "\ntouchstone: finishing the step in progress; press Control-C again to stop at once\n"

  static var isNoted: Bool { noted.load(ordering: .relaxed) != 0 }

  /// Records the first of these signals; a later one ends the process.
  static func watch() {
    guard !isWatched.exchange(true, ordering: .relaxed) else { return }
    // Created here, so that the signal handler only stores a value and writes bytes.
    _ = (isNoted, notice, notedNanoseconds.load(ordering: .relaxed), sameRequestNanoseconds)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      _ = signal(number) { number in
        let now = Interruption.nowNanoseconds
        guard !Interruption.isNoted else {
          let since = now - Interruption.notedNanoseconds.load(ordering: .relaxed)
          guard since > Interruption.sameRequestNanoseconds else { return }
          _ = signal(number, SIG_DFL)
          _ = raise(number)
          return
        }
        Interruption.notedNanoseconds.store(now, ordering: .relaxed)
        Interruption.noted.store(number, ordering: .relaxed)
        guard number == SIGINT, isatty(2) == 1 else { return }
        _ = write(2, Interruption.notice.utf8Start, Interruption.notice.utf8CodeUnitCount)
      }
    }
  }

  /// A clock that a signal handler may read.
  private static var nowNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The signal is the usual end of a command, which has done everything: its exit code counts.
  /// Another signal ends the process at once.
  static func complete() {
    for number in [SIGINT, SIGTERM, SIGHUP] { _ = signal(number, SIG_DFL) }
    noted.store(0, ordering: .relaxed)
  }

  /// Ends the process by the recorded signal, so that the parent process sees it.
  static func passOn() {
    let number = noted.load(ordering: .relaxed)
    guard number != 0 else { return }
    _ = signal(number, SIG_DFL)
    _ = raise(number)
  }
}
