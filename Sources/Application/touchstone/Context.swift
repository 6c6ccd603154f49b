internal import Conformance

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a command needs of the world, so that a test can be the world.
struct Context {
  /// Takes text for the standard output.
  var output: (String) -> Void
  /// Takes text for the standard error.
  var error: (String) -> Void
  /// Marks text for the standard output.
  var style: TextStyle
  /// Marks text for the standard error.
  var errorStyle: TextStyle
  /// Whether someone watches the standard error.
  var showsProgress: Bool
  /// How wide text for the standard output is.
  var width = defaultWidth
  /// How wide text for the standard error is.
  var errorWidth = defaultWidth
  /// A clock that only goes forward.
  var nanoseconds: @Sendable () -> UInt64
  var implementations: [ImplementationEntry]
  /// What day it is, in Greenwich.
  var today: () -> CalendarDay = { CalendarDay(daysSince1970: 0) }
  /// From now on notes when the user wants the command to stop, instead of stopping it.
  var watchInterruption: () -> Void = {}
  /// Whether the user wants the command to stop.
  var isInterrupted: () -> Bool = { false }

  private static let defaultWidth = 100

  /// How wide text for a terminal is, or for something else, of which nobody knows the columns.
  ///
  /// - Parameter variable: what the environment says, which counts when the terminal says nothing.
  static func width(terminalColumns: Int?, _ variable: String?) -> Int {
    guard let terminalColumns else { return defaultWidth }
    let told = [terminalColumns, variable.flatMap { Int($0) } ?? 0].first { $0 > 0 }
    return min(max(told ?? defaultWidth, 60), 120)
  }

  /// The world of the running process.
  static var process: Context {
    let plain = Files.environment("NO_COLOR") != nil || Files.environment("TERM") == "dumb"
    let start = ContinuousClock.now
    return Context(
      output: { text in
        // Half an answer must not look like one.
        guard !Files.write(text, descriptor: 1) else { return }
        _ = Files.write("touchstone: the standard output takes no more\n", descriptor: 2)
        exit(ExitCode.harness.rawValue)
      },
      error: { _ = Files.write($0, descriptor: 2) },
      style: TextStyle(isColoured: !plain && Files.isTerminal(1)),
      errorStyle: TextStyle(isColoured: !plain && Files.isTerminal(2)),
      showsProgress: Files.isTerminal(2),
      width: width(terminalColumns: Files.terminalColumns(1), Files.environment("COLUMNS")),
      errorWidth: width(terminalColumns: Files.terminalColumns(2), Files.environment("COLUMNS")),
      nanoseconds: {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
      },
      implementations: ImplementationEntry.bundled,
      today: { CalendarDay(daysSince1970: Int(time(nil)) / 86_400) },
      watchInterruption: { Interruption.watch() }, isInterrupted: { Interruption.isNoted })
  }
}
