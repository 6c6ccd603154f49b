internal import Datastore
internal import JSON

/// New documents one by one, each acknowledged when it is synced.
final class CreateContest: Contest {
  private let workbench: Workbench
  private let count: Int
  private let writer: FloorWriter
  private var operations: [StoreOperation] = []
  private var revs: [RevisionID] = []
  private var arena = Arena()
  private var records = UnsafeBufferPointer<FloorRecord>(start: nil, count: 0)

  init(_ workbench: Workbench, count: Int) throws(BenchmarkError) {
    self.workbench = workbench
    self.count = count
    try workbench.begin()
    writer = try FloorWriter(try workbench.floorDatabase())
  }

  func prepareStore(run: Int) {
    operations = (run * count..<(run + 1) * count).map { number in
      Workbench.operation(.create(id: Documents.id(number), body: Documents.body(number)))
    }
    revs = []
    revs.reserveCapacity(count)
  }

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for operation in operations {
      let result = try workbench.perform(operation)
      guard case .written(_, let rev) = result else {
        throw Workbench.unexpected(operation, .ok(result))
      }
      tally.addRow()
      revs.append(rev)
    }
    return tally
  }

  /// The baseline gets the revision ids of the store, because no rule defines them.
  func prepareFloor(run: Int) throws(BenchmarkError) {
    arena = Arena()
    var records: [FloorRecord] = []
    for (rev, number) in zip(revs, run * count..<(run + 1) * count) {
      let record = RevisionRecord(
        id: Documents.id(number), path: [rev], body: Documents.body(number))
      records.append(try FloorRecord(record, in: arena))
    }
    self.records = arena.array(records)
  }

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for index in records.indices { try writer.insertNew(records[index...index], &tally) }
    return tally
  }
}
