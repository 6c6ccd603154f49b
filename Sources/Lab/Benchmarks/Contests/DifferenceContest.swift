internal import Datastore
internal import JSON

/// revsDiff for one revision of each document, half of them known.
final class DifferenceContest: Contest {
  private let workbench: Workbench
  private let pager: FloorPager
  private let operation: StoreOperation
  private let arena = Arena()
  private let questions: UnsafeBufferPointer<FloorReader.Question>

  init(_ workbench: Workbench, count: Int) throws(BenchmarkError) {
    self.workbench = workbench
    try workbench.begin(with: Documents.filling(count: count))
    pager = try FloorPager(try workbench.floorDatabase())
    let queries = (0..<count).map { number in
      // A known one; a later generation of a known document; a document that does not exist.
      switch number % 4 {
      case 0, 1: Self.query(number, generation: 2)
      case 2: Self.query(number, generation: 3)
      default: Self.query(number + count, generation: 2)
      }
    }
    operation = Workbench.operation(.revsDiff(queries))
    questions = try Questions.floor(queries, in: arena)
  }

  private static func query(_ number: Int, generation: Int) -> RevisionQuery {
    RevisionQuery(
      id: Documents.id(number), revs: [Documents.rev(number, generation: generation)])
  }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    let result = try workbench.perform(operation)
    guard case .revsDiff(let differences) = result else {
      throw Workbench.unexpected(operation, .ok(result))
    }
    var tally = Tally()
    for difference in differences {
      tally.add(name: difference.id.text)
      for rev in difference.missing {
        tally.addRow()
        tally.add(name: rev.text)
      }
      for rev in difference.possibleAncestors { tally.add(name: rev.text) }
    }
    return tally
  }

  func prepareFloor(run: Int) {}

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    try pager.difference(questions[...], &tally)
    return tally
  }
}
