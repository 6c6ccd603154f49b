internal import Datastore

extension Store {
  /// Ends the change of a document: cuts its history and, if anything is left of the change, puts
  /// it at the end of the feed.
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
    try ask(.insertDocument).integer(row.lastSequence).integer(target.number).flag(winner.isDeleted)
      .flag(target.isBranched).bytes(winner.name.text).text(target.id.text).run()
    try reindex(target.id, target.number, from: nil, to: winner)
  }

  /// Gives a document the next number of the feed and its new winner.
  func moveToEndOfFeed(
    _ existing: DocumentRow, _ id: DocumentID, winner: LeafRow, isBranched: Bool
  ) throws(DatastoreError) {
    row.lastSequence += 1
    count(deleted: existing.isDeleted, by: -1)
    count(deleted: winner.isDeleted, by: 1)
    try ask(.updateDocument).integer(existing.sequence).integer(row.lastSequence).flag(
      winner.isDeleted
    ).flag(isBranched).bytes(winner.name.text).run()
    try reindex(id, existing.number, from: existing.winner, to: winner)
  }

  /// Counts a document whose winner is deleted or live.
  func count(deleted: Bool, by difference: Int64) {
    if deleted {
      row.deletedDocuments += difference
    } else {
      row.liveDocuments += difference
    }
  }
}
