internal import Datastore

/// A document during an operation that may change it, and what merges have brought to it so far.
struct ChangingDocument {
  let id: DocumentID
  /// The number of its row; nil until something of the document is known.
  var document: Int64?
  /// The state of its winner before the operation; nil when the document is new.
  let wasDeleted: Bool?
  /// The numbers of revisions that are new in the tree, by name only or with a body.
  var inserted: [Int64] = []
  /// The numbers of revisions that were there and got content, or became the parent of a root.
  var added: [Int64] = []

  /// The state of the winner as which a new document got its place in the feed; nil when it was
  /// there before.
  var enteredAsDeleted: Bool?
  /// The only leaf of a document that is new by one record; nil for all others.
  var onlyLeaf: LeafRow?

  init(_ id: DocumentID, _ existing: DocumentRow?) {
    self.id = id
    document = existing?.document
    wasDeleted = existing?.isDeleted
  }

  /// Whether nothing came that was not known.
  var isUnchanged: Bool { inserted.isEmpty && added.isEmpty }

  /// Whether the document still differs from before once stemming has removed these revisions.
  ///
  /// Stemming may take away exactly what a merge brought: ancestors below the history limit. Then
  /// nothing happened. Content, and being a parent, go with the revision that has got them.
  func isChanged(afterRemoving removed: [Int64]) -> Bool {
    let removed = Set(removed)
    return Set(inserted) != removed || added.contains { !removed.contains($0) }
  }
}
