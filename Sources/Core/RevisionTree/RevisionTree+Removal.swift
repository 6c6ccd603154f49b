extension RevisionTree {
  /// Removes a leaf and the ancestors that no other leaf needs, and returns all removed revisions.
  ///
  /// A revision that is not a leaf is not removed, and the result is empty.
  public mutating func purge(_ leaf: Revision) -> [Revision] {
    var removed: [Revision] = []
    var next: Revision? = leaf
    removeLeaf(leaf)
    while let revision = next, let node = nodes[revision], node.children == 0 {
      nodes[revision] = nil
      removed.append(revision)
      if let parent = node.parent {
        nodes[parent]?.children -= 1
      } else {
        roots.removeAll { $0 == revision }
      }
      next = node.parent
    }
    assertInvariants()
    return removed
  }

  /// Removes every revision that is `limit` or more steps away from all leaves that descend from
  /// it, and returns the removed revisions.
  ///
  /// A revision that loses its parent becomes a root, so one component may become several. `limit`
  /// is at least 1, and no leaf is ever removed.
  public mutating func stem(limit: Int64) -> [Revision] {
    var kept: Set<Revision> = []
    for leaf in rankedLeaves {
      var revision: Revision? = leaf
      var steps: Int64 = 0
      while let current = revision, steps < limit {
        kept.insert(current)
        revision = nodes[current]?.parent
        steps += 1
      }
    }
    let removed = nodes.keys.filter { !kept.contains($0) }
    for revision in removed { nodes[revision] = nil }
    for revision in kept { nodes[revision]?.children = 0 }
    roots = []
    for revision in kept {
      guard let parent = nodes[revision]?.parent else {
        roots.append(revision)
        continue
      }
      if kept.contains(parent) {
        nodes[parent]?.children += 1
      } else {
        nodes[revision]?.parent = nil
        roots.append(revision)
      }
    }
    roots.sort(by: isHigherRoot)
    assertInvariants()
    return removed
  }
}
