internal import Datastore
internal import JSON

/// Pages of live documents in the order of their ids, each from an id on.
final class ListContest: Contest {
  private let workbench: Workbench
  private let perPage: Int
  private let pager: FloorPager
  private let operations: [StoreOperation]
  private let arena = Arena()
  private let starts: UnsafeBufferPointer<UnsafeRawBufferPointer>

  /// Pages that have as many rows as `count` in all, in a store of twice as many documents.
  init(_ workbench: Workbench, count: Int, perPage: Int) throws(BenchmarkError) {
    self.workbench = workbench
    self.perPage = perPage
    try workbench.begin(with: Documents.filling(count: 2 * count))
    pager = try FloorPager(try workbench.floorDatabase())
    var operations: [StoreOperation] = []
    var starts: [UnsafeRawBufferPointer] = []
    // The ids are spread evenly over their first digit; pages begin in the lower half.
    for page in 0..<(count / perPage) {
      let first = DocumentID(JSONString(String(page * 8 * perPage / count, radix: 16)))
      operations.append(Workbench.operation(.list(from: first, limit: Int64(perPage))))
      starts.append(arena.bytes(first.text.utf8))
    }
    self.operations = operations
    self.starts = arena.array(starts)
  }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for operation in operations {
      let result = try workbench.perform(operation)
      guard case .list(let rows) = result, rows.count == perPage else {
        throw Workbench.unexpected(operation, .ok(result))
      }
      for row in rows {
        tally.addRow()
        tally.add(name: row.id.text)
        tally.add(name: row.rev.text)
      }
    }
    return tally
  }

  func prepareFloor(run: Int) {}

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for start in starts { try pager.list(from: start, limit: perPage, &tally) }
    return tally
  }
}
