internal import Datastore
internal import JSON

/// A document with many leaves: all of them, and then the winner, again and again.
final class WideReadContest: Contest {
  private let workbench: Workbench
  private let callCount: Int
  private let pager: FloorPager
  private let reader: FloorReader
  private let arena = Arena()
  private let id: UnsafeRawBufferPointer

  /// A total of `count` leaves, in calls that return this many each.
  init(_ workbench: Workbench, count: Int, leaves: Int) throws(BenchmarkError) {
    self.workbench = workbench
    callCount = count / leaves
    try workbench.begin(with: [.insertRevisions(Documents.wideDocument(leaves))])
    pager = try FloorPager(try workbench.floorDatabase())
    reader = try FloorReader(try workbench.floorDatabase())
    id = arena.bytes(Documents.id(0).text.utf8)
  }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    let (ask, read) = (
      Workbench.operation(.leaves(id: Documents.id(0))),
      Workbench.operation(.read(id: Documents.id(0)))
    )
    for _ in 0..<callCount {
      let leaves = try workbench.perform(ask)
      guard case .leaves(let leaves) = leaves else { throw Workbench.unexpected(ask, .ok(leaves)) }
      for leaf in leaves {
        tally.addRow()
        tally.add(name: leaf.rev.text)
        tally.add(flag: leaf.deleted)
      }
      let result = try workbench.perform(read)
      guard case .document(let document) = result else {
        throw Workbench.unexpected(read, .ok(result))
      }
      tally.addRow()
      tally.add(name: document.id.text)
      tally.add(name: document.rev.text)
      tally.add(marks: document.body.objectValue?.count ?? 0)
    }
    return tally
  }

  func prepareFloor(run: Int) {}

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for _ in 0..<callCount {
      try pager.leaves(of: id, &tally)
      try reader.read(id, &tally)
    }
    return tally
  }
}
