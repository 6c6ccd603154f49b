internal import Datastore
internal import JSON
internal import Replication

/// One session that transfers all documents of a store to an empty one.
///
/// The baseline reads the same pages, documents and bodies from the same file, and writes the same
/// rows in as many transactions. It computes no differences and writes no checkpoint, because the
/// target is empty and there is no next session.
final class ReplicationContest: Contest {
  private let workbench: Workbench
  private let count: Int
  private let perBatch = 5000
  private let source: RawDatabase
  private let pager: FloorPager
  private let reader: FloorReader
  private var writer: FloorWriter?
  private let arena = Arena()
  private var records = UnsafeBufferPointer<FloorRecord>(start: nil, count: 0)
  private var questions = UnsafeBufferPointer<FloorReader.Question>(start: nil, count: 0)
  /// The local document of the last session.
  var checkpoint: DocumentID?

  private static let sourceName: StoreName = "source"

  /// As many documents with a path of two revisions as `count`.
  init(_ workbench: Workbench, count: Int) throws(BenchmarkError) {
    self.workbench = workbench
    self.count = count
    try workbench.begin()
    _ = try workbench.perform(StoreOperation(Self.sourceName, .open()))
    for start in stride(from: 0, to: count, by: 1000) {
      let records = (start..<min(start + 1000, count)).map { Documents.record($0) }
      _ = try workbench.perform(StoreOperation(Self.sourceName, .insertRevisions(records)))
    }
    source = try workbench.open(Self.sourceName)
    pager = try FloorPager(source)
    reader = try FloorReader(source)
  }

  deinit { source.close() }

  func prepareStore(run: Int) throws(BenchmarkError) {
    if run > 0 { try workbench.emptySubject() }
  }

  func runStore() throws(BenchmarkError) -> Tally {
    var configuration = ReplicatorConfiguration()
    configuration.pageRows = Int64(perBatch)
    configuration.diffRevisions = perBatch
    configuration.batchRevisions = perBatch
    let report = try workbench.replicate(from: Self.sourceName, configuration)
    checkpoint = report.checkpoint
    var tally = Tally()
    for _ in 0..<report.processed { tally.addRow() }
    return tally
  }

  func prepareFloor(run: Int) throws(BenchmarkError) {
    // The checkpoint of the session is not a row of the baseline.
    if let checkpoint {
      _ = try workbench.perform(Workbench.operation(.writeLocal(id: checkpoint, body: nil)))
    }
    if records.isEmpty {
      var records: [FloorRecord] = []
      for number in 0..<count {
        records.append(try FloorRecord(Documents.record(number), in: arena))
      }
      self.records = arena.array(records)
      questions = arena.array(
        records.map { FloorReader.Question(id: $0.id, name: $0.path[0]) })
    }
    if run > 0 { try workbench.emptyFloor() }
    writer = try FloorWriter(try workbench.floorDatabase())
  }

  func runFloor() throws(BenchmarkError) -> Tally {
    guard let writer else { throw .disagreement("the baseline was not prepared") }
    var tally = Tally()
    var read = Tally()
    for start in stride(from: 0, to: count, by: perBatch) {
      let end = min(start + perBatch, count)
      try pager.changes(since: Int64(start), limit: perBatch, &read)
      try reader.revisions(questions[start..<end], &read)
      try writer.insertNew(records[start..<end], &tally)
    }
    return tally
  }
}
