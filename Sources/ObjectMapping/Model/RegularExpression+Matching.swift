public import Datastore
public import JSON

// Whether a whole text matches, in time that grows with the text and the expression: the set of places
// that a part can end at is followed, never one way through it after the other.

extension RegularExpression {
  /// Whether the whole text matches, scalar by scalar.
  public func matchesWhole(_ text: Text) -> Bool {
    let scalars = text.string.unicodeScalars.map { $0.value }
    var places = Array(repeating: false, count: scalars.count + 1)
    places[0] = true
    return root.ends(scalars, from: places)[scalars.count]
  }
}

extension RegularExpression.Node {
  /// The places at which the node can end when it begins at one of the given ones.
  fileprivate func ends(_ scalars: [UInt32], from starts: [Bool]) -> [Bool] {
    switch self {
    case .scalar(let set):
      var ends = Array(repeating: false, count: starts.count)
      for place in scalars.indices where starts[place] && set.holds(scalars[place]) {
        ends[place + 1] = true
      }
      return ends
    case .start: return Self.only(0, of: starts)
    case .end: return Self.only(scalars.count, of: starts)
    case .sequence(let parts):
      return parts.reduce(starts) { places, part in part.ends(scalars, from: places) }
    case .choice(let parts):
      var ends = Array(repeating: false, count: starts.count)
      for part in parts { Self.add(part.ends(scalars, from: starts), to: &ends) }
      return ends
    case .repeated(let part, let min, let max):
      var ends = starts
      for _ in 0..<min { ends = part.ends(scalars, from: ends) }
      var latest = ends
      var count = min
      while max.map({ count < $0 }) ?? true, latest.contains(true) {
        // Only from new places can new ones be reached.
        latest = Self.add(part.ends(scalars, from: latest), to: &ends)
        count += 1
      }
      return ends
    }
  }

  private static func only(_ place: Int, of starts: [Bool]) -> [Bool] {
    var ends = Array(repeating: false, count: starts.count)
    ends[place] = starts[place]
    return ends
  }

  /// Adds places to others, and answers which are new.
  @discardableResult
  private static func add(_ places: [Bool], to others: inout [Bool]) -> [Bool] {
    var added = Array(repeating: false, count: places.count)
    for place in places.indices where places[place] && !others[place] {
      others[place] = true
      added[place] = true
    }
    return added
  }
}

extension RegularExpression.ScalarSet {
  fileprivate func holds(_ scalar: UInt32) -> Bool {
    ranges.contains { $0.contains(scalar) } != isNegated
  }
}
