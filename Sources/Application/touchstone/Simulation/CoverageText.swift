internal import Conformance
internal import Simulation

/// The number of states that a campaign has visited, for readers: a line for each doubling of the
/// number of runs.
struct CoverageText {
  private let coverage: CoverageGrowth

  init(_ coverage: CoverageGrowth) { self.coverage = coverage }

  /// The table and a sentence about the last runs; empty without runs.
  var text: String {
    guard coverage.runCount > 0 else { return "" }
    let rows = coverage.steps.map { step in
      ["\(step.runs)", "\(step.states)", "\(step.foundPerThousand)"]
    }
    let table = TextTable.lines([["runs", "states", "new per 1,000 runs"]] + rows) { _ in true }
    let last = coverage.lastTenth
    let share = coverage.stateCount == 0 ? 0 : last.found * 1000 / coverage.stateCount
    let sentence =
      "\(TextLayout.counted(coverage.stateCount, "state")); the last "
      + "\(TextLayout.counted(last.runs, "run")) found \(last.found) of them "
      + "(\(share / 10).\(share % 10) %)"
    return (table + [sentence]).joined(separator: "\n") + "\n"
  }
}
