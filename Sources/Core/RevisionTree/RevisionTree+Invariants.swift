extension RevisionTree {
  /// Checks the invariants of a small tree in debug builds; the tests check large trees.
  func assertInvariants() {
    assert(nodes.count > 64 || invariantViolation == nil, invariantViolation ?? "")
  }

  /// The description of a violated invariant of the tree, or nil if all hold.
  var invariantViolation: String? {
    var children: [Revision: Int] = [:]
    for (revision, node) in nodes {
      if let parent = node.parent {
        guard nodes[parent] != nil else { return "the parent of \(revision) is unknown" }
        guard parent.generation == revision.generation - 1 else {
          return "\(parent) cannot be the parent of \(revision)"
        }
        children[parent, default: 0] += 1
      } else if !roots.contains(revision) {
        return "\(revision) has no parent and is not a root"
      }
      if node.children == 0, node.deleted == nil { return "leaf \(revision) is a stub" }
    }
    for (revision, node) in nodes where node.children != children[revision, default: 0] {
      return "\(revision) does not have \(node.children) children"
    }
    let childless = nodes.filter { $0.value.children == 0 }.count
    guard rankedLeaves.count == childless, rankedLeaves.allSatisfy({ isLeaf($0) }) else {
      return "the list of leaves is not equal to the leaves"
    }
    for (place, leaf) in rankedLeaves.enumerated()
    where (nodes[leaf]?.deleted ?? false) != (place >= liveLeafCount) {
      return "\(leaf) is leaf \(place), and \(liveLeafCount) leaves are live"
    }
    for (place, (better, worse)) in zip(rankedLeaves, rankedLeaves.dropFirst()).enumerated()
    where place + 1 != liveLeafCount && !collation.ranks(worse, below: better) {
      return "\(worse) is sorted after \(better)"
    }
    let orphans = nodes.filter { $0.value.parent == nil }.count
    guard roots.count == orphans else { return "the list of roots is not equal to the roots" }
    for (higher, lower) in zip(roots, roots.dropFirst())
    where higher.generation < lower.generation {
      return "root \(lower) is sorted after \(higher)"
    }
    return nil
  }
}
