internal import JSON

/// A part of the seeds of a campaign: the requested seeds, and those that ran.
struct SeedPart: Hashable {
  /// The first seed of the whole campaign, and the last one; nil with a time limit.
  var first: UInt64
  var last: UInt64?
  /// The shard and the number of shards: every `count`th seed from the `place`th on. 1 of 1 is the
  /// whole.
  var place: UInt64 = 1
  var count: UInt64 = 1
  /// The seeds that ran, in order; the seeds of a span are `count` apart, and spans are not
  /// adjacent.
  private(set) var ran: [Span] = []

  /// Seeds from the first to the last, both included.
  struct Span: Hashable {
    var first: UInt64
    var last: UInt64
  }

  init(_ seeds: SeedRange, isTimed: Bool) {
    first = seeds.wholeFirst
    last = isTimed ? nil : seeds.last
    (place, count) = (seeds.place, seeds.stride)
  }

  init(first: UInt64, last: UInt64?) { (self.first, self.last) = (first, last) }

  /// The first seed of the shard.
  private var begin: UInt64 { first + (place - 1) }

  /// The number of seeds that ran.
  var ranCount: UInt64 { ran.reduce(0) { $0 + ($1.last - $1.first) / count + 1 } }

  /// The seeds that ran.
  var ranges: [SeedRange] {
    ran.map { SeedRange(first: $0.first, last: $0.last, stride: count) }
  }

  /// The last seed that ran; nil if none did.
  var lastRun: UInt64? { ran.last?.last }

  /// The number of seeds of the shard up to and including `end`.
  func askedCount(through end: UInt64) -> UInt64 { end < begin ? 0 : (end - begin) / count + 1 }

  func contains(_ seed: UInt64) -> Bool {
    seed >= begin && (seed - begin) % count == 0
      && ran[..<end(before: seed)].last.map { seed <= $0.last } ?? false
  }

  /// The place of the first span that begins after a seed.
  private func end(before seed: UInt64) -> Int {
    var (low, high) = (0, ran.count)
    while low < high {
      let middle = (low + high) / 2
      if ran[middle].first > seed { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Records seeds that ran, in any order.
  mutating func add(_ span: Span) {
    let place = end(before: span.first)
    ran.insert(span, at: place)
    if place + 1 < ran.count, ran[place].last + count == ran[place + 1].first {
      ran[place].last = ran.remove(at: place + 1).last
    }
    if place > 0, ran[place - 1].last + count == ran[place].first {
      ran[place - 1].last = ran.remove(at: place).last
    }
  }
}

extension SeedPart: CustomStringConvertible {
  /// `seeds 1..1000`, `shard 1/3 of seeds 1..1000`, `seeds from 7 on`.
  var description: String {
    let range = last.map { "seeds \(first)..\($0)" } ?? "seeds from \(first) on"
    return count == 1 ? range : "shard \(place)/\(count) of \(range)"
  }
}

extension SeedPart {
  var json: JSONValue {
    [
      "first": JSONValue(first), "last": last.map { JSONValue($0) } ?? .null,
      "shard": .text("\(place)/\(count)"),
      "ran": .array(ran.map { .array([JSONValue($0.first), JSONValue($0.last)]) }),
    ]
  }

  /// Reads a part and checks its consistency.
  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    first = try Self.seed(try reader.required("first"), reader.path(to: "first"))
    let last = try reader.required("last")
    self.last = last == .null ? nil : try Self.seed(last, reader.path(to: "last"))
    let shard = try reader.text("shard").string.split(
      separator: "/", omittingEmptySubsequences: false
    ).map { UInt64($0) }
    guard shard.count == 2, let place = shard[0], let count = shard[1],
      (1...SeedRange.shardsMax).contains(count), (1...count).contains(place),
      self.last ?? first >= first
    else {
      throw DecodingFailure(
        path: reader.path(to: "shard"),
        message: "expected K/N with 1 <= K <= N <= \(SeedRange.shardsMax), and seeds in order")
    }
    (self.place, self.count) = (place, count)
    let spans = try reader.elements("ran") { (element, path) throws(DecodingFailure) in
      let ends = try element.array(at: path)
      guard ends.count == 2 else {
        throw DecodingFailure(path: path, message: "expected the first and the last seed")
      }
      return Span(first: try Self.seed(ends[0], path), last: try Self.seed(ends[1], path))
    }
    try reader.finish()
    for span in spans {
      guard span.first >= begin, span.last >= span.first, span.last <= self.last ?? .max,
        (span.first - begin) % count == 0, (span.last - begin) % count == 0,
        lastRun.map({ span.first > $0 }) ?? true
      else {
        throw DecodingFailure(
          path: "\(path).ran",
          message: "\(span.first)..\(span.last) is not a span of \(self), or not in order")
      }
      add(span)
    }
  }

  private static func seed(_ json: JSONValue, _ path: String) throws(DecodingFailure) -> UInt64 {
    guard case .integer(let value) = json, value >= 0, UInt64(value) <= SeedRange.seedMax else {
      throw DecodingFailure(path: path, message: "expected a seed from 0 to \(SeedRange.seedMax)")
    }
    return UInt64(value)
  }
}
