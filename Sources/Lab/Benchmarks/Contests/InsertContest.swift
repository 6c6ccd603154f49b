internal import Datastore
internal import JSON

/// Revisions that arrive from other stores.
final class InsertContest: Contest {
  /// The kind of revisions.
  enum Work {
    /// Documents that are all new, with a path of two revisions, in calls of a size.
    case newDocuments(perCall: Int)
    /// Generations of one document with this many already, one per call.
    case generations(above: Int)
    /// Alternately a child of one of this many leaves of a document, and a new leaf; one per call.
    case leaves(besides: Int)
    /// The next generations of this many documents with long bodies, one per call.
    case longBodies(documents: Int)
  }

  private let workbench: Workbench
  private let work: Work
  private let count: Int
  private let writer: FloorWriter
  private var operations: [StoreOperation] = []
  private var arena = Arena()
  private var records = UnsafeBufferPointer<FloorRecord>(start: nil, count: 0)

  /// A run has `count` records.
  init(_ workbench: Workbench, _ work: Work, count: Int) throws(BenchmarkError) {
    self.workbench = workbench
    self.work = work
    self.count = count
    let beginning: [StoreAction]
    switch work {
    case .newDocuments: beginning = []
    case .leaves(let leafCount): beginning = [.insertRevisions(Documents.wideDocument(leafCount))]
    case .longBodies(let documents):
      beginning = [
        .insertRevisions(
          (0..<documents).map {
            RevisionRecord(
              id: Documents.id($0), path: [Documents.rev($0, generation: 1)],
              body: Documents.longBody($0))
          })
      ]
    case .generations(let depth):
      let path = (1...depth).reversed().map { Documents.rev(0, generation: $0) }
      beginning = [
        .insertRevisions([
          RevisionRecord(id: Documents.id(0), path: path, body: Documents.body(depth))
        ])
      ]
    }
    try workbench.begin(with: beginning)
    writer = try FloorWriter(try workbench.floorDatabase())
  }

  private var perCall: Int {
    if case .newDocuments(let perCall) = work { perCall } else { 1 }
  }

  private func records(run: Int) -> [RevisionRecord] {
    (run * count..<(run + 1) * count).map { number in
      switch work {
      case .newDocuments: return Documents.record(number)
      case .generations(let depth):
        let generation = depth + number + 1
        return RevisionRecord(
          id: Documents.id(0),
          path: [
            Documents.rev(0, generation: generation), Documents.rev(0, generation: generation - 1),
          ],
          body: Documents.body(generation))
      case .leaves(let leafCount):
        if number % 2 == 1 { return Documents.leaf(leafCount + number) }
        // Each leaf once, in no order.
        let leaf = number / 2 * 367 % leafCount
        return RevisionRecord(
          id: Documents.id(0),
          path: [Documents.rev(leaf, generation: 3), Documents.rev(leaf, generation: 2)],
          body: Documents.body(number))
      case .longBodies(let documents):
        let (document, generation) = (number % documents, number / documents + 2)
        return RevisionRecord(
          id: Documents.id(document),
          path: [
            Documents.rev(document, generation: generation),
            Documents.rev(document, generation: generation - 1),
          ],
          body: Documents.longBody(number))
      }
    }
  }

  func prepareStore(run: Int) {
    let records = records(run: run)
    operations = stride(from: 0, to: count, by: perCall).map { start in
      Workbench.operation(.insertRevisions(Array(records[start..<min(start + perCall, count)])))
    }
  }

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for operation in operations {
      let result = try workbench.perform(operation)
      guard case .inserted(let failures) = result else {
        throw Workbench.unexpected(operation, .ok(result))
      }
      for failure in failures {
        guard failure == nil else { throw Workbench.unexpected(operation, .ok(result)) }
        tally.addRow()
      }
    }
    return tally
  }

  func prepareFloor(run: Int) throws(BenchmarkError) {
    arena = Arena()
    var records: [FloorRecord] = []
    for record in self.records(run: run) { records.append(try FloorRecord(record, in: arena)) }
    self.records = arena.array(records)
  }

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    switch work {
    case .newDocuments(let perCall):
      for start in stride(from: 0, to: count, by: perCall) {
        try writer.insertNew(records[start..<min(start + perCall, count)], &tally)
      }
    case .generations, .longBodies:
      for record in records { try writer.insertChild(record, &tally) }
    case .leaves: for record in records { try writer.insertLeaf(record, &tally) }
    }
    return tally
  }
}
