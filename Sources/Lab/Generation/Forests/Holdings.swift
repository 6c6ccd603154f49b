/// What a store holds of a forest: sets of places as masks, so that very many can be looked at.
///
/// This is arithmetic for finding what is worth a vector. What a vector expects comes from the model.
struct Holdings: Hashable {
  /// The revisions that are known, if only by name.
  var known = 0
  /// Those of them whose parent is known to be their parent.
  var linked = 0
  /// Those of them that came themselves.
  var bodies = 0
  /// Those that came as deletions.
  var deleted = 0
}

extension Holdings {
  func holds(_ place: Int) -> Bool { known & 1 << place != 0 }

  /// Takes in a record.
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

  /// The revisions that no known one came from.
  func leaves(in forest: Forest) -> Int {
    var leaves = known
    for place in 0..<forest.count where linked & 1 << place != 0 {
      if let parent = forest.parents[place] { leaves &= ~(1 << parent) }
    }
    return leaves
  }

  /// The winner: the highest live leaf, else the highest; places are in the order of ids.
  func winner(in forest: Forest) -> Int? {
    let leaves = leaves(in: forest)
    let live = leaves & ~deleted
    return (0..<forest.count).last { (live == 0 ? leaves : live) & 1 << $0 != 0 }
  }
}
