internal import Datastore

extension Store {
  /// Completes the change of a document: applies the history limit and, if any change remains,
  /// moves the document to the end of the feed.
  func settle(_ target: ChangingDocument) throws(DatastoreError) {
    guard !target.isUnchanged else { return }
    let removed = try stem(target.number, target.leaves)
    guard target.isChanged(afterRemoving: removed) else { return }
    guard let winner = try winner(of: target.number, target.leaves) else {
      throw lacksLeaf(target.id)
    }
    if let existing = target.existing {
      return try moveToEndOfFeed(
        existing, target.id, winner: winner, isBranched: target.isBranched)
    }
    row.lastSequence += 1
    count(deleted: winner.isDeleted, by: 1)
    try prepare(.insertDocument).integer(row.lastSequence).integer(target.number).flag(
      winner.isDeleted
    )
    .flag(target.isBranched).bytes(winner.name.text).text(target.id.text).run()
    try reindex(target.id, target.number, from: nil, to: winner)
  }

  /// Assigns the next number of the feed and the new winner to a document.
  func moveToEndOfFeed(
    _ existing: DocumentRow, _ id: DocumentID, winner: LeafRow, isBranched: Bool
  ) throws(DatastoreError) {
    row.lastSequence += 1
    count(deleted: existing.isDeleted, by: -1)
    count(deleted: winner.isDeleted, by: 1)
    try prepare(.updateDocument).integer(existing.sequence).integer(row.lastSequence).flag(
      winner.isDeleted
    ).flag(isBranched).bytes(winner.name.text).run()
    try reindex(id, existing.number, from: existing.winner, to: winner)
  }

  /// Updates the counter of documents with a live or deleted winner.
  func count(deleted: Bool, by difference: Int64) {
    if deleted {
      row.deletedDocuments += difference
    } else {
      row.liveDocuments += difference
    }
  }
}
