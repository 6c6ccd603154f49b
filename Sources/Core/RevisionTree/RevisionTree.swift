/// All revisions of one document that a store has heard of, and which came from which.
///
/// Three devices edit a note. One knows `1-a ← 2-b ← 3-c`, another edited `1-a` into `2-x`, and of
/// the third only the newest edit arrived, with no more of its history than `5-q`:
///
///       1-a ─┬─ 2-b ─── 3-c
///            └─ 2-x (deleted)
///       5-q
///
/// The tree (a forest, strictly) holds five revisions in two pieces, with the roots `1-a` and `5-q`
/// and the leaves `5-q`, `3-c`, `2-x`. Leaves stand in **winner order**: live ones before deleted
/// ones, then by the collation, the highest first. So `5-q` wins here, whatever arrived when; and
/// were it deleted, the shorter but live `3-c` would win.
///
/// A revision has one place. Its parent, once known, never changes; where histories disagree, the
/// one that came first stays. A root is only a revision whose parent has not been heard of *yet*: a
/// longer history that passes through it puts it in its place, and may join two pieces.
///
/// A revision may be known by name only: as an ancestor in somebody's history. It counts as known,
/// and it is never a leaf.
public struct RevisionTree: Hashable, Sendable {
  /// One revision in its place.
  struct Node: Hashable, Sendable {
    var parent: Revision?
    var children: Int
    /// Whether the revision is a deletion; nil while it is known by name only.
    var deleted: Bool?
  }

  public let collation: Collation
  var nodes: [Revision: Node]
  /// Revisions without children: live ones before deleted ones, then by rank, the highest first.
  var rankedLeaves: [Revision]
  /// Revisions without a parent, the highest generation first.
  public internal(set) var roots: [Revision]

  /// The tree of a document that nobody has heard of.
  public init(collation: Collation) {
    self.collation = collation
    nodes = [:]
    rankedLeaves = []
    roots = []
  }
}

extension RevisionTree {
  /// Whether no revision is known.
  public var isEmpty: Bool { nodes.isEmpty }

  /// The number of known revisions.
  public var count: Int { nodes.count }

  /// Whether the revision is known, if only by name.
  public func contains(_ revision: Revision) -> Bool { nodes[revision] != nil }

  /// Whether the revision is a deletion, or nil when it is unknown or known by name only.
  public func isDeleted(_ revision: Revision) -> Bool? { nodes[revision]?.deleted }

  /// Whether the revision is known and no other came from it.
  public func isLeaf(_ revision: Revision) -> Bool { nodes[revision]?.children == 0 }

  /// The revision that this one came from, or nil when none has been heard of.
  public func parent(of revision: Revision) -> Revision? { nodes[revision]?.parent }

  /// The revision that stands for the document, or nil when there is none.
  ///
  /// That is the first leaf. Where the collation is no order, the leaves of its kind are compared
  /// one after the other, and the one that is left over wins: the greatest leaf, if there is one.
  public var winner: Revision? {
    guard let first = rankedLeaves.first else { return nil }
    if collation.isOrder(upTo: first.generation) { return first }
    let kind = nodes[first]?.deleted
    return rankedLeaves.prefix { nodes[$0]?.deleted == kind }.reduce(first) { best, leaf in
      collation.precedes(best, leaf) ? leaf : best
    }
  }

  /// Revisions without children in winner order.
  public var leaves: [Revision] {
    guard let winner, winner != rankedLeaves.first else { return rankedLeaves }
    return [winner] + rankedLeaves.filter { $0 != winner }
  }

  /// The leaves that are not deleted, the winner first; two or more are a conflict.
  public var liveLeaves: [Revision] {
    leaves.filter { nodes[$0]?.deleted == false }
  }

  /// Whether the winner is deleted, and with it every leaf.
  public var isWinnerDeleted: Bool { winner.flatMap { nodes[$0]?.deleted } ?? false }

  /// Whether `left` stands before `right` among the leaves.
  func isBetter(_ left: Revision, _ right: Revision) -> Bool {
    let deleted = (nodes[left]?.deleted ?? false, nodes[right]?.deleted ?? false)
    if deleted.0 != deleted.1 { return deleted.1 }
    return collation.ranks(right, below: left)
  }
}
