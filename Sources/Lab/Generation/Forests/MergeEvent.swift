/// What happens when a record meets a store, apart from who wins.
///
/// Two merges with equal events show the same; this is what "in all arrival orders" is reduced by.
struct MergeEvent: Hashable {
  /// How the tip is known before.
  enum Tip: Hashable { case unknown, byName, known }

  /// What the newest known revision of the path is.
  enum Meeting: Hashable {
    /// Nobody has heard of the document.
    case noDocument
    /// None of the path is known.
    case nothing
    case winningLeaf, losingLeaf, innerWithBody, innerByName
  }

  /// What a known root gets below itself.
  enum Adoption: Hashable {
    case none
    /// Ancestors of which nobody had heard.
    case names
    /// A place above a revision that was a leaf until then, and so two pieces become one.
    case ontoLeaf
    /// The same above a revision that has another child.
    case ontoInner
  }

  var tip = Tip.unknown
  var meeting = Meeting.noDocument
  /// Whether the met revision had no known parent.
  var meetsRoot = false
  /// Whether ancestors come by name.
  var bringsNames = false
  /// Whether the path ends before the first generation.
  var isTruncated = false
  var adoption = Adoption.none
  /// Whether names that nobody knew lie between the two pieces.
  var hasGap = false
  /// The number of roots that got parents, 2 standing for more.
  var adopted = 0
  /// The number of leaves that are none any more.
  var leavesGone = 0
}

extension MergeEvent {
  /// Whether stores may differ in it: a longer history of a revision that is known.
  var isDisputed: Bool { tip != .unknown && adopted > 0 }

  /// The event without what makes no difference where stores may differ.
  var disputedPart: MergeEvent {
    var part = MergeEvent()
    part.tip = tip
    part.adoption = adoption
    part.hasGap = hasGap
    part.adopted = adopted
    part.leavesGone = leavesGone
    return part
  }

  /// The event of a record that meets these holdings.
  init(_ arrival: Arrival, meeting before: Holdings, in forest: Forest) {
    let path = forest.path(from: arrival.tip, length: arrival.length)
    var after = before
    after.merge(arrival, in: forest)
    let leaves = before.leaves(in: forest)
    leavesGone = (leaves & ~after.leaves(in: forest)).nonzeroBitCount
    isTruncated = forest.generations[path[path.count - 1]] > 1
    bringsNames = after.known & ~before.known & ~(1 << arrival.tip) != 0
    if before.holds(arrival.tip) {
      tip = before.bodies & 1 << arrival.tip == 0 ? .byName : .known
    }
    if let met = path.first(where: { before.holds($0) }) {
      meetsRoot = before.linked & 1 << met == 0
      if leaves & 1 << met != 0 {
        meeting = before.winner(in: forest) == met ? .winningLeaf : .losingLeaf
      } else {
        meeting = before.bodies & 1 << met != 0 ? .innerWithBody : .innerByName
      }
    } else if before.known != 0 {
      meeting = .nothing
    }
    noteAdoptions(path, before, after: after, leaves: leaves)
  }

  private mutating func noteAdoptions(
    _ path: [Int], _ before: Holdings, after: Holdings, leaves: Int
  ) {
    for (index, root) in path.enumerated() {
      let bit = 1 << root
      guard before.holds(root), before.linked & bit == 0, after.linked & bit != 0 else { continue }
      adopted = min(2, adopted + 1)
      let below = path[(index + 1)...]
      guard adoption == .none else { continue }
      if let lower = below.firstIndex(where: { before.holds($0) }) {
        adoption = leaves & 1 << path[lower] != 0 ? .ontoLeaf : .ontoInner
        hasGap = lower > index + 1
      } else {
        adoption = .names
      }
    }
  }
}

/// What a merge does to the winner.
struct WinnerEvent: Hashable {
  /// Who wins afterwards.
  enum Passage: Hashable { case stays, toTip, toAnother }
  /// How a revision stands to another one by its id.
  enum Relation: Hashable {
    case none, lowerGeneration, lowerSuffix, same, higherSuffix, higherGeneration
  }

  var passage = Passage.toTip
  /// How the tip stands to the winner before.
  var tipToWinner = Relation.none
  var tipIsDeleted = false
  var wasDeleted = false
  var isDeleted = false
  /// Whether the tip continues a leaf.
  var extendsLeaf = false
  /// Live leaves afterwards, 2 standing for more.
  var live = 0
  /// Whether there are deleted leaves afterwards.
  var hasDead = false

  init(_ arrival: Arrival, meeting before: Holdings, in forest: Forest) {
    var after = before
    after.merge(arrival, in: forest)
    let tip = arrival.tip
    tipIsDeleted = arrival.deleted
    let leaves = after.leaves(in: forest)
    live = min(2, (leaves & ~after.deleted).nonzeroBitCount)
    hasDead = leaves & after.deleted != 0
    extendsLeaf = before.leaves(in: forest) & ~leaves != 0
    let winner = after.winner(in: forest) ?? tip
    isDeleted = after.deleted & 1 << winner != 0
    guard let old = before.winner(in: forest) else { return }
    wasDeleted = before.deleted & 1 << old != 0
    passage = winner == old ? .stays : winner == tip ? .toTip : .toAnother
    let generations = (forest.generations[tip], forest.generations[old])
    if tip == old {
      tipToWinner = .same
    } else if generations.0 != generations.1 {
      tipToWinner = generations.0 < generations.1 ? .lowerGeneration : .higherGeneration
    } else {
      tipToWinner = tip < old ? .lowerSuffix : .higherSuffix
    }
  }
}

/// What the leaves of a document look like, the best first.
struct Outline: Hashable {
  /// Up to three live ones and two deleted ones: whether it is deleted, and whether it has the
  /// generation of the one before.
  var leaves: [Int] = []
  /// Whether not all of them have a common ancestor here.
  var isSplit = false

  init(_ holdings: Holdings, in forest: Forest) {
    let leaves = holdings.leaves(in: forest)
    let order = (0..<forest.count).reversed().filter { leaves & 1 << $0 != 0 }
    let live = order.filter { holdings.deleted & 1 << $0 == 0 }
    let dead = order.filter { holdings.deleted & 1 << $0 != 0 }
    for group in [live.prefix(3), dead.prefix(2)] {
      for (index, leaf) in group.enumerated() {
        let ties = index > 0 && forest.generations[group[index - 1]] == forest.generations[leaf]
        self.leaves.append((holdings.deleted & 1 << leaf != 0 ? 2 : 0) + (ties ? 1 : 0))
      }
    }
    isSplit = (holdings.known & ~holdings.linked).nonzeroBitCount > 1
  }
}
