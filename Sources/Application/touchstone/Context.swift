internal import Conformance

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The environment of a command, which tests replace.
struct Context {
  /// Writes text to standard output.
  var output: (String) -> Void
  /// Writes text to standard error.
  var error: (String) -> Void
  /// The styles of text on standard output.
  var style: TextStyle
  /// The styles of text on standard error.
  var errorStyle: TextStyle
  /// Whether standard error is a terminal.
  var showsProgress: Bool
  /// The width of text on standard output, in columns.
  var width = defaultWidth
  /// The width of text on standard error, in columns.
  var errorWidth = defaultWidth
  /// A monotonic clock.
  var nanoseconds: @Sendable () -> UInt64
  var implementations: [ImplementationEntry]
  /// The current date, in UTC.
  var today: () -> CalendarDay = { CalendarDay(daysSince1970: 0) }
  /// From now on, records the user's request to stop in place of stopping the process. Called as
  /// soon as there is a result to print; may be called again.
  var watchInterruption: () -> Void = {}
  /// Whether the user requested to stop.
  var isInterrupted: @Sendable () -> Bool = { false }

  /// Takes the request back: it was the usual end of the command.
  var completeInterruption: () -> Void = {}

  private static let defaultWidth = 100

  /// Returns the width of text for a file descriptor, in columns, with a default for files and
  /// pipes.
  ///
  /// - Parameter variable: the value of the environment, used if the terminal reports no width.
  static func width(terminalColumns: Int?, _ variable: String?) -> Int {
    guard let terminalColumns else { return defaultWidth }
    let told = [terminalColumns, variable.flatMap { Int($0) } ?? 0].first { $0 > 0 }
    return min(max(told ?? defaultWidth, 40), 120)
  }

  /// The environment of the running process.
  static var process: Context {
    let plain = Files.environment("NO_COLOR") != nil || Files.environment("TERM") == "dumb"
    let start = ContinuousClock.now
    return Context(
      output: { text in
        // A truncated output must not look complete.
        guard !Files.write(text, descriptor: 1) else { return }
        _ = Files.write("touchstone: cannot write to standard output\n", descriptor: 2)
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
      watchInterruption: { Interruption.watch() }, isInterrupted: { Interruption.isNoted },
      completeInterruption: { Interruption.complete() })
  }
}
