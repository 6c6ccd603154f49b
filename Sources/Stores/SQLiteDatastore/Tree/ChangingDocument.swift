internal import Datastore

/// A document during an operation that may change it, with the effects of the merges so far.
struct ChangingDocument {
  let id: DocumentID
  /// Its row before the operation; nil if the document is new.
  let existing: DocumentRow?
  /// The number by which revisions refer to it; fixed with the first revision of a new document.
  var number: Int64
  /// The revisions that are new in the tree, stubs or with a body.
  var inserted: [RevisionName] = []
  /// The existing revisions that got content, or became the parent of a root.
  var added: [RevisionName] = []
  /// The current leaves.
  var leaves: Leaves

  /// The known state of the leaves of a document without a look-up.
  enum Leaves {
    case none
    /// The only leaf, without a rank.
    case only(LeafRow)
    /// Several leaves, all with ranks.
    case ranked
  }

  /// An existing document, or a new one with a new number.
  init(_ id: DocumentID, _ existing: DocumentRow?, newNumber: Int64) {
    self.id = id
    self.existing = existing
    number = existing?.number ?? newNumber
    leaves = existing.map { $0.isBranched ? .ranked : .only($0.winner) } ?? .none
  }

  /// The number by which revisions refer to it; nil while the document has no known revision.
  var knownNumber: Int64? { existing == nil && isUnchanged ? nil : number }

  /// Whether its leaves have ranks.
  var isBranched: Bool {
    if case .ranked = leaves { true } else { false }
  }

  /// Whether no merge added anything.
  var isUnchanged: Bool { inserted.isEmpty && added.isEmpty }

  /// Whether the document still differs from before after stemming has removed these revisions.
  ///
  /// Stemming may remove exactly what a merge added: ancestors below the history limit. Then the
  /// document is unchanged. Added content, and the role of a parent, are removed with their
  /// revision.
  func isChanged(afterRemoving removed: [RevisionName]) -> Bool {
    if removed.isEmpty { return !isUnchanged }
    let removed = Set(removed)
    return Set(inserted) != removed || added.contains { !removed.contains($0) }
  }
}
