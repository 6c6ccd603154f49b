/// The points at which an order of the operations can be after a response: a state, and the
/// operations that have happened.
struct PossiblePoints {
  struct Point {
    var forest: DocumentForest
    var done: Set<Int>
  }

  private struct Key: Hashable {
    var state: UInt64
    var done: Set<Int>
  }

  private(set) var points: [Point]
  private let entries: [OrderSearch.Entry]
  /// Whether more points are possible than were kept.
  private(set) var isTooMany = false

  static let pointsMax = 2048

  init(_ entries: [OrderSearch.Entry], from points: [Point]) {
    self.entries = entries
    self.points = points
  }

  /// The places of the entries with responses in the order of these.
  static func ends(_ entries: [OrderSearch.Entry]) -> [Int] {
    entries.indices.filter { entries[$0].end != .max }.sorted { entries[$0].end < entries[$1].end }
  }

  /// Moves on to the response of an entry: everything that overlaps with it may have happened before.
  mutating func advance(to ended: Int) {
    var waiting = points
    var seen: Set<Key> = []
    var found: [Point] = []
    while let point = waiting.popLast() {
      guard seen.insert(Key(state: point.forest.fingerprint, done: point.done)).inserted else {
        continue
      }
      if seen.count > Self.pointsMax {
        isTooMany = true
        break
      }
      if point.done.contains(ended) {
        found.append(point)
        continue
      }
      for place in entries.indices
      where !point.done.contains(place) && entries[place].call < entries[ended].end {
        for way in entries[place].ways {
          var next = point
          guard way.allSatisfy({ next.forest.admit($0) }) else { continue }
          next.done.insert(place)
          waiting.append(next)
        }
      }
    }
    points = found
  }
}
