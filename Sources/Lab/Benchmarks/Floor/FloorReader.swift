/// The minimum that a store must read for single documents.
///
/// Required are: the document by its id, its revision with the body and the id of its parent, and
/// Jansson's parse of the body. One statement reads one state of the file; several need a
/// transaction.
final class FloorReader {
  private let begin, commit, historyLimit: RawStatement
  private let document, named: RawStatement

  /// A live or a deleted document by its id.
  static let documentSQL = """
    SELECT sequence, document, deleted, branched, winner FROM document
    WHERE deleted = ?2 AND id = ?1
    """

  init(_ database: RawDatabase) throws(BenchmarkError) {
    begin = try database.prepare("BEGIN")
    commit = try database.prepare("COMMIT")
    historyLimit = try database.prepare("SELECT history_limit FROM store WHERE only = 1")
    document = try database.prepare(Self.documentSQL)
    named = try database.prepare(
      """
      SELECT deleted, parent, body FROM revision
      WHERE document = ?1 AND generation = ?2 AND rev = ?3
      """)
  }

  /// Reads the live winner of a document.
  func read(_ id: UnsafeRawBufferPointer, _ tally: inout Tally) throws(BenchmarkError) {
    document.bind(1, text: id)
    document.bind(2, 0)
    guard try document.row(), document.integer(2) == 0 else {
      throw .disagreement("the baseline reads live documents")
    }
    let winner = document.bytes(4)
    try find(winner, generation: FloorName.generation(winner))
    tally.addRow()
    tally.add(name: id)
    tally.add(name: winner)
    tally.add(marks: try BodyText.parse(named.bytes(2)))
    named.reset()
    document.reset()
  }

  /// Finds a revision of the current document.
  private func find(
    _ name: UnsafeRawBufferPointer, generation: Int64
  ) throws(BenchmarkError) {
    named.bind(1, document.integer(1))
    named.bind(2, generation)
    named.bind(3, blob: name)
    guard try named.row() else { throw .disagreement("the baseline reads existing revisions") }
  }

  /// A requested revision.
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
      throw .disagreement("the baseline does not cut histories")
    }
    historyLimit.reset()
    for question in questions { try revision(question, &tally) }
    try commit.run()
  }

  private func revision(
    _ question: Question, _ tally: inout Tally
  ) throws(BenchmarkError) {
    document.bind(1, text: question.id)
    document.bind(2, 0)
    guard try document.row() else { throw .disagreement("a missing document") }
    try find(question.name.bytes, generation: question.name.generation)
    tally.addRow()
    tally.add(name: question.id)
    tally.add(name: question.name.bytes)
    tally.add(marks: try BodyText.parse(named.bytes(2)))
    // The first generation has no parent.
    guard question.name.generation == 2, !named.isNull(1) else {
      throw .disagreement("the baseline reads revisions of the second generation with a parent")
    }
    tally.add(name: named.bytes(1))
    named.reset()
    document.reset()
  }
}
