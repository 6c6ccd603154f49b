internal import Datastore
internal import JSON

/// All revisions of one document and their parents: the complete history, of which stores receive
/// parts.
///
/// Revisions are numbered by generation and, within one, by suffix; the first generation is
/// complete. Suffixes are letters, all different, and an older generation has the higher ones: a
/// store that compares suffixes before generations fails every vector.
struct Forest: Hashable {
  /// The generation of each revision, from 1.
  let generations: [Int]
  /// The index of each revision's parent, nil in the first generation.
  let parents: [Int?]
  /// The revisions without children, as a mask of indices.
  let leaves: Int

  private init(generations: [Int], parents: [Int?]) {
    self.generations = generations
    self.parents = parents
    var leaves = 1 << generations.count - 1
    for parent in parents { if let parent { leaves &= ~(1 << parent) } }
    self.leaves = leaves
  }

  var count: Int { generations.count }
}

extension Forest {
  /// All forests with this many revisions, up to renaming of suffixes that keeps their order.
  static func all(ofCount count: Int) -> [Forest] {
    var found: [Forest] = []
    for width in 1...count {
      let roots = Forest(
        generations: Array(repeating: 1, count: width),
        parents: Array(repeating: nil, count: width))
      roots.extend(from: 0, to: count, &found)
    }
    return found
  }

  /// Adds generations above the one that begins at an index, in all ways.
  private func extend(from start: Int, to count: Int, _ found: inout [Forest]) {
    let missing = count - self.count
    guard missing > 0 else {
      found.append(self)
      return
    }
    let below = Array(start..<self.count)
    let generation = (generations.last ?? 0) + 1
    for width in 1...missing {
      for choice in 0..<power(below.count, width) {
        var rest = choice
        var chosen: [Int?] = []
        for _ in 0..<width {
          chosen.append(below[rest % below.count])
          rest /= below.count
        }
        Forest(
          generations: generations + Array(repeating: generation, count: width),
          parents: parents + chosen
        ).extend(from: self.count, to: count, &found)
      }
    }
  }

  private func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }
}

extension Forest {
  /// A revision and the given number of its ancestors, newest first.
  func path(from place: Int, length: Int) -> [Int] {
    var path = [place]
    while path.count < length, let parent = parents[path[path.count - 1]] { path.append(parent) }
    return path
  }

  /// The letter of a revision: within a generation ascending, and higher for older generations.
  func letter(_ place: Int) -> String {
    let generation = generations[place]
    let younger = generations.count { $0 > generation }
    let before = (0..<place).count { generations[$0] == generation }
    return ["a", "b", "c", "d", "e", "f", "g", "h"][younger + before]
  }

  /// The id of a revision.
  func name(_ place: Int) -> RevisionID {
    RevisionID(JSONString("\(generations[place])-\(letter(place))"))
  }
}

/// A record sent to a store.
struct Arrival: Hashable {
  /// The index of the arriving revision.
  var tip: Int
  /// The number of revisions in its path.
  var length: Int
  var deleted: Bool
  /// True if the revision arrived before; then it has another body and the other flag.
  var isAgain = false
}

extension Arrival {
  /// The record, with the revision's name in its body.
  func record(in forest: Forest) -> RevisionRecord {
    let path = forest.path(from: tip, length: length).map { forest.name($0) }
    let body: JSONValue = isAgain ? ["is": "another"] : ["is": path[0].json]
    return RevisionRecord(id: "d", path: path, deleted: deleted, body: body)
  }

  /// The generation and the letters of the path, and `x` for a tombstone: `3abc`, `2dx`.
  func code(in forest: Forest) -> String {
    let letters = forest.path(from: tip, length: length).map { forest.letter($0) }.joined()
    return "\(forest.generations[tip])\(letters)\(deleted ? "x" : "")"
  }
}
