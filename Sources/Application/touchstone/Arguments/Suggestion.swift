/// The known word that a misspelt one was probably meant to be; nil when none is near.
///
/// Near is a distance of a third of the longer word or less: letters added, left out, replaced, or
/// changed with their neighbour.
func nearest(to word: String, among known: [String]) -> String? {
  var best: (word: String, distance: Int)?
  for candidate in known {
    let distance = distance(Array(word.utf8), Array(candidate.utf8))
    let limit = max(word.utf8.count, candidate.utf8.count) / 3
    if distance <= max(1, limit), distance < best?.distance ?? .max {
      best = (candidate, distance)
    }
  }
  return best?.word
}

/// The known ids that a part of one, or a misspelt one, was probably meant to be; three at most.
///
/// First those that begin with it, then those that hold it, then those of which the whole or the
/// first words are near. Letter case counts for nothing.
func nearestIDs(to id: String, among known: [String]) -> [String] {
  let bytes = folded(id)
  guard bytes.count >= 3 else { return [] }
  var ranked: [(id: String, rank: Int)] = []
  for candidate in known {
    let other = folded(candidate)
    if other.starts(with: bytes) {
      ranked.append((candidate, 0))
    } else if other.contains(bytes) {
      ranked.append((candidate, 1))
    } else if let distance = distanceToStart(bytes, other) {
      ranked.append((candidate, 1 + distance))
    }
  }
  // The order of what ranks alike is that of the known ids.
  let places = ranked.indices.sorted { (ranked[$0].rank, $0) < (ranked[$1].rank, $1) }
  return places.prefix(3).map { ranked[$0].id }
}

/// The smallest distance to the id or to its first words, of those that are near; nil when none is.
private func distanceToStart(_ word: [UInt8], _ id: [UInt8]) -> Int? {
  let ends = id.indices.filter { id[$0] == UInt8(ascii: "-") }.map { $0 + 1 } + [id.count]
  var nearest: Int?
  for end in ends {
    let limit = max(word.count, end) / 3
    // No less than this many letters have to come or go.
    guard abs(word.count - end) <= limit else { continue }
    let distance = distance(word, Array(id[..<end]))
    if distance <= limit, distance < nearest ?? .max { nearest = distance }
  }
  return nearest
}

private func folded(_ word: String) -> [UInt8] {
  word.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
}

/// How many edits lead from one word to the other.
private func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...right.count)
  for (row, byte) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      var cost = min(
        previous[column + 1] + 1, current[column] + 1, previous[column] + (byte == other ? 0 : 1))
      if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
        cost = min(cost, beforePrevious[column - 1] + 1)
      }
      current.append(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.count]
}
