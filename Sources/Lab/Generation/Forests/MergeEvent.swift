/// The effect of a record on a store, without the winner.
///
/// Two merges with equal events show the same; this reduces "all arrival orders".
struct MergeEvent: Hashable {
  /// The state of the tip before.
  enum Tip: Hashable { case unknown, byName, known }

  /// The newest known revision of the path.
  enum Meeting: Hashable {
    /// The document is unknown.
    case noDocument
    /// No revision of the path is known.
    case nothing
    case winningLeaf, losingLeaf, innerWithBody, innerByName
  }

  /// The addition below a known root.
  enum Adoption: Hashable {
    case none
    /// Unknown ancestors.
    case names
    /// A place above a former leaf, so two parts become one.
    case ontoLeaf
    /// The same above a revision with another child.
    case ontoInner
  }

  var tip = Tip.unknown
  var meeting = Meeting.noDocument
  /// True if the met revision had no known parent.
  var meetsRoot = false
  /// True if ancestors become stub revisions.
  var bringsNames = false
  /// True if the path ends before the first generation.
  var isTruncated = false
  var adoption = Adoption.none
  /// True if unknown revisions lie between the two parts.
  var hasGap = false
  /// The number of roots that got parents, 2 meaning 2 or more.
  var adopted = 0
  /// The number of revisions that stopped being leaves.
  var leavesGone = 0
}

extension MergeEvent {
  /// True if stores may differ: a longer history of a known revision.
  var isDisputed: Bool { tip != .unknown && adopted > 0 }

  /// The event without the parts that are irrelevant if stores may differ.
  var disputedPart: MergeEvent {
    var part = MergeEvent()
    part.tip = tip
    part.adoption = adoption
    part.hasGap = hasGap
    part.adopted = adopted
    part.leavesGone = leavesGone
    return part
  }

  /// The event of a record for these holdings.
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

/// The effect of a merge on the winner.
struct WinnerEvent: Hashable {
  /// The winner afterwards.
  enum Passage: Hashable { case stays, toTip, toAnother }
  /// The order of a revision relative to another one by its id.
  enum Relation: Hashable {
    case none, lowerGeneration, lowerSuffix, same, higherSuffix, higherGeneration
  }

  var passage = Passage.toTip
  /// The order of the tip relative to the winner before.
  var tipToWinner = Relation.none
  var tipIsDeleted = false
  var wasDeleted = false
  var isDeleted = false
  /// True if the tip continues a leaf.
  var extendsLeaf = false
  /// The number of live leaves afterwards, 2 meaning 2 or more.
  var live = 0
  /// True if there are deleted leaves afterwards.
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

/// The form of the leaves of a document, the best first.
struct Outline: Hashable {
  /// Up to three live ones and two deleted ones: the deleted flag, and whether the generation
  /// equals that of the one before.
  var leaves: [Int] = []
  /// True if the leaves have no known common ancestor.
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
