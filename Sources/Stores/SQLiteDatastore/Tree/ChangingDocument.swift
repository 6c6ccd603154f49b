internal import Datastore

/// A document during an operation that may change it, and what merges have brought to it so far.
struct ChangingDocument {
  let id: DocumentID
  /// Its row before the operation; nil when the document is new.
  let existing: DocumentRow?
  /// What its revisions refer to; of a new document settled with its first revision.
  var number: Int64
  /// The revisions that are new in the tree, by name only or with a body.
  var inserted: [RevisionName] = []
  /// The revisions that were there and got content, or became the parent of a root.
  var added: [RevisionName] = []
  /// The leaves as they are now.
  var leaves: Leaves

  /// What is known of the leaves of a document without looking.
  enum Leaves {
    case none
    /// Has no rank.
    case only(LeafRow)
    /// All of them have ranks.
    case ranked
  }

  /// The document as it is, or a new one, which gets its number.
  init(_ id: DocumentID, _ existing: DocumentRow?, newNumber: Int64) {
    self.id = id
    self.existing = existing
    number = existing?.number ?? newNumber
    leaves = existing.map { $0.isBranched ? .ranked : .only($0.winner) } ?? .none
  }

  /// What its revisions refer to; nil while nothing of the document is known.
  var knownNumber: Int64? { existing == nil && isUnchanged ? nil : number }

  /// Whether its leaves have ranks.
  var isBranched: Bool {
    if case .ranked = leaves { true } else { false }
  }

  /// Whether nothing came that was not known.
  var isUnchanged: Bool { inserted.isEmpty && added.isEmpty }

  /// Whether the document still differs from before once stemming has removed these revisions.
  ///
  /// Stemming may take away exactly what a merge brought: ancestors below the history limit. Then
  /// nothing happened. Content, and being a parent, go with the revision that has got them.
  func isChanged(afterRemoving removed: [RevisionName]) -> Bool {
    if removed.isEmpty { return !isUnchanged }
    let removed = Set(removed)
    return Set(inserted) != removed || added.contains { !removed.contains($0) }
  }
}
