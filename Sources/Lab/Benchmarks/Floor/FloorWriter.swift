/// The minimum that a store must write, one transaction per call.
///
/// Required are: the lock of the file from the start, the row of `store` (another process may have
/// changed the sequence), the document looked up by its id, and in an existing document every
/// revision of the path down to the first known one. The rest is rows written once, in their final
/// form.
final class FloorWriter {
  private let text = BodyText()
  private let rank = UnsafeMutableRawBufferPointer.allocate(
    byteCount: FloorName.rankBytes, alignment: 8)
  private let begin, commit, store, setStore: RawStatement
  private let document, insertDocument, setDocument, moveDocument: RawStatement
  private let named, insertRevision, setInner, insertRanked, setUnranked: RawStatement
  private let insertLongBody: RawStatement

  init(_ database: RawDatabase) throws(BenchmarkError) {
    begin = try database.prepare("BEGIN IMMEDIATE")
    commit = try database.prepare("COMMIT")
    store = try database.prepare(
      "SELECT last_sequence, live_documents, history_limit, refuse FROM store WHERE only = 1")
    setStore = try database.prepare(
      "UPDATE store SET last_sequence = ?1, live_documents = ?2 WHERE only = 1")
    document = try database.prepare(FloorReader.documentSQL)
    insertDocument = try database.prepare(
      """
      INSERT INTO document (sequence, document, deleted, branched, winner, id)
      VALUES (?1, ?1, 0, 0, ?2, ?3)
      """)
    setDocument = try database.prepare(
      "UPDATE document SET sequence = ?2, winner = ?3 WHERE sequence = ?1")
    moveDocument = try database.prepare(
      "UPDATE document SET sequence = ?2 WHERE sequence = ?1")
    named = try database.prepare(
      "SELECT leaf FROM revision WHERE document = ?1 AND generation = ?2 AND rev = ?3")
    insertRevision = try database.prepare(
      """
      INSERT INTO revision (document, generation, rev, parent, leaf, deleted, body, long_body)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    setInner = try database.prepare(
      "UPDATE revision SET leaf = 0 WHERE document = ?1 AND generation = ?2 AND rev = ?3")
    insertRanked = try database.prepare(
      """
      INSERT INTO revision (document, generation, rev, parent, leaf, deleted, body, long_body, rank)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """)
    insertLongBody = try database.prepare(
      "INSERT INTO long_body (body) VALUES (?1) RETURNING number")
    setUnranked = try database.prepare(
      """
      UPDATE revision SET leaf = 0, rank = NULL
      WHERE document = ?1 AND generation = ?2 AND rev = ?3
      """)
  }

  deinit { rank.deallocate() }

  /// The counters of a store, as a transaction changes them.
  private struct Counters {
    var lastSequence: Int64
    var liveDocuments: Int64
  }

  private func beginWriting() throws(BenchmarkError) -> Counters {
    try begin.run()
    guard try store.row(), store.isNull(2), store.isNull(3) else {
      throw .disagreement("the baseline does no stemming and no validation")
    }
    let counters = Counters(
      lastSequence: store.integer(0), liveDocuments: store.integer(1))
    store.reset()
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
    document.bind(2, 0)
    guard try !document.row() else { throw .disagreement("a document that should be new") }
    document.reset()
    counters.lastSequence += 1
    counters.liveDocuments += 1
    let number = counters.lastSequence
    insertDocument.bind(1, number)
    insertDocument.bind(2, blob: record.path[0].bytes)
    insertDocument.bind(3, text: record.id)
    try insertDocument.run()
    for place in stride(from: record.path.count - 1, through: 1, by: -1) {
      bind(record, place, of: number, to: insertRevision)
      insertRevision.bind(5, 0)
      insertRevision.bindNull(6)
      insertRevision.bindNull(7)
      insertRevision.bindNull(8)
      try insertRevision.run()
    }
    try insertLeaf(record, of: number)
  }

  /// Binds a revision of the path and its parent.
  private func bind(
    _ record: FloorRecord, _ place: Int, of document: Int64, to statement: RawStatement
  ) {
    statement.bind(1, document)
    statement.bind(2, record.path[place].generation)
    statement.bind(3, blob: record.path[place].bytes)
    if place + 1 < record.path.count {
      statement.bind(4, blob: record.path[place + 1].bytes)
    } else {
      statement.bindNull(4)
    }
  }

  private func insertLeaf(_ record: FloorRecord, of document: Int64) throws(BenchmarkError) {
    bind(record, 0, of: document, to: insertRevision)
    try insertLeaf(record, by: insertRevision)
  }

  private func insertLeaf(_ record: FloorRecord, by statement: RawStatement) throws(BenchmarkError)
  {
    statement.bind(5, 1)
    statement.bind(6, 0)
    let body = try text.dump(record.body)
    // The revision ids leave this much room in a quarter of a page.
    if body.count > 800 {
      insertLongBody.bind(1, text: body)
      guard try insertLongBody.row() else { throw .disagreement("a body without a number") }
      statement.bindNull(7)
      statement.bind(8, insertLongBody.integer(0))
      insertLongBody.reset()
    } else {
      statement.bind(7, text: body)
      statement.bindNull(8)
    }
    try statement.run()
  }

  // MARK: One more generation

  /// Stores a revision whose parent is the only leaf of its document.
  func insertChild(_ record: FloorRecord, _ tally: inout Tally) throws(BenchmarkError) {
    var counters = try beginWriting()
    document.bind(1, text: record.id)
    document.bind(2, 0)
    guard try document.row(), document.integer(3) == 0 else {
      throw .disagreement("a missing document with one leaf")
    }
    let (sequence, number) = (document.integer(0), document.integer(1))
    document.reset()
    guard try find(record.path[0], of: number) == nil,
      try find(record.path[1], of: number) == true
    else { throw .disagreement("the new revision is not a child of the winner") }
    setInner.bind(1, number)
    setInner.bind(2, record.path[1].generation)
    setInner.bind(3, blob: record.path[1].bytes)
    try setInner.run()
    try insertLeaf(record, of: number)
    // The child of the only leaf is the only leaf.
    counters.lastSequence += 1
    setDocument.bind(1, sequence)
    setDocument.bind(2, counters.lastSequence)
    setDocument.bind(3, blob: record.path[0].bytes)
    try setDocument.run()
    try endWriting(counters)
    tally.addRow()
  }

  // MARK: One more leaf

  /// Stores a live revision of a document with many leaves, whose parent may be one of them.
  ///
  /// All are live. So the winner is the old one or the new one, and needs no query.
  func insertLeaf(_ record: FloorRecord, _ tally: inout Tally) throws(BenchmarkError) {
    var counters = try beginWriting()
    document.bind(1, text: record.id)
    document.bind(2, 0)
    guard try document.row(), document.integer(3) == 1 else {
      throw .disagreement("a missing document with many leaves")
    }
    let (sequence, number) = (document.integer(0), document.integer(1))
    let (name, parent) = (record.path[0], record.path[1])
    let wins = name.isGreater(than: document.bytes(4))
    document.reset()
    guard try find(name, of: number) == nil, let wasLeaf = try find(parent, of: number) else {
      throw .disagreement("the new revision is known, or its parent is not")
    }
    if wasLeaf {
      setUnranked.bind(1, number)
      setUnranked.bind(2, parent.generation)
      setUnranked.bind(3, blob: parent.bytes)
      try setUnranked.run()
    }
    bind(record, 0, of: number, to: insertRanked)
    name.writeRank(to: rank)
    insertRanked.bind(9, blob: UnsafeRawBufferPointer(rank))
    try insertLeaf(record, by: insertRanked)
    counters.lastSequence += 1
    let move = wins ? setDocument : moveDocument
    move.bind(1, sequence)
    move.bind(2, counters.lastSequence)
    if wins { move.bind(3, blob: name.bytes) }
    try move.run()
    try endWriting(counters)
    tally.addRow()
  }

  /// True if a revision is a leaf; nil if it does not exist.
  private func find(_ name: FloorName, of document: Int64) throws(BenchmarkError) -> Bool? {
    named.bind(1, document)
    named.bind(2, name.generation)
    named.bind(3, blob: name.bytes)
    defer { named.reset() }
    return try named.row() ? named.integer(0) != 0 : nil
  }
}
