internal import Conformance

/// Seeds of a campaign: a range, or each nth of one.
struct SeedRange: Hashable {
  var first: UInt64
  var last: UInt64
  var stride: UInt64 = 1
  /// Where the range began before a shard of it was taken, and which shard that is, from 1 on.
  private(set) var wholeFirst: UInt64
  private(set) var place: UInt64 = 1

  init(first: UInt64, last: UInt64, stride: UInt64 = 1) {
    self.first = first
    self.last = last
    self.stride = stride
    wholeFirst = first
  }

  /// More than anybody waits for, and still numbers that can be added.
  static let seedMax: UInt64 = 1_000_000_000_000_000
  static let shardsMax: UInt64 = 1_000_000

  /// Reads `A..B`, or one seed.
  ///
  /// - Parameter seedMax: the greatest seed.
  init(
    _ text: String, _ manual: Manual, seedMax: UInt64 = seedMax
  ) throws(UsageError) {
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { UInt64($0) }
    guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
      first <= last, last <= seedMax, last - first <= Self.seedMax
    else {
      throw UsageError(
        "--seeds is a number or a range such as 1..1000, up to \(seedMax), not '\(text)'",
        manual)
    }
    self.first = first
    self.last = last
    wholeFirst = first
  }

  /// Keeps the part that `K/N` names, which must have at least one seed.
  mutating func shard(_ text: String?, _ manual: Manual) throws(UsageError) {
    guard let text else { return }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
    guard parts.count == 2, let place = parts[0], let count = parts[1], count <= Self.shardsMax,
      (1...max(1, count)).contains(place), count > 0
    else {
      throw UsageError("--shard is such as 3/16, not '\(text)'", manual)
    }
    let whole = self
    first += (place - 1) * stride
    stride *= count
    self.place = place
    guard first <= last else {
      throw UsageError(
        "--shard \(text): seeds \(whole.first)..\(whole.last) have no seed for it; a part without "
          + "seeds proves nothing", manual)
    }
  }

  var count: Int { first > last ? 0 : Int((last - first) / stride) + 1 }

  /// The seeds in order; there is at least one.
  var all: UnfoldFirstSequence<UInt64> {
    sequence(first: first) { seed in
      let (next, overflows) = seed.addingReportingOverflow(stride)
      return overflows || next > last ? nil : next
    }
  }

  /// The seeds in pieces of at most so many.
  func pieces(of size: UInt64) -> UnfoldSequence<SeedRange, UInt64> {
    sequence(state: first) { next in
      guard next <= last else { return nil }
      let end = min(last, next + (size - 1) * stride)
      defer { next += size * stride }
      return SeedRange(first: next, last: end, stride: stride)
    }
  }
}
