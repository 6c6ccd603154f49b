/// The known revisions of one document and their parents.
///
/// Three devices edit a note. One has `1-a ← 2-b ← 3-c`, another edited `1-a` into `2-x`, and only
/// the newest edit of the third has arrived, with a history that ends at `5-q`:
///
///       1-a ─┬─ 2-b ─── 3-c
///            └─ 2-x (deleted)
///       5-q
///
/// The tree (strictly, a forest) has five revisions in two components, with the roots `1-a` and
/// `5-q` and the leaves `5-q`, `3-c`, `2-x`. Leaves are sorted in **winner order**: live leaves
/// before deleted ones, then by the collation in descending order. So `5-q` wins here, independent
/// of the order of arrival. If `5-q` were deleted, `3-c` would win, although its generation is
/// lower.
///
/// The parent of a revision never changes once it is known. If two histories disagree, the first
/// one to arrive is kept. A root is a revision whose parent is not known *yet*: a longer history
/// that contains the root supplies its parent, and may join two components.
///
/// A revision can be a *stub*: known without a body, only as an ancestor in a history. A stub
/// counts as known and is never a leaf.
public struct RevisionTree: Hashable, Sendable {
  /// One revision and its links.
  struct Node: Hashable, Sendable {
    var parent: Revision?
    var children: Int
    /// Whether the revision is a deletion; nil for a stub.
    var deleted: Bool?
  }

  public let collation: Collation
  var nodes: [Revision: Node]
  /// Revisions without children: live ones before deleted ones, then by rank in descending order.
  var rankedLeaves: [Revision]
  /// The number of leaves that are not deleted: the first ones in winner order.
  public internal(set) var liveLeafCount = 0
  /// Revisions without a parent, the highest generation first.
  public internal(set) var roots: [Revision]

  /// The tree of a document without known revisions.
  public init(collation: Collation) {
    self.collation = collation
    nodes = [:]
    rankedLeaves = []
    roots = []
  }
}

extension RevisionTree {
  /// Whether the tree contains no revision.
  public var isEmpty: Bool { nodes.isEmpty }

  /// The number of known revisions.
  public var count: Int { nodes.count }

  /// Whether the revision is known, including as a stub.
  public func contains(_ revision: Revision) -> Bool { nodes[revision] != nil }

  /// Whether the revision is a deletion, or nil if it is unknown or a stub.
  public func isDeleted(_ revision: Revision) -> Bool? { nodes[revision]?.deleted }

  /// Whether the revision is known and has no children.
  public func isLeaf(_ revision: Revision) -> Bool { nodes[revision]?.children == 0 }

  /// The parent of this revision, or nil if no parent is known.
  public func parent(of revision: Revision) -> Revision? { nodes[revision]?.parent }

  /// The winning revision of the document, or nil if the tree is empty.
  ///
  /// This is the first leaf. If the collation is not an order, the leaves that are all live or all
  /// deleted are compared one after the other, and the one that remains wins: the greatest leaf, if
  /// there is one.
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
  public var liveLeaves: [Revision] { Array(leaves.prefix(liveLeafCount)) }

  /// Whether the winner, and therefore every leaf, is deleted.
  public var isWinnerDeleted: Bool {
    liveLeafCount == 0 && !rankedLeaves.isEmpty
  }
}
