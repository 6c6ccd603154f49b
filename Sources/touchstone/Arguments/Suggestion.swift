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
