/// The least that a store has to read for pages of documents and for the question what it lacks.
///
/// Forced are: the documents of the page along their index, the leaves of each, which the index
/// `leaf` holds without the table, and one look-up for each revision that may be missing.
final class FloorPager {
  private let begin, commit, lastSequence: RawStatement
  private let changed, live, known, leaves: RawStatement

  init(_ database: RawDatabase) throws(BenchmarkError) {
    begin = try database.prepare("BEGIN")
    commit = try database.prepare("COMMIT")
    lastSequence = try database.prepare("SELECT last_sequence FROM store WHERE only = 1")
    // The leaves come in the order of their index, the winner first.
    changed = try database.prepare(
      """
      SELECT d.sequence, d.id, d.deleted, r.rev, r.rank
      FROM document d CROSS JOIN revision r INDEXED BY leaf
        ON r.document = d.document AND r.rank IS NOT NULL
      WHERE d.sequence > ?1 ORDER BY d.sequence
      """)
    live = try database.prepare(
      """
      SELECT d.id, w.rev FROM document d JOIN revision w ON w.revision = d.winner
      WHERE d.deleted = 0 AND d.id >= ?1 ORDER BY d.id LIMIT ?2
      """)
    known = try database.prepare(
      """
      SELECT d.document, r.revision
      FROM document d LEFT JOIN revision r
        ON r.document = d.document AND r.generation = ?2 AND r.rev = ?3
      WHERE d.id = ?1
      """)
    leaves = try database.prepare(
      """
      SELECT rev, rank FROM revision INDEXED BY leaf
      WHERE document = ?1 AND rank IS NOT NULL
      """)
  }

  /// Reads a page of the feed behind a position.
  func changes(
    since: Int64, limit: Int, _ tally: inout Tally
  ) throws(BenchmarkError) {
    try begin.run()
    guard try lastSequence.row(), lastSequence.integer(0) >= since else {
      throw .disagreement("there is no position \(since)")
    }
    lastSequence.reset()
    changed.bind(1, since)
    var rowCount = 0
    var sequence = since
    while try changed.row() {
      if changed.integer(0) != sequence {
        // The row that says that there is more.
        if rowCount == limit {
          tally.add(flag: true)
          break
        }
        rowCount += 1
        sequence = changed.integer(0)
        tally.addRow()
        tally.add(name: changed.bytes(1))
        tally.add(flag: changed.integer(2) != 0)
      }
      tally.add(name: changed.bytes(3))
      tally.add(flag: Self.isDeleted(rank: changed.bytes(4)))
    }
    changed.reset()
    try commit.run()
  }

  /// Reads a page of the live documents from an id on.
  func list(
    from: UnsafeRawBufferPointer, limit: Int, _ tally: inout Tally
  ) throws(BenchmarkError) {
    live.bind(1, text: from)
    live.bind(2, Int64(limit))
    while try live.row() {
      tally.addRow()
      tally.add(name: live.bytes(0))
      tally.add(name: live.bytes(1))
    }
    live.reset()
  }

  /// Finds which of the revisions are missing, and leaves that may be their ancestors.
  func difference(
    _ questions: Slice<UnsafeBufferPointer<FloorReader.Question>>, _ tally: inout Tally
  ) throws(BenchmarkError) {
    try begin.run()
    for question in questions {
      known.bind(1, text: question.id)
      known.bind(2, question.name.generation)
      known.bind(3, blob: question.name.bytes)
      let isDocument = try known.row()
      let document = isDocument ? known.integer(0) : 0
      let isMissing = !isDocument || known.isNull(1)
      known.reset()
      guard isMissing else { continue }
      tally.addRow()
      tally.add(name: question.id)
      tally.add(name: question.name.bytes)
      if isDocument { try ancestors(of: question.name, in: document, &tally) }
    }
    try commit.run()
  }

  private func ancestors(
    of name: FloorName, in document: Int64, _ tally: inout Tally
  ) throws(BenchmarkError) {
    leaves.bind(1, document)
    while try leaves.row() {
      if Self.generation(rank: leaves.bytes(1)) < name.generation {
        tally.add(name: leaves.bytes(0))
      }
    }
    leaves.reset()
  }

  /// A rank begins with 1 for live or 0 for deleted, and eight bytes of generation.
  private static func isDeleted(rank: UnsafeRawBufferPointer) -> Bool { rank.first == 0 }

  private static func generation(rank: UnsafeRawBufferPointer) -> Int64 {
    guard rank.count >= 9 else { return 0 }
    return Int64(bigEndian: rank.loadUnaligned(fromByteOffset: 1, as: Int64.self))
  }
}
