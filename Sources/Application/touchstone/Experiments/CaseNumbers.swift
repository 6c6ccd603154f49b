internal import Conformance

/// The numbers of the cases that a command explores: all cases of a list, from 1 on, or a shard of
/// them.
struct CaseNumbers {
  /// The numbers in the form of seeds, as reports contain them.
  let range: SeedRange

  static let option = Manual.Option(
    name: "--shard", value: "K/N", help: "Run only each Nth case, from the Kth on.")

  /// - Parameter count: the length of the list, 1 or more.
  init(of count: Int, _ arguments: Arguments, manual: Manual) throws(UsageError) {
    var range = SeedRange(first: 1, last: UInt64(count))
    try range.shard(arguments.value("--shard"), manual, noun: "case")
    self.range = range
  }

  /// All cases of a list, at least one.
  init(of count: Int) { range = SeedRange(first: 1, last: UInt64(count)) }

  /// The cases of the list with these numbers.
  func select<Case>(_ cases: [Case]) -> [Case] { range.all.map { cases[Int($0) - 1] } }

  /// The results in order, each with the number of its case.
  func numbered<Result>(_ results: [Result]) -> [(number: UInt64, result: Result)] {
    zip(range.all, results).map { ($0, $1) }
  }
}
