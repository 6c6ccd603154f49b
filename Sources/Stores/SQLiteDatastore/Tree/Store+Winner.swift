internal import Datastore
internal import JSON

// The winner of a document is its greatest leaf: live before deleted, then the collation. The index
// `leaf` stores the leaves in that order, so the winner is its first entry.
//
// The collation `cdt` needs a second step. It compares generations as numbers if they have at most
// eight digits, and complete names as text otherwise, which is not transitive:
//
//     10-x  >  2-b  >  123456789-a  >  10-x
//
// So as soon as the first entry has a generation of nine digits, the leaves that are all live or
// all deleted are compared one after the other, and the remaining one wins. That is the greatest
// leaf whenever one leaf is greater than all others.

extension Store {
  /// The winner of a document, or nil if it has no revision.
  func winner(
    of document: Int64, _ leaves: ChangingDocument.Leaves
  ) throws(DatastoreError) -> LeafRow? {
    switch leaves {
    case .none: return nil
    case .only(let leaf): return leaf
    case .ranked: break
    }
    guard let first = try rankedLeaves(of: document, limit: 1).first else { return nil }
    guard identity.collation == .cdt, first.name.generation > CDTCollation.generationMax else {
      return first
    }
    var winner = first
    for leaf in try rankedLeaves(of: document) where leaf.isDeleted == first.isDeleted {
      if CDTCollation.isGreater(leaf.name, than: winner.name) { winner = leaf }
    }
    return winner
  }

  /// The leaves of a document in winner order, at least one.
  func leaves(
    of id: DocumentID, _ document: DocumentRow
  ) throws(DatastoreError) -> [LeafRow] {
    guard document.isBranched else { return [document.winner] }
    var leaves = try rankedLeaves(of: document.number)
    if leaves.isEmpty { throw lacksLeaf(id) }
    if let place = leaves.firstIndex(of: document.winner), place > 0 {
      leaves.insert(leaves.remove(at: place), at: 0)
    }
    return leaves
  }

  /// The error for a document that should no longer exist, or not without a leaf.
  func lacksLeaf(_ id: DocumentID) -> DatastoreError { corrupt("contains '\(id)' without a leaf") }

  /// The leaves of a branched document in the order of their ranks, up to a limit.
  func rankedLeaves(
    of document: Int64, limit: Int64 = -1
  ) throws(DatastoreError) -> [LeafRow] {
    var rows = try prepare(.leaves).integer(document).integer(limit).rows()
    var leaves: [LeafRow] = []
    while try rows.next() { leaves.append(try rows.leaf()) }
    return leaves
  }

  /// The leaves that descend from a revision with children, in the order of their ranks.
  func leaves(
    descendingFrom name: RevisionName, of id: DocumentID, _ document: DocumentRow
  ) throws(DatastoreError) -> [LeafRow] {
    // Every branch ends in a leaf.
    guard document.isBranched else { return [document.winner] }
    var descendants: Set<RevisionName> = [name]
    var rows = try prepare(.revisionsAbove).integer(document.number).integer(name.generation).rows()
    while try rows.next() {
      let child = try rows.revisionName(0)
      if let parent = try rows.parent(1, of: child), descendants.contains(parent) {
        descendants.insert(child)
      }
    }
    return try rankedLeaves(of: document.number).filter { descendants.contains($0.name) }
  }
}

/// The collation `REVID` of CDTDatastore, for well-formed names.
enum CDTCollation {
  /// The last generation that is compared as a number with all others.
  static let generationMax: Int64 = 99_999_999

  static func isGreater(_ left: RevisionName, than right: RevisionName) -> Bool {
    if left.generation > generationMax || right.generation > generationMax {
      return left.text.withBytes { left in
        right.text.withBytes { right in right.lexicographicallyPrecedes(left) }
      }
    }
    if left.generation != right.generation { return left.generation > right.generation }
    return left.withSuffix { left in
      right.withSuffix { right in right.lexicographicallyPrecedes(left) }
    }
  }
}
