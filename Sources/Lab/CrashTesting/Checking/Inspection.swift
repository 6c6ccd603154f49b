internal import Datastore
internal import JSON

/// Everything that a store is asked after a crash.
extension CrashWorld {
  /// Looks at all that the open store shows; the first thing that is wrong, or nil.
  ///
  /// What the model decides from the answers stays decided: an operation that was on its way has
  /// happened from now on, or it has not.
  func inspect() throws(HarnessError) -> CrashFinding? {
    let ledger = record.ledger
    let holdings = try StoreHoldings(ids: ledger.documents) { action throws(HarnessError) in
      try perform(action)
    }
    // The ledger says it in fewer words than the model.
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
      // Bodies of revisions that are no leaves, as far as they are not compacted away.
      try perform(
        .getRevisions([
          RevisionQuery(id: document.id, revs: revs.sorted().map { RevisionID(JSONString($0)) })
        ]))
    }
    return finding
  }

  /// The body of a local document, nil inside for none; nil outside when it cannot be read.
  private func local(_ id: DocumentID) throws(HarnessError) -> JSONValue?? {
    switch try perform(.readLocal(id: id)) {
    case .ok(.local(let body)): .some(body)
    case .error(let error) where error.kind == .notFound(.missing): .some(nil)
    default: nil
    }
  }

  /// Questions that indexes answer, where there are some.
  private static let searches: [StoreAction] = [
    .finding(.find(FindRequest(["n": ["$gte": 0]]))),
    .finding(.find(FindRequest(["kind": "note"]))),
    .finding(.find(FindRequest(["$text": ["$search": "stone"]]))),
  ]

  private static func sorted(_ ids: some Sequence<DocumentID>) -> [DocumentID] {
    ids.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }
}
