internal import Datastore
internal import JSON

/// All requests to a store after a crash.
extension CrashWorld {
  /// Checks all visible contents of the open store; returns the first error, or nil.
  ///
  /// Decisions of the model based on the results are final: from now on an operation in flight has
  /// happened, or it has not.
  func inspect() throws(HarnessError) -> CrashFinding? {
    let ledger = record.ledger
    let holdings = try StoreHoldings(ids: ledger.documents) { action throws(HarnessError) in
      try perform(action)
    }
    // The ledger's message is shorter than the model's.
    if let wrong = ledger.check(holdings) { return wrong }
    for id in Self.sorted(ledger.locals.keys) {
      guard let body = try local(id) else { continue }
      if let wrong = ledger.check(local: id, body) { return wrong }
    }
    var questions: [StoreAction] = [.info, .list(), .finding(.listIndexes)]
    questions += ledger.uploads.map { .putBlob(digest: $0, offset: 0, bytes: "") }
    questions += Self.searches
    for question in questions { try perform(question) }
    for document in holdings.documents {
      let revs = Set(document.records.flatMap { $0.path.map { $0.text.string } })
      try perform(.read(id: document.id))
      // Bodies of non-leaf revisions, as far as they are not compacted away.
      try perform(
        .getRevisions([
          RevisionQuery(id: document.id, revs: revs.sorted().map { RevisionID(JSONString($0)) })
        ]))
    }
    return finding
  }

  /// The body of a local document, nil inside for an absent one; nil outside if it cannot be read.
  private func local(_ id: DocumentID) throws(HarnessError) -> JSONValue?? {
    switch try perform(.readLocal(id: id)) {
    case .ok(.local(let body)): .some(body)
    case .error(let error) where error.kind == .notFound(.missing): .some(nil)
    default: nil
    }
  }

  /// Queries that use indexes, if the store has any.
  private static let searches: [StoreAction] = [
    .finding(.find(FindRequest(["n": ["$gte": 0]]))),
    .finding(.find(FindRequest(["kind": "note"]))),
    .finding(.find(FindRequest(["$text": ["$search": "stone"]]))),
  ]

  private static func sorted(_ ids: some Sequence<DocumentID>) -> [DocumentID] {
    ids.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }
}
