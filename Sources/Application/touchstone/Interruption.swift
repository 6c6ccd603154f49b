internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the user asks for with Control-C, for commands that have to clear away first.
enum Interruption {
  /// The signal that came; 0 when none did.
  private static let noted = Atomic<Int32>(0)

  static var isNoted: Bool { noted.load(ordering: .relaxed) != 0 }

  /// From now on the first of these signals is only noted; a second one ends the process.
  static func watch() {
    // Made here, so that the handler does nothing but store.
    _ = isNoted
    for number in [SIGINT, SIGTERM, SIGHUP] {
      _ = signal(number) { number in
        Interruption.noted.store(number, ordering: .relaxed)
        _ = signal(number, SIG_DFL)
      }
    }
  }

  /// Ends the process by the signal that was noted, for who has called it to see.
  static func passOn() {
    let number = noted.load(ordering: .relaxed)
    guard number != 0 else { return }
    _ = signal(number, SIG_DFL)
    _ = raise(number)
  }
}
