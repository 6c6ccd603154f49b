internal import Datastore

extension Store {
  /// Removes the leaves among the given revisions, with the ancestors that no other leaf needs.
  func purge(
    _ id: DocumentID, _ revs: [RevisionName]
  ) throws(DatastoreError) -> [RevisionID] {
    guard let existing = try document(id) else { return [] }
    var purged: [RevisionID] = []
    for name in revs {
      guard let leaf = try revision(named: name, of: existing.document), leaf.isLeaf else {
        continue
      }
      try remove(leaf)
      purged.append(name.id)
    }
    if purged.isEmpty { return [] }
    _ = try stem(existing.document)
    if let winner = try winner(of: existing.document) {
      try moveToEndOfFeed(existing.document, winner: winner, wasDeleted: existing.isDeleted)
    } else {
      try run(.deleteDocument, [.integer(existing.document)])
      count(deleted: existing.isDeleted, by: -1)
    }
    return purged
  }

  /// Removes a leaf and then each ancestor that has no child left.
  private func remove(_ leaf: RevisionRow) throws(DatastoreError) {
    var parent = leaf.parent
    try run(.deleteRevision, [.integer(leaf.revision)])
    while let revision = parent, try !hasChild(revision) {
      parent = try self.parent(of: revision)
      try run(.deleteRevision, [.integer(revision)])
    }
  }

  private func hasChild(_ revision: Int64) throws(DatastoreError) -> Bool {
    var rows = try rows(.childOf, [.integer(revision)])
    return try rows.next()
  }
}
