extension RevisionTree {
  /// Calls a known revision by another name of the same generation, which is not known yet.
  ///
  /// The model needs this for an edit whose reply was lost: it gives the revision a stand-in, and
  /// the name when the store has shown it.
  public mutating func rename(_ old: Revision, to new: Revision) {
    guard let node = nodes[old], nodes[new] == nil, old.generation == new.generation else { return }
    nodes[old] = nil
    nodes[new] = node
    for (revision, node) in nodes where node.parent == old { nodes[revision]?.parent = new }
    if let place = rankedLeaves.firstIndex(of: old) {
      rankedLeaves.remove(at: place)
      addLeaf(new)
    }
    if let place = roots.firstIndex(of: old) {
      roots.remove(at: place)
      addRoot(new)
    }
    assertInvariants()
  }
}
