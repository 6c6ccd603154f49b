internal import Datastore
internal import JSON
internal import RevisionTree
internal import Selectors

// What every write comes down to: merging a path into a document.

extension ModelDocument {
  /// Merges a path and keeps the body of its tip with the attachments, unless there is one.
  mutating func merge(
    _ path: RevisionPath, deleted: Bool, _ body: JSONValue, attachments: [RevisionAttachment],
    lateArrival: RevisionTree.LateArrival = RevisionTree.LateArrival()
  ) {
    let result = tree.merge(path, deleted: deleted, lateArrival: lateArrival)
    if bodies[path.tip] == nil, lateArrival.fills || result.addsLeaf {
      bodies[path.tip] = body
      if !attachments.isEmpty {
        // Under the profile couchdb the order is part of the id of a child that inherits them.
        self.attachments[path.tip] = attachments
      }
    }
  }
}

extension ModelStore {
  /// Puts a changed document in its place and, if it is another than before, at the end of the
  /// feed; one without revisions is unknown again.
  ///
  /// A history limit takes effect here: once, after all that one operation did to the document.
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

  /// Refuses a revision that the validation does not want.
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
        DatastoreError(.forbidden, "the validation refuses this revision of \(id)"), .state)
    }
  }
}
