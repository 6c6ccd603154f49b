internal import Datastore
internal import JSON

/// Single documents by id, in no order.
final class ReadContest: Contest {
  private let workbench: Workbench
  private let reader: FloorReader
  private let operations: [StoreOperation]
  private let arena = Arena()
  private let ids: UnsafeBufferPointer<UnsafeRawBufferPointer>

  init(_ workbench: Workbench, count: Int, documents: Int) throws(BenchmarkError) {
    self.workbench = workbench
    try workbench.begin(with: Documents.filling(count: documents))
    reader = try FloorReader(try workbench.floorDatabase())
    let asked = Questions.numbers(count, below: documents).map { Documents.id($0) }
    operations = asked.map { Workbench.operation(.read(id: $0)) }
    ids = arena.array(asked.map { [arena] in arena.bytes($0.text.utf8) })
  }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for operation in operations {
      let result = try workbench.perform(operation)
      guard case .document(let document) = result else {
        throw Workbench.unexpected(operation, .ok(result))
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
    for id in ids { try reader.read(id, &tally) }
    return tally
  }
}

/// The documents that a benchmark reads.
enum Questions {
  /// Numbers of live documents of a filled store, in no order.
  static func numbers(_ count: Int, below documents: Int) -> [Int] {
    let generator = RunEnvironment(seed: 2)
    return (0..<count).map { _ in
      let number = Int(generator.nextRandom() % UInt64(documents))
      return Documents.isDeleted(number) ? number - 1 : number
    }
  }

  /// The requests in the form of the baseline.
  static func floor(
    _ queries: [RevisionQuery], in arena: Arena
  ) throws(BenchmarkError) -> UnsafeBufferPointer<FloorReader.Question> {
    var questions: [FloorReader.Question] = []
    for query in queries {
      let id = arena.bytes(query.id.text.utf8)
      for rev in query.revs {
        questions.append(.init(id: id, name: try FloorName(rev, in: arena)))
      }
    }
    return arena.array(questions)
  }
}
