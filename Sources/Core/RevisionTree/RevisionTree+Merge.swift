extension RevisionTree {
  /// The effect of a merge on the tree, in the terms of CouchDB's `couch_key_tree`.
  ///
  /// CouchDB also reports `internal_node` for a merge that changes nothing.
  public enum MergeResult: Hashable, Sendable {
    /// The tip is a new leaf of an empty tree, or its nearest known ancestor was a leaf.
    case newLeaf
    /// The tip is a new leaf, and its nearest known ancestor had children, or no ancestor is known.
    case newBranch
    /// The tip was known. The merge added an internal node, gave one its parent, or added a body to
    /// a stub.
    case internalNode
    /// The tip was known, and the tree is unchanged.
    case nothing

    /// Whether the tip was unknown before the merge.
    public var addsLeaf: Bool { self == .newLeaf || self == .newBranch }
  }

  /// Whether a merge may give a body to a known stub and a parent to a known root.
  ///
  /// Stores may differ here, but only for a tip that is already known; the model accepts both.
  public struct LateArrival: Hashable, Sendable {
    public var fills: Bool
    public var adopts: Bool

    public init(fills: Bool = true, adopts: Bool = true) {
      self.fills = fills
      self.adopts = adopts
    }
  }

  /// Merges a path whose tip is either a deletion or a live revision.
  ///
  /// - Complexity: O(*n*) in the number of new revisions of the path and of roots that the path
  ///   could extend, independent of the length of the path and of the history.
  public mutating func merge(
    _ path: RevisionPath, deleted: Bool, lateArrival: LateArrival = LateArrival()
  ) -> MergeResult {
    var visited = 0
    return merge(path, deleted: deleted, lateArrival: lateArrival, visited: &visited)
  }

  /// Merges a path, and counts the revisions that were looked up or inserted as a measure of the
  /// work.
  mutating func merge(
    _ path: RevisionPath, deleted: Bool, lateArrival: LateArrival = LateArrival(),
    visited: inout Int
  ) -> MergeResult {
    let known = path.revisions.firstIndex { nodes[$0] != nil }
    visited += 1 + (known ?? path.revisions.count)
    var result = MergeResult.nothing
    if known != 0 {
      let continuesLeaf = known.map { isLeaf(path.revisions[$0]) } ?? isEmpty
      result = continuesLeaf ? .newLeaf : .newBranch
      insertNewPart(of: path, upTo: known, deleted: deleted)
    } else if lateArrival.fills, nodes[path.tip]?.deleted == nil {
      nodes[path.tip]?.deleted = deleted
      result = .internalNode
    }
    if let known, known != 0 || lateArrival.adopts {
      let hasAdopted = adopt(path, from: known, &visited)
      if known == 0, hasAdopted { result = .internalNode }
    }
    assertInvariants()
    return result
  }

  /// Inserts the revisions that are newer than the first known one.
  private mutating func insertNewPart(
    of path: RevisionPath, upTo known: Int?, deleted: Bool
  ) {
    for place in 0..<(known ?? path.revisions.count) {
      let isOldest = place + 1 == path.revisions.count
      nodes[path.revisions[place]] = Node(
        parent: isOldest ? nil : path.revisions[place + 1], children: place == 0 ? 0 : 1,
        deleted: place == 0 ? deleted : nil)
    }
    if let known { addChild(to: path.revisions[known]) } else { addRoot(path.oldest) }
    addLeaf(path.tip)
  }

  /// Gives a parent to every known root on the path that the path continues below.
  ///
  /// Returns whether the tree changed.
  private mutating func adopt(
    _ path: RevisionPath, from known: Int, _ visited: inout Int
  ) -> Bool {
    var hasAdopted = false
    let upper = path.revisions[known].generation
    let candidates = roots.prefix { $0.generation > path.oldest.generation }
    for root in Array(candidates) where root.generation <= upper {
      visited += 1
      var place = Int(path.tip.generation - root.generation)
      guard path.revisions[place] == root else { continue }
      hasAdopted = true
      roots.removeAll { $0 == root }
      var child = root
      repeat {
        place += 1
        visited += 1
        let parent = path.revisions[place]
        nodes[child]?.parent = parent
        if nodes[parent] != nil {
          addChild(to: parent)
          break
        }
        nodes[parent] = Node(parent: nil, children: 1, deleted: nil)
        if parent == path.oldest { addRoot(parent) }
        child = parent
      } while place + 1 < path.revisions.count
    }
    return hasAdopted
  }

  /// Counts one more child; a node with a child is no longer a leaf.
  private mutating func addChild(to parent: Revision) {
    if isLeaf(parent) { removeLeaf(parent) }
    nodes[parent]?.children += 1
  }

  mutating func addLeaf(_ leaf: Revision) {
    let isDeleted = nodes[leaf]?.deleted ?? false
    rankedLeaves.insert(leaf, at: place(of: leaf, isDeleted: isDeleted))
    if !isDeleted { liveLeafCount += 1 }
  }

  /// Removes a revision from the leaves if it is one; its node must still exist.
  mutating func removeLeaf(_ leaf: Revision) {
    let isDeleted = nodes[leaf]?.deleted ?? false
    let place = place(of: leaf, isDeleted: isDeleted)
    guard place < rankedLeaves.count, rankedLeaves[place] == leaf else { return }
    rankedLeaves.remove(at: place)
    if !isDeleted { liveLeafCount -= 1 }
  }

  /// The index of a leaf among the live or the deleted leaves, or the index at which it would be
  /// inserted.
  private func place(of leaf: Revision, isDeleted: Bool) -> Int {
    var low = isDeleted ? liveLeafCount : 0
    var high = isDeleted ? rankedLeaves.count : liveLeafCount
    while low < high {
      let middle = (low + high) / 2
      if collation.ranks(leaf, below: rankedLeaves[middle]) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Whether `left` is sorted before `right` among the roots.
  func isHigherRoot(_ left: Revision, _ right: Revision) -> Bool {
    left.generation == right.generation
      ? collation.precedes(right, left) : left.generation > right.generation
  }

  mutating func addRoot(_ root: Revision) {
    let place = roots.firstIndex { isHigherRoot(root, $0) } ?? roots.count
    roots.insert(root, at: place)
  }
}
