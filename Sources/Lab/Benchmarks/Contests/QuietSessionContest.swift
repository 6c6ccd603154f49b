internal import Datastore
internal import JSON
internal import Replication

/// Sessions between two stores without changes, with a checkpoint.
///
/// Required are: the identity of both stores at the beginning and at the end, both checkpoints as
/// JSON, and the page of changes after them. Nothing is written.
final class QuietSessionContest: Contest {
  private let workbench: Workbench
  private let count: Int
  private let source: RawDatabase
  private let sourceSide, targetSide: Side
  private let pager: FloorPager
  private let last: Int64
  private let arena = Arena()
  private let checkpoint: UnsafeRawBufferPointer

  private static let sourceName: StoreName = "source"

  /// The statements of the baseline on one store.
  private struct Side {
    let store, local: RawStatement

    init(_ database: RawDatabase) throws(BenchmarkError) {
      store = try database.prepare(
        """
        SELECT incarnation, last_sequence, live_documents, deleted_documents FROM store
        WHERE only = 1
        """)
      local = try database.prepare("SELECT body FROM local WHERE id = ?1")
    }

    /// Reads the identity of the store.
    func identify(_ tally: inout Tally) throws(BenchmarkError) {
      guard try store.row() else { throw .disagreement("a store without a row") }
      tally.add(name: store.bytes(0))
      store.reset()
    }

    /// Reads the checkpoint of the store.
    func recall(_ id: UnsafeRawBufferPointer, _ tally: inout Tally) throws(BenchmarkError) {
      local.bind(1, text: id)
      guard try local.row() else { throw .disagreement("there is no checkpoint") }
      tally.add(marks: try BodyText.parse(local.bytes(0)))
      local.reset()
    }
  }

  /// As many sessions per run as `count`.
  init(_ workbench: Workbench, count: Int, documents: Int) throws(BenchmarkError) {
    self.workbench = workbench
    self.count = count
    let filling = Documents.filling(count: documents)
    try workbench.begin(with: filling)
    for action in [.open()] + filling {
      _ = try workbench.perform(StoreOperation(Self.sourceName, action))
    }
    let report = try workbench.replicate(from: Self.sourceName, ReplicatorConfiguration())
    guard let id = report.checkpoint, report.recorded != nil else {
      throw .disagreement("the first session left no checkpoint")
    }
    checkpoint = arena.bytes(id.text.utf8)
    try workbench.copyLocalDocuments()
    source = try workbench.open(Self.sourceName)
    sourceSide = try Side(source)
    targetSide = try Side(try workbench.floorDatabase())
    pager = try FloorPager(source)
    last = try source.integer("SELECT last_sequence FROM store")
  }

  deinit { source.close() }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for _ in 0..<count {
      let report = try workbench.replicate(from: Self.sourceName, ReplicatorConfiguration())
      guard report.processed == 0, let id = report.checkpoint else {
        throw .disagreement("a session found changes")
      }
      tally.addRow()
      tally.add(name: id.text)
    }
    return tally
  }

  func prepareFloor(run: Int) {}

  func runFloor() throws(BenchmarkError) -> Tally {
    var (tally, read) = (Tally(), Tally())
    for _ in 0..<count {
      try sourceSide.identify(&read)
      try targetSide.identify(&read)
      try sourceSide.recall(checkpoint, &read)
      try targetSide.recall(checkpoint, &read)
      try pager.changes(since: last, limit: 1000, &read)
      try sourceSide.identify(&read)
      try targetSide.identify(&read)
      tally.addRow()
      tally.add(name: checkpoint)
    }
    return tally
  }
}
