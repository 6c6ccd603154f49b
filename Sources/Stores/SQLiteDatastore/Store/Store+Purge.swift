internal import Datastore

extension Store {
  /// Removes the leaves among the given revisions, with the ancestors that no other leaf needs.
  func purge(
    _ id: DocumentID, _ revs: [RevisionName]
  ) throws(DatastoreError) -> [RevisionID] {
    guard let existing = try document(id) else { return [] }
    var purged: [RevisionID] = []
    for name in revs {
      guard let leaf = try revision(name, of: existing.number), leaf.isLeaf else { continue }
      try remove(leaf, of: existing.number)
      purged.append(name.id)
    }
    if purged.isEmpty { return [] }
    // The only leaf of a document was removed.
    let leaves: ChangingDocument.Leaves = existing.isBranched ? .ranked : .none
    _ = try stem(existing.number, leaves)
    if let winner = try winner(of: existing.number, leaves) {
      try moveToEndOfFeed(existing, id, winner: winner, isBranched: existing.isBranched)
    } else {
      try prepare(.deleteDocument).integer(existing.sequence).run()
      count(deleted: existing.isDeleted, by: -1)
      try reindex(id, existing.number, from: existing.winner, to: nil)
    }
    return purged
  }

  /// Removes a leaf and then each ancestor without remaining children.
  private func remove(_ leaf: RevisionRow, of document: Int64) throws(DatastoreError) {
    var parent = leaf.parent
    try delete(leaf.name, of: document)
    while let name = parent, try !hasChild(name, of: document) {
      parent = try self.parent(of: name, in: document)
      try delete(name, of: document)
    }
  }

  /// Removes a revision with its attachments.
  func delete(_ name: RevisionName, of document: Int64) throws(DatastoreError) {
    try prepare(.deleteRevision).key(name, of: document).run()
    if row.usesBlobs { try prepare(.deleteAttachments).key(name, of: document).run() }
  }

  private func hasChild(_ name: RevisionName, of document: Int64) throws(DatastoreError) -> Bool {
    var rows = try prepare(.childOf).integer(document).integer(name.generation + 1).bytes(name.text)
      .rows()
    return try rows.next()
  }
}
