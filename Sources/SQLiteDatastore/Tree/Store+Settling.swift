internal import Datastore

extension Store {
  /// Ends the change of a document: cuts its history and, if anything is left of the change, moves
  /// it to the end of the feed.
  func settle(_ target: ChangingDocument) throws(DatastoreError) {
    guard let document = target.document, !target.isUnchanged else { return }
    let removed = try stem(document)
    guard target.isChanged(afterRemoving: removed) else { return }
    let winner = try winner(of: target, document)
    guard target.enteredAsDeleted == winner.isDeleted else {
      return try moveToEndOfFeed(document, winner: winner, wasDeleted: target.wasDeleted)
    }
    row.lastSequence += 1
    count(deleted: winner.isDeleted, by: 1)
    try run(.setWinner, [.integer(document), .integer(winner.revision)])
  }

  private func winner(
    of target: ChangingDocument, _ document: Int64
  ) throws(DatastoreError) -> LeafRow {
    if let leaf = target.onlyLeaf { return leaf }
    guard let winner = try winner(of: document) else { throw lacksLeaf(target.id) }
    return winner
  }

  /// Gives a document the next number of the feed and its new winner; `wasDeleted` is the state of
  /// the winner before, or nil when the document is new.
  func moveToEndOfFeed(
    _ document: Int64, winner: LeafRow, wasDeleted: Bool?
  ) throws(DatastoreError) {
    row.lastSequence += 1
    if let wasDeleted { count(deleted: wasDeleted, by: -1) }
    count(deleted: winner.isDeleted, by: 1)
    try run(
      .updateDocument,
      [
        .integer(document), .integer(row.lastSequence), .integer(winner.revision),
        .flag(winner.isDeleted),
      ])
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
