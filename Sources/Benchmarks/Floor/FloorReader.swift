/// The least that a store has to read for single documents.
///
/// Forced are: the document by its id, its revision with the body, Jansson's parse of the body, and
/// for a revision with history each ancestor once. One statement sees one state of the file by
/// itself; several are held together by a transaction.
final class FloorReader {
  private let begin, commit, historyLimit: RawStatement
  private let winner, named, ancestor: RawStatement

  init(_ database: RawDatabase) throws(BenchmarkError) {
    begin = try database.prepare("BEGIN")
    commit = try database.prepare("COMMIT")
    historyLimit = try database.prepare("SELECT history_limit FROM store WHERE only = 1")
    winner = try database.prepare(
      """
      SELECT d.deleted, w.rev, w.escaped, w.body
      FROM document d JOIN revision w ON w.revision = d.winner WHERE d.id = ?1
      """)
    named = try database.prepare(
      """
      SELECT r.deleted, r.parent, r.escaped, r.body
      FROM document d JOIN revision r
        ON r.document = d.document AND r.generation = ?2 AND r.rev = ?3
      WHERE d.id = ?1
      """)
    ancestor = try database.prepare("SELECT rev, parent FROM revision WHERE revision = ?1")
  }

  /// Reads the live winner of a document.
  func read(_ id: UnsafeRawBufferPointer, _ tally: inout Tally) throws(BenchmarkError) {
    winner.bind(1, text: id)
    guard try winner.row(), winner.integer(0) == 0, winner.integer(2) == 0 else {
      throw .disagreement("the floor reads live documents without escapes")
    }
    tally.addRow()
    tally.add(name: id)
    tally.add(name: winner.bytes(1))
    tally.add(marks: try BodyText.parse(winner.bytes(3)))
    winner.reset()
  }

  /// A revision that is asked for.
  struct Question: BitwiseCopyable {
    let id: UnsafeRawBufferPointer
    let name: FloorName
  }

  /// Reads revisions with their histories.
  func revisions(
    _ questions: Slice<UnsafeBufferPointer<Question>>, _ tally: inout Tally
  ) throws(BenchmarkError) {
    try begin.run()
    guard try historyLimit.row(), historyLimit.isNull(0) else {
      throw .disagreement("the floor does not cut histories")
    }
    historyLimit.reset()
    for question in questions { try revision(question, &tally) }
    try commit.run()
  }

  private func revision(
    _ question: Question, _ tally: inout Tally
  ) throws(BenchmarkError) {
    named.bind(1, text: question.id)
    named.bind(2, question.name.generation)
    named.bind(3, blob: question.name.bytes)
    guard try named.row(), named.integer(2) == 0 else {
      throw .disagreement("the floor reads revisions that are there")
    }
    tally.addRow()
    tally.add(name: question.id)
    tally.add(name: question.name.bytes)
    tally.add(marks: try BodyText.parse(named.bytes(3)))
    var parent = named.isNull(1) ? nil : named.integer(1)
    named.reset()
    while let number = parent {
      ancestor.bind(1, number)
      guard try ancestor.row() else { throw .disagreement("revision \(number) is gone") }
      tally.add(name: ancestor.bytes(0))
      parent = ancestor.isNull(1) ? nil : ancestor.integer(1)
      ancestor.reset()
    }
  }
}
