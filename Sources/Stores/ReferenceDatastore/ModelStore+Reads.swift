internal import Datastore
internal import JSON
internal import RevisionTree

// Reads; nothing here changes the store.

extension ModelStore {
  func info() -> OperationResult {
    let deleted = documents.values.count { $0.tree.isWinnerDeleted }
    return .info(
      StoreInfo(
        documents: Int64(documents.count - deleted), deletedDocuments: Int64(deleted),
        last: sequence(lastChange), incarnation: incarnation))
  }

  /// The live winner, or a given revision, including deleted and losing ones.
  func read(_ id: DocumentID, _ rev: RevisionID?) throws(Faults) -> OperationResult {
    .document(try document(id, rev))
  }

  func document(_ id: DocumentID, _ rev: RevisionID?) throws(Faults) -> DocumentRevision {
    var faults = Faults()
    faults.collect { () throws(Faults) in try Syntax.check(id) }
    let isNamed = faults.isEmpty
    let asked = rev.flatMap { rev in
      faults.collect { () throws(Faults) in try Syntax.revision(rev, collation) }
    }
    guard isNamed else { throw faults }
    guard let document = documents[id] else {
      faults.add(DatastoreError(.notFound(.missing), "\(id) is unknown"), .state)
      throw faults
    }
    try faults.refuse()
    if rev == nil, document.tree.isWinnerDeleted {
      throw Faults(
        DatastoreError(.notFound(.deleted), "all leaves of \(id) are deleted"), .state)
    }
    guard let revision = asked ?? document.tree.winner, document.tree.contains(revision) else {
      throw Faults(
        DatastoreError(.notFound(.missing), "\(rev.map { "\($0)" } ?? "it") is unknown"), .state)
    }
    guard let body = document.bodies[revision] else {
      throw Faults(
        DatastoreError(.notFound(.bodyMissing), "the body of \(revision) is not stored"), .state)
    }
    return DocumentRevision(
      id: id, rev: revision.id, deleted: document.tree.isDeleted(revision) ?? false, body: body,
      attachments: document.attachments[revision] ?? [])
  }

  /// The live documents with their winners, in byte order of their ids.
  func list(
    from: DocumentID?, limit: Int64?, descending: Bool
  ) throws(Faults) -> OperationResult {
    try Syntax.check(rowLimit: limit)
    let precedes = { (left: DocumentID, right: DocumentID) in
      left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
    var ids = documents.filter { !$0.value.tree.isWinnerDeleted }.keys.sorted(by: precedes)
    if descending { ids.reverse() }
    if let from {
      ids.removeAll { descending ? precedes(from, $0) : precedes($0, from) }
    }
    let rows = ids.prefix(Int(clamping: limit ?? .max)).compactMap { id in
      documents[id]?.tree.winner.map { ListRow(id: id, rev: $0.id) }
    }
    return .list(rows)
  }

  func leaves(of id: DocumentID) throws(Faults) -> OperationResult {
    try Syntax.check(id)
    guard let document = documents[id] else {
      throw Faults(DatastoreError(.notFound(.missing), "\(id) is unknown"), .state)
    }
    return .leaves(document.leaves)
  }

  /// Documents that changed after a position, each once, at its latest change.
  func changes(
    since: UpdateSequence?, limit: Int64?
  ) throws(Faults) -> OperationResult {
    var faults = Faults()
    faults.collect { () throws(Faults) in try Syntax.check(rowLimit: limit) }
    let counted = faults.collect { () throws(Faults) -> Int64 in
      if let since { try position(since) } else { 0 }
    }
    guard let start = counted, faults.isEmpty else { throw faults }
    let changed = documents.lazy.filter { $0.value.changedAt > start }
      .sorted { $0.value.changedAt < $1.value.changedAt }
    let page = changed.prefix(Int(clamping: limit ?? .max))
    let rows = page.map { id, document in
      ChangesRow(
        seq: sequence(document.changedAt), id: id, deleted: document.tree.isWinnerDeleted,
        leaves: Leaves(document.leaves))
    }
    let more = page.count < changed.count
    return .changes(
      ChangesPage(
        rows: rows, last: more ? rows.last?.seq ?? sequence(start) : sequence(lastChange),
        more: more))
  }

  /// A position as returned to clients: the number of changes so far and the incarnation.
  private func sequence(_ position: Int64) -> UpdateSequence {
    .text(JSONString(String(position) + sequenceEnding))
  }

  /// The position that a sequence encodes; throws `badSequence` if it does not belong to this
  /// incarnation.
  private func position(_ sequence: UpdateSequence) throws(Faults) -> Int64 {
    if case .text(let text) = sequence,
      let position = Int64(text.string.prefix { $0 != "-" }), position <= lastChange,
      self.sequence(position) == sequence
    {
      return position
    }
    throw Faults(
      DatastoreError(.badSequence, "\(sequence) is not a sequence of this store"), .state)
  }
}

// Local documents: unreplicated data of this replica, without revisions.

extension ModelStore {
  func readLocal(_ id: DocumentID) throws(Faults) -> OperationResult {
    try Syntax.check(localID: id)
    guard let body = locals[id] else {
      throw Faults(
        DatastoreError(.notFound(.missing), "local document \(id) is unknown"), .state)
    }
    return .local(body: body)
  }

  mutating func writeLocal(
    _ id: DocumentID, _ body: JSONValue?
  ) throws(Faults) -> OperationResult {
    var faults = Faults()
    faults.collect { () throws(Faults) in try Syntax.check(localID: id) }
    if let body { faults.collect { () throws(Faults) in try Syntax.check(body: body) } }
    try faults.refuse()
    locals[id] = body
    return .done
  }
}
