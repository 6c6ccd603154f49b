internal import Datastore
internal import JSON

/// Removing the bodies of revisions that have children; they are restored between two runs.
final class CompactionContest: Contest {
  private let workbench: Workbench
  private let begin, drop, hasLong, commit: RawStatement

  private static let generations = 11

  /// As many bodies to drop as `count`, ten of each document.
  init(_ workbench: Workbench, count: Int) throws(BenchmarkError) {
    self.workbench = workbench
    let perCall = 100
    let documents = count / (Self.generations - 1)
    let filling = stride(from: 0, to: documents, by: perCall).map { start in
      StoreAction.insertRevisions(
        (start..<min(start + perCall, documents)).flatMap { Self.records($0) })
    }
    try workbench.begin(with: filling)
    let database = try workbench.floorDatabase()
    begin = try database.prepare("BEGIN IMMEDIATE")
    drop = try database.prepare(
      "UPDATE revision SET body = NULL WHERE leaf = 0 AND body IS NOT NULL")
    hasLong = try database.prepare("SELECT 1 FROM long_body LIMIT 1")
    commit = try database.prepare("COMMIT")
  }

  /// All revisions of a document, each with its body.
  private static func records(_ number: Int) -> [RevisionRecord] {
    (1...generations).map { generation in
      RevisionRecord(
        id: Documents.id(number),
        path: (1...generation).reversed().map { Documents.rev(number, generation: $0) },
        body: Documents.body(number))
    }
  }

  func prepareStore(run: Int) throws(BenchmarkError) {
    // Also in the first run, so that all begin with the same cache and the same log.
    try workbench.change(
      """
      UPDATE revision SET body = (
        SELECT l.body FROM revision l WHERE l.document = revision.document AND l.leaf = 1)
      WHERE leaf = 0
      """)
  }

  func runStore() throws(BenchmarkError) -> Tally {
    let operation = Workbench.operation(.compact)
    let result = try workbench.perform(operation)
    guard case .done = result else { throw Workbench.unexpected(operation, .ok(result)) }
    return Tally()
  }

  func prepareFloor(run: Int) {}

  func runFloor() throws(BenchmarkError) -> Tally {
    try begin.run()
    try drop.run()
    guard try !hasLong.row() else { throw .disagreement("the baseline drops no long bodies") }
    hasLong.reset()
    try commit.run()
    return Tally()
  }
}
