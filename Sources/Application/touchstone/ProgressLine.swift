/// One line on a terminal that says how far long work has come, and goes when it is done.
///
/// Work of less than a second shows nothing, and in a pipe there is never anything.
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

  /// Says how much is done; `single` names the work when there is one thing to do.
  mutating func show(_ done: Int, of count: Int, _ noun: String, single: String? = nil) {
    show { "\(done) of \(count) \(count == 1 ? single ?? noun : noun)" }
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

  /// Takes the line away.
  func finish() {
    if shownNanoseconds != nil { context.error("\r\u{1B}[K") }
  }
}
