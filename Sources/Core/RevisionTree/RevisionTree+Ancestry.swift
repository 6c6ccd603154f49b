extension RevisionTree {
  /// A known revision and its known ancestors, newest first.
  ///
  /// - Parameter limit: the maximum number of revisions to return; nil returns all of them.
  public func ancestry(of revision: Revision, limit: Int64? = nil) -> [Revision] {
    var ancestry = [revision]
    while let parent = nodes[ancestry[ancestry.count - 1]]?.parent,
      Int64(ancestry.count) < limit ?? .max
    {
      ancestry.append(parent)
    }
    return ancestry
  }

  /// The leaves that are the revision or descend from it, in winner order.
  public func leaves(under revision: Revision) -> [Revision] {
    // The revision is usually still a leaf.
    if isLeaf(revision) { return [revision] }
    return leaves.filter { leaf in
      var ancestor: Revision? = leaf
      while let current = ancestor, current.generation > revision.generation {
        ancestor = nodes[current]?.parent
      }
      return ancestor == revision
    }
  }

  /// The requested revisions that are missing, and the leaves that could be their ancestors.
  ///
  /// A revision is missing if the tree does not contain it, not even as a stub. A possible ancestor
  /// is any leaf whose generation is below the highest missing generation: the peer that sends the
  /// missing revision may have built it on such a leaf.
  public func difference(
    _ asked: [Revision]
  ) -> (missing: [Revision], possibleAncestors: [Revision]) {
    var missing: [Revision] = []
    var seen: Set<Revision> = []
    for revision in asked where !contains(revision) && seen.insert(revision).inserted {
      missing.append(revision)
    }
    guard let highest = missing.map({ $0.generation }).max() else { return ([], []) }
    return (missing, leaves.filter { $0.generation < highest })
  }
}
