extension RevisionTree {
  /// Renames a known revision to another revision of the same generation that is not yet known.
  ///
  /// The model needs this for an edit whose response was lost: the revision has a placeholder name
  /// until the store returns the real one.
  public mutating func rename(_ old: Revision, to new: Revision) {
    guard let node = nodes[old], nodes[new] == nil, old.generation == new.generation else { return }
    let isLeaf = isLeaf(old)
    if isLeaf { removeLeaf(old) }
    nodes[old] = nil
    nodes[new] = node
    for (revision, node) in nodes where node.parent == old { nodes[revision]?.parent = new }
    if isLeaf { addLeaf(new) }
    if let place = roots.firstIndex(of: old) {
      roots.remove(at: place)
      addRoot(new)
    }
    assertInvariants()
  }
}

extension RevisionTree {
  /// Changes whether a known revision is a deletion.
  ///
  /// The rules never do this. The model needs it to follow a product that does.
  public mutating func setDeleted(_ deleted: Bool, of revision: Revision) {
    guard nodes[revision] != nil else { return }
    let isLeaf = isLeaf(revision)
    if isLeaf { removeLeaf(revision) }
    nodes[revision]?.deleted = deleted
    if isLeaf { addLeaf(revision) }
    assertInvariants()
  }
}
