internal import Datastore
internal import JSON

/// Pages of the feed, from its beginning.
final class ChangesContest: Contest {
  private let workbench: Workbench
  private let perPage: Int
  private let pager: FloorPager
  private let operations: [StoreOperation]

  /// As many documents in pages as `count`, in a store of twice as many.
  init(_ workbench: Workbench, count: Int, perPage: Int) throws(BenchmarkError) {
    self.workbench = workbench
    self.perPage = perPage
    try workbench.begin(with: Documents.filling(count: 2 * count))
    pager = try FloorPager(try workbench.floorDatabase())
    var operations: [StoreOperation] = []
    var since: UpdateSequence?
    for _ in 0..<(count / perPage) {
      let operation = Workbench.operation(.changes(since: since, limit: Int64(perPage)))
      let result = try workbench.perform(operation)
      guard case .changes(let page) = result, page.rows.count == perPage else {
        throw Workbench.unexpected(operation, .ok(result))
      }
      operations.append(operation)
      since = page.last
    }
    self.operations = operations
  }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for operation in operations {
      let result = try workbench.perform(operation)
      guard case .changes(let page) = result else {
        throw Workbench.unexpected(operation, .ok(result))
      }
      tally.add(flag: page.more)
      // A row is read in place: a copy would count references of its texts.
      for place in page.rows.indices {
        tally.addRow()
        tally.add(name: page.rows[place].id.text)
        tally.add(flag: page.rows[place].deleted)
        for leaf in page.rows[place].leaves {
          tally.add(name: leaf.rev.text)
          tally.add(flag: leaf.deleted)
        }
      }
    }
    return tally
  }

  func prepareFloor(run: Int) {}

  /// The store was filled without changing a document twice, so its pages begin at these numbers.
  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for page in operations.indices {
      try pager.changes(since: Int64(page * perPage), limit: perPage, &tally)
    }
    return tally
  }
}
