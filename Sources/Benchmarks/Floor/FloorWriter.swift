/// The least that a store has to write, one transaction per call.
///
/// Forced are: the file held from the start, the row of `store` (another process may have moved the
/// sequence), the document looked up by its id, and in an existing document every name of the path
/// down to the first known one. All else is rows written once, in their final form.
final class FloorWriter {
  private let database: RawDatabase
  private let text = BodyText()
  private let begin, commit, store, setStore: RawStatement
  private let lastRevision, document, insertDocument, setDocument: RawStatement
  private let named, insertRevision, clearRank: RawStatement

  init(_ database: RawDatabase) throws(BenchmarkError) {
    self.database = database
    begin = try database.prepare("BEGIN IMMEDIATE")
    commit = try database.prepare("COMMIT")
    store = try database.prepare(
      "SELECT last_sequence, live_documents, history_limit, refuse FROM store WHERE only = 1")
    setStore = try database.prepare(
      "UPDATE store SET last_sequence = ?1, live_documents = ?2 WHERE only = 1")
    lastRevision = try database.prepare("SELECT max(revision) FROM revision")
    document = try database.prepare(
      "SELECT document, winner, deleted FROM document WHERE id = ?1")
    insertDocument = try database.prepare(
      "INSERT INTO document (id, sequence, winner, deleted) VALUES (?1, ?2, ?3, 0)")
    setDocument = try database.prepare(
      "UPDATE document SET sequence = ?2, winner = ?3 WHERE document = ?1")
    named = try database.prepare(
      """
      SELECT revision, rank IS NOT NULL FROM revision
      WHERE document = ?1 AND generation = ?2 AND rev = ?3
      """)
    insertRevision = try database.prepare(
      """
      INSERT INTO revision (revision, document, generation, rev, parent, rank, deleted, body)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    clearRank = try database.prepare("UPDATE revision SET rank = NULL WHERE revision = ?1")
  }

  /// The counters of a store and of the table of revisions, as a transaction moves them.
  private struct Counters {
    var lastSequence: Int64
    var liveDocuments: Int64
    var lastRevision: Int64
  }

  private func beginWriting() throws(BenchmarkError) -> Counters {
    try begin.run()
    guard try store.row(), store.isNull(2), store.isNull(3), try lastRevision.row() else {
      throw .disagreement("the floor does no stemming and no validation")
    }
    let counters = Counters(
      lastSequence: store.integer(0), liveDocuments: store.integer(1),
      lastRevision: lastRevision.integer(0))
    store.reset()
    lastRevision.reset()
    return counters
  }

  private func endWriting(_ counters: Counters) throws(BenchmarkError) {
    setStore.bind(1, counters.lastSequence)
    setStore.bind(2, counters.liveDocuments)
    try setStore.run()
    try commit.run()
  }

  // MARK: New documents

  /// Stores revisions of documents that are all new.
  func insertNew(
    _ records: Slice<UnsafeBufferPointer<FloorRecord>>, _ tally: inout Tally
  ) throws(BenchmarkError) {
    var counters = try beginWriting()
    for record in records {
      try insertNew(record, &counters)
      tally.addRow()
    }
    try endWriting(counters)
  }

  private func insertNew(
    _ record: FloorRecord, _ counters: inout Counters
  ) throws(BenchmarkError) {
    document.bind(1, text: record.id)
    guard try !document.row() else { throw .disagreement("a document that should be new") }
    document.reset()
    counters.lastSequence += 1
    counters.liveDocuments += 1
    insertDocument.bind(1, text: record.id)
    insertDocument.bind(2, counters.lastSequence)
    insertDocument.bind(3, counters.lastRevision + Int64(record.path.count))
    try insertDocument.run()
    let number = database.lastInsertedRow
    var parent: Int64?
    for place in stride(from: record.path.count - 1, through: 1, by: -1) {
      counters.lastRevision += 1
      bind(record.path[place], of: number, as: counters.lastRevision, parent: parent)
      insertRevision.bindNull(6)
      insertRevision.bindNull(7)
      insertRevision.bindNull(8)
      try insertRevision.run()
      parent = counters.lastRevision
    }
    try insertLeaf(record, of: number, parent: parent, &counters)
  }

  private func bind(_ name: FloorName, of document: Int64, as number: Int64, parent: Int64?) {
    insertRevision.bind(1, number)
    insertRevision.bind(2, document)
    insertRevision.bind(3, name.generation)
    insertRevision.bind(4, blob: name.bytes)
    if let parent { insertRevision.bind(5, parent) } else { insertRevision.bindNull(5) }
  }

  private func insertLeaf(
    _ record: FloorRecord, of document: Int64, parent: Int64?, _ counters: inout Counters
  ) throws(BenchmarkError) {
    counters.lastRevision += 1
    bind(record.path[0], of: document, as: counters.lastRevision, parent: parent)
    insertRevision.bind(6, blob: record.rank)
    insertRevision.bind(7, 0)
    insertRevision.bind(8, text: try text.dump(record.body))
    try insertRevision.run()
  }

  // MARK: One more generation

  /// Stores a revision whose parent is the only leaf of its document.
  func insertChild(_ record: FloorRecord, _ tally: inout Tally) throws(BenchmarkError) {
    var counters = try beginWriting()
    document.bind(1, text: record.id)
    guard try document.row() else { throw .disagreement("a document that should be there") }
    let (number, winner) = (document.integer(0), document.integer(1))
    document.reset()
    guard try find(record.path[0], of: number) == nil,
      let parent = try find(record.path[1], of: number), parent == winner
    else { throw .disagreement("the new revision is no child of the winner") }
    clearRank.bind(1, parent)
    try clearRank.run()
    try insertLeaf(record, of: number, parent: parent, &counters)
    // The child of the greatest leaf is the greatest: no other need be looked at.
    counters.lastSequence += 1
    setDocument.bind(1, number)
    setDocument.bind(2, counters.lastSequence)
    setDocument.bind(3, counters.lastRevision)
    try setDocument.run()
    try endWriting(counters)
    tally.addRow()
  }

  private func find(_ name: FloorName, of document: Int64) throws(BenchmarkError) -> Int64? {
    named.bind(1, document)
    named.bind(2, name.generation)
    named.bind(3, blob: name.bytes)
    defer { named.reset() }
    return try named.row() ? named.integer(0) : nil
  }
}
