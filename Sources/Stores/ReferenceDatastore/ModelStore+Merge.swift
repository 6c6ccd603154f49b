internal import Datastore
internal import JSON
internal import RevisionTree
internal import Selectors

// The common part of every write: merging a path into a document.

extension ModelDocument {
  /// Merges a path and stores the body of its tip with the attachments, unless the tip already has
  /// a body.
  mutating func merge(
    _ path: RevisionPath, deleted: Bool, _ body: JSONValue, attachments: [RevisionAttachment],
    lateArrival: RevisionTree.LateArrival = RevisionTree.LateArrival()
  ) {
    let result = tree.merge(path, deleted: deleted, lateArrival: lateArrival)
    if bodies[path.tip] == nil, lateArrival.fills || result.addsLeaf {
      bodies[path.tip] = body
      if !attachments.isEmpty {
        // In profile couchdb, their order is part of the id of a child that inherits them.
        self.attachments[path.tip] = attachments
      }
    }
  }
}

extension ModelStore {
  /// Stores a changed document and, if it differs from before, moves it to the end of the feed; a
  /// document without revisions becomes unknown.
  ///
  /// A history limit is applied here, once for all changes of one operation to the document.
  mutating func settle(_ id: DocumentID, _ document: ModelDocument, before: ModelDocument?) {
    var document = document
    guard document != before else { return }
    if let historyLimit {
      for revision in document.tree.stem(limit: historyLimit) { document.forget(revision) }
      guard document != before else { return }
    }
    lastChange += 1
    document.changedAt = lastChange
    document.assertInvariants(after: before)
    documents[id] = document.tree.isEmpty ? nil : document
  }

  /// Throws `forbidden` if the validation rejects a revision.
  func checkValidation(
    _ id: DocumentID, deleted: Bool, _ body: JSONValue
  ) throws(Faults) {
    let isRefused: Bool
    switch refused {
    case nil: isRefused = false
    case .documentIDs(let ids): isRefused = ids.contains(id)
    case .bodyFieldEquals(let field, let value):
      isRefused = body.objectValue?[field]?.isSameValue(as: value) ?? false
    case .live: isRefused = !deleted
    case .selector(let selector):
      let subject = Subject(body, id: id.text, rev: nil)
      try Faults.ofState { () throws(DatastoreError) in try subject.checkWork(of: selector) }
      isRefused = subject.matches(selector)
    }
    if isRefused {
      throw Faults(
        DatastoreError(.forbidden, "the validation rejects this revision of \(id)"), .state)
    }
  }
}

extension Filter {
  /// Whether the result may depend on the id of a new document. Explicit ids are never those that a
  /// store chooses.
  var readsID: Bool {
    guard case .selector = self else { return false }
    return json.serialized().utf8.firstRange(of: "\"_id\"".utf8) != nil
  }
}
