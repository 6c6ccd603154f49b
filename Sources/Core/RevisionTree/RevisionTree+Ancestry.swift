extension RevisionTree {
  /// A known revision and its known ancestors, newest first.
  ///
  /// A limit cuts the answer to that many revisions.
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
    // What is asked for is mostly a leaf still.
    if isLeaf(revision) { return [revision] }
    return leaves.filter { leaf in
      var ancestor: Revision? = leaf
      while let current = ancestor, current.generation > revision.generation {
        ancestor = nodes[current]?.parent
      }
      return ancestor == revision
    }
  }

  /// What is missing of the asked revisions, and the leaves that could be their ancestors.
  ///
  /// Missing is what is not even known by name. A possible ancestor is any leaf below the highest
  /// missing generation: whoever sends the missing revision may build on what it names.
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
