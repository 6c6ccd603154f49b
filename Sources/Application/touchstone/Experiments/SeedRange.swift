internal import Conformance

/// Seeds of a campaign: a range, or each nth of one.
struct SeedRange: Hashable {
  var first: UInt64
  var last: UInt64
  var stride: UInt64 = 1
  /// The start of the range before a shard was selected, and the number of the shard, from 1 on.
  private(set) var wholeFirst: UInt64
  private(set) var place: UInt64 = 1

  init(first: UInt64, last: UInt64, stride: UInt64 = 1) {
    self.first = first
    self.last = last
    self.stride = stride
    wholeFirst = first
  }

  /// Large enough for every campaign, and small enough to be added without overflow.
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
        "--seeds '\(text)': expected a number or a range such as 1..1000, up to \(seedMax)",
        manual)
    }
    self.first = first
    self.last = last
    wholeFirst = first
  }

  /// Selects the shard `K/N`, which must have at least one seed.
  ///
  /// - Parameter noun: what the range numbers.
  mutating func shard(
    _ text: String?, _ manual: Manual, noun: String = "seed"
  ) throws(UsageError) {
    guard let text else { return }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
    guard parts.count == 2, let place = parts[0], let count = parts[1], count <= Self.shardsMax,
      (1...max(1, count)).contains(place), count > 0
    else {
      throw UsageError("--shard '\(text)': expected K/N, such as 3/16", manual)
    }
    let whole = self
    first += (place - 1) * stride
    stride *= count
    self.place = place
    guard first <= last else {
      throw UsageError(
        "--shard \(text): \(noun)s \(whole.first)..\(whole.last) have no \(noun) for this shard; "
          + "use fewer shards", manual)
    }
  }

  var count: Int { first > last ? 0 : Int((last - first) / stride) + 1 }

  func has(_ seed: UInt64) -> Bool {
    first <= seed && seed <= last && (seed - first).isMultiple(of: stride)
  }

  /// The seeds in order; there is at least one.
  var all: UnfoldFirstSequence<UInt64> {
    sequence(first: first) { seed in
      let (next, overflows) = seed.addingReportingOverflow(stride)
      return overflows || next > last ? nil : next
    }
  }

  /// The seeds in pieces of at most this many.
  func pieces(of size: UInt64) -> UnfoldSequence<SeedRange, UInt64> {
    sequence(state: first) { next in
      guard next <= last else { return nil }
      let end = min(last, next + (size - 1) * stride)
      defer { next += size * stride }
      return SeedRange(first: next, last: end, stride: stride)
    }
  }
}
