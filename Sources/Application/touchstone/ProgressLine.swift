internal import Conformance

/// One line on a terminal with the progress of long work; it is removed at the end.
///
/// Work of less than 1 second shows nothing, and neither does work whose output is not a terminal.
struct ProgressLine {
  private let context: Context
  private let startNanoseconds: UInt64
  private var shownNanoseconds: UInt64?

  private static let silenceNanoseconds: UInt64 = 1_000_000_000
  private static let pauseNanoseconds: UInt64 = 100_000_000

  init(_ context: Context) {
    self.context = context
    startNanoseconds = context.nanoseconds()
  }

  /// Shows the progress; `single` is the noun for a count of 1.
  mutating func show(_ done: Int, of count: Int, _ noun: String, single: String? = nil) {
    show { "\(done) of \(count) \(count == 1 ? single ?? noun : noun)" }
  }

  /// Shows the progress of a run: its failures, and the remaining time at its present speed.
  ///
  /// - Parameter count: the number of vectors that will run; the others are skipped.
  mutating func show(_ progress: RunProgress, of count: Int) {
    let seconds = Double(context.nanoseconds() &- startNanoseconds) / 1e9
    show {
      let done = progress.done - progress.skipped
      let noun = count == 1 ? "vector" : "vectors"
      let failed = progress.failures > 0 ? ", \(progress.failures) failed" : ""
      let left =
        0 < done && done < count
        ? ", \(Self.words(seconds * Double(count - done) / Double(done))) left" : ""
      return "\(done) of \(count) \(noun)\(failed)\(left)"
    }
  }

  /// A duration for readers, in seconds or minutes.
  private static func words(_ seconds: Double) -> String {
    seconds < 100 ? "\(Int(seconds.rounded(.up))) s" : "\(Int((seconds / 60).rounded(.up))) min"
  }

  /// Shows a text, unless the last one is too recent.
  mutating func show(_ text: () -> String) {
    guard context.showsProgress else { return }
    let now = context.nanoseconds()
    guard now &- startNanoseconds >= Self.silenceNanoseconds else { return }
    if let shownNanoseconds, now &- shownNanoseconds < Self.pauseNanoseconds { return }
    shownNanoseconds = now
    context.error("\r\u{1B}[K\(text())")
  }

  /// Removes the line.
  func finish() {
    if shownNanoseconds != nil { context.error("\r\u{1B}[K") }
  }
}
