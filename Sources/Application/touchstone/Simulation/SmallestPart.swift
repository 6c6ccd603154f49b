internal import Conformance
internal import Simulation

extension Manual.Option {
  /// For commands that shrink a finding.
  static let minimum = Manual.Option(
    name: "--minimum",
    help:
      "Also search all parts of a shrunk finding with up to \(SubsetSearch.countMax) elements for a "
      + "smaller one.")
}

/// The result of the search for the smallest failing part, in words.
func leastWords(_ least: Int?, of count: Int, _ noun: String) -> String {
  guard let least else {
    guard count > SubsetSearch.countMax else { return "not found: the search was interrupted" }
    return "not searched: \(TextLayout.counted(count, noun)), more than \(SubsetSearch.countMax)"
  }
  return least == count
    ? "\(count) of \(count): no part fails in the same way"
    : "\(least) of \(count): a part fails in the same way"
}
