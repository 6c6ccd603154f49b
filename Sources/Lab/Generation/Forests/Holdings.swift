/// The part of a forest in a store: sets of indices as masks, so that very many can be visited.
///
/// This arithmetic only finds cases that are worth a vector. The expectations come from the model.
struct Holdings: Hashable {
  /// The known revisions, including stub revisions.
  var known = 0
  /// Those of them with a known parent.
  var linked = 0
  /// Those of them that arrived themselves.
  var bodies = 0
  /// Those that arrived as deletions.
  var deleted = 0
}

extension Holdings {
  func holds(_ place: Int) -> Bool { known & 1 << place != 0 }

  /// Merges a record.
  mutating func merge(_ arrival: Arrival, in forest: Forest) {
    if bodies & 1 << arrival.tip == 0, arrival.deleted { deleted |= 1 << arrival.tip }
    bodies |= 1 << arrival.tip
    var place = arrival.tip
    known |= 1 << place
    for _ in 1..<arrival.length {
      guard let parent = forest.parents[place] else { return }
      linked |= 1 << place
      known |= 1 << parent
      place = parent
    }
  }

  /// The known revisions without a known child.
  func leaves(in forest: Forest) -> Int {
    var leaves = known
    for place in 0..<forest.count where linked & 1 << place != 0 {
      if let parent = forest.parents[place] { leaves &= ~(1 << parent) }
    }
    return leaves
  }

  /// The winner: the highest live leaf, else the highest; indices are in the order of ids.
  func winner(in forest: Forest) -> Int? {
    let leaves = leaves(in: forest)
    let live = leaves & ~deleted
    return (0..<forest.count).last { (live == 0 ? leaves : live) & 1 << $0 != 0 }
  }
}
