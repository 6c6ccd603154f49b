internal import Conformance
internal import JSON
internal import Scenarios

extension RunCommand {
  /// The date of the run.
  static func today(_ arguments: Arguments, _ context: Context) throws(UsageError) -> CalendarDay {
    guard let text = arguments.value("--today") else { return context.today() }
    if let day = CalendarDay(JSONString(text)) { return day }
    throw UsageError("--today '\(text)': expected a date, YYYY-MM-DD", manual)
  }

  /// Returns the list of `--known-failures`, read before the first vector runs.
  func readKnownFailures() throws(CommandFailure) -> KnownFailures? {
    try knownFailures.map { path throws(CommandFailure) in try Self.readList(path) }
  }

  /// Returns the list that `--write-baseline` replaces; nil if the file does not exist.
  func readBaseline() throws(CommandFailure) -> KnownFailures? {
    guard let baseline, Files.isRegular(baseline) else { return nil }
    return try Self.readList(baseline)
  }

  private static func readList(_ path: String) throws(CommandFailure) -> KnownFailures {
    do throws(CorpusError) {
      return try KnownFailures.read(path)
    } catch {
      let list = error.problems.map(\.description).joined(separator: "\n  ")
      throw CommandFailure("the list of known failures is invalid\n  \(list)")
    }
  }

  /// Writes the list of `--write-baseline`: the current failures, and the entries that still apply.
  ///
  /// - Parameter earlier: the entries of earlier lists.
  func writeBaseline(
    _ report: RunReport, keeping earlier: [KnownFailures.Entry], _ context: Context
  ) throws(CommandFailure) {
    guard let baseline else { return }
    let list = KnownFailures(baselineOf: report, keeping: earlier)
    try onFiles { () throws(Files.Failure) in
      try Files.write(list.json.pretty(indent: 1) + "\n", to: baseline)
    }
    let count = TextLayout.counted(list.entries.count, "known failure")
    context.error("wrote \(baseline): \(count)\n")
  }
}
