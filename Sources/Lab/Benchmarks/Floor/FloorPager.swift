/// The minimum that a store must read for pages of documents and for revsDiff.
///
/// Required are: the documents of the page in their order, the leaves of those with more than one,
/// which the index `leaf` contains without the table, and one look-up for each document and each
/// revision that may be missing.
final class FloorPager {
  private let begin, commit, lastSequence: RawStatement
  private let changed, live, document, known, leaves: RawStatement

  init(_ database: RawDatabase) throws(BenchmarkError) {
    begin = try database.prepare("BEGIN")
    commit = try database.prepare("COMMIT")
    lastSequence = try database.prepare("SELECT last_sequence FROM store WHERE only = 1")
    changed = try database.prepare(
      """
      SELECT id, deleted, winner, branched, document FROM document
      WHERE sequence > ?1 ORDER BY sequence
      """)
    live = try database.prepare(
      """
      SELECT id, winner FROM document WHERE deleted = 0 AND id >= ?1 ORDER BY id LIMIT ?2
      """)
    document = try database.prepare(FloorReader.documentSQL)
    known = try database.prepare(
      "SELECT 1 FROM revision WHERE document = ?1 AND generation = ?2 AND rev = ?3")
    // The leaves come in the order of their index, the winner first.
    leaves = try database.prepare(
      """
      SELECT rev, rank FROM revision INDEXED BY leaf
      WHERE document = ?1 AND rank IS NOT NULL ORDER BY rank DESC, rev DESC
      """)
  }

  /// Reads a page of the feed after a position.
  func changes(
    since: Int64, limit: Int, _ tally: inout Tally
  ) throws(BenchmarkError) {
    try begin.run()
    guard try lastSequence.row(), lastSequence.integer(0) >= since else {
      throw .disagreement("unknown position \(since)")
    }
    lastSequence.reset()
    changed.bind(1, since)
    var rowCount = 0
    while try changed.row() {
      // The row that shows that there is more.
      if rowCount == limit {
        tally.add(flag: true)
        break
      }
      rowCount += 1
      tally.addRow()
      tally.add(name: changed.bytes(0))
      let isDeleted = changed.integer(1) != 0
      tally.add(flag: isDeleted)
      guard changed.integer(3) != 0 else {
        tally.add(name: changed.bytes(2))
        tally.add(flag: isDeleted)
        continue
      }
      leaves.bind(1, changed.integer(4))
      while try leaves.row() {
        tally.add(name: leaves.bytes(0))
        tally.add(flag: Self.isDeleted(rank: leaves.bytes(1)))
      }
      leaves.reset()
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

  /// Reads the leaves of a live document, the winner first.
  func leaves(of id: UnsafeRawBufferPointer, _ tally: inout Tally) throws(BenchmarkError) {
    document.bind(1, text: id)
    document.bind(2, 0)
    guard try document.row(), document.integer(3) != 0 else {
      throw .disagreement("a missing document with many leaves")
    }
    leaves.bind(1, document.integer(1))
    while try leaves.row() {
      tally.addRow()
      tally.add(name: leaves.bytes(0))
      tally.add(flag: Self.isDeleted(rank: leaves.bytes(1)))
    }
    leaves.reset()
    document.reset()
  }

  /// Finds which of the revisions are missing, and leaves that may be their ancestors.
  func difference(
    _ questions: Slice<UnsafeBufferPointer<FloorReader.Question>>, _ tally: inout Tally
  ) throws(BenchmarkError) {
    try begin.run()
    for question in questions {
      document.bind(1, text: question.id)
      document.bind(2, 0)
      var isDocument = try document.row()
      if !isDocument {
        document.reset()
        document.bind(2, 1)
        isDocument = try document.row()
      }
      if isDocument, try isKnown(question.name) {
        document.reset()
        continue
      }
      tally.addRow()
      tally.add(name: question.id)
      tally.add(name: question.name.bytes)
      if isDocument { try ancestors(of: question.name, &tally) }
      document.reset()
    }
    try commit.run()
  }

  /// True if the current document has the revision.
  private func isKnown(_ name: FloorName) throws(BenchmarkError) -> Bool {
    known.bind(1, document.integer(1))
    known.bind(2, name.generation)
    known.bind(3, blob: name.bytes)
    defer { known.reset() }
    return try known.row()
  }

  private func ancestors(
    of name: FloorName, _ tally: inout Tally
  ) throws(BenchmarkError) {
    guard document.integer(3) != 0 else {
      let winner = document.bytes(4)
      if FloorName.generation(winner) < name.generation { tally.add(name: winner) }
      return
    }
    leaves.bind(1, document.integer(1))
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
