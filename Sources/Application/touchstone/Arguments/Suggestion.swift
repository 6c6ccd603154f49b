/// Returns the known word nearest to an unknown one; nil if none is near.
///
/// A word is near if the Damerau–Levenshtein distance is at most a third of the longer word.
func nearest(to word: String, among known: [String]) -> String? {
  var best: (word: String, distance: Int)?
  for candidate in known {
    let limit = max(1, max(word.utf8.count, candidate.utf8.count) / 3)
    // The difference in length is a lower bound of the distance.
    guard abs(word.utf8.count - candidate.utf8.count) <= limit else { continue }
    let distance = distance(Array(word.utf8), Array(candidate.utf8))
    if distance <= limit, distance < best?.distance ?? .max {
      best = (candidate, distance)
    }
  }
  return best?.word
}

/// Returns at most three known ids to suggest for an unknown one.
///
/// Ids with this prefix come first, then ids that contain it, then ids whose first words or whole
/// text are near. Letter case is ignored.
func nearestIDs(to id: String, among known: [String]) -> [String] {
  let bytes = folded(id)
  guard bytes.count >= 3 else { return [] }
  var ranked: [(id: String, rank: Int)] = []
  var seen: Set<String> = []
  for candidate in known where seen.insert(candidate).inserted {
    let other = folded(candidate)
    if other.starts(with: bytes) {
      ranked.append((candidate, 0))
    } else if bytes.count < other.count, other.contains(bytes) {
      ranked.append((candidate, 1))
    } else if let distance = distanceToStart(bytes, other) {
      ranked.append((candidate, 1 + distance))
    }
  }
  // Ids of equal rank keep the order of the known ids.
  let places = ranked.indices.sorted { (ranked[$0].rank, $0) < (ranked[$1].rank, $1) }
  return places.prefix(3).map { ranked[$0].id }
}

/// Returns the smallest distance to the id or to its first words; nil if none is near.
private func distanceToStart(_ word: [UInt8], _ id: [UInt8]) -> Int? {
  let ends = id.indices.filter { id[$0] == UInt8(ascii: "-") }.map { $0 + 1 } + [id.count]
  var nearest: Int?
  for end in ends {
    let limit = max(word.count, end) / 3
    // The difference in length is a lower bound of the distance.
    guard abs(word.count - end) <= limit else { continue }
    let distance = distance(word, Array(id[..<end]))
    if distance <= limit, distance < nearest ?? .max { nearest = distance }
  }
  return nearest
}

private func folded(_ word: String) -> [UInt8] {
  word.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
}

/// Returns the Damerau–Levenshtein distance of two words (adjacent transpositions, without later
/// edits).
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
