import Foundation

/// Seeds that change with the commit, so that the campaigns in the tests reach new cases.
///
/// `tools/test` derives `TOUCHSTONE_TEST_SEED` from the commit and prints it; the same value
/// repeats a run. Without it the seeds begin at 1. A test names the seed in the message of its
/// failure.
public enum RotatingSeeds {
  /// The first seed, at least 1.
  public static let first: UInt64 = {
    guard let text = ProcessInfo.processInfo.environment["TOUCHSTONE_TEST_SEED"] else { return 1 }
    guard let seed = UInt64(text), (1...UInt64(UInt32.max)).contains(seed) else {
      fatalError("TOUCHSTONE_TEST_SEED: expected a number from 1 to \(UInt32.max), not \"\(text)\"")
    }
    return seed
  }()

  /// Returns `count` successive seeds from `first` on; `count` is at least 1.
  public static func next(_ count: UInt64) -> ClosedRange<UInt64> { first...(first + count - 1) }

  /// Returns the turn of this run among `count` turns, from 0 on.
  public static func turn(of count: Int) -> Int { Int(first % UInt64(count)) }
}
