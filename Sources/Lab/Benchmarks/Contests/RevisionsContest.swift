internal import Datastore
internal import JSON

/// Revisions with their histories, in calls of a fixed number of documents.
final class RevisionsContest: Contest {
  private let workbench: Workbench
  private let perCall: Int
  private let reader: FloorReader
  private let operations: [StoreOperation]
  private let arena = Arena()
  private let questions: UnsafeBufferPointer<FloorReader.Question>

  init(
    _ workbench: Workbench, count: Int, perCall: Int, documents: Int
  ) throws(BenchmarkError) {
    self.workbench = workbench
    self.perCall = perCall
    try workbench.begin(with: Documents.filling(count: documents))
    reader = try FloorReader(try workbench.floorDatabase())
    let queries = Questions.numbers(count, below: documents).map { number in
      RevisionQuery(id: Documents.id(number), revs: [Documents.rev(number, generation: 2)])
    }
    operations = stride(from: 0, to: count, by: perCall).map { start in
      Workbench.operation(.getRevisions(Array(queries[start..<min(start + perCall, count)])))
    }
    questions = try Questions.floor(queries, in: arena)
  }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for operation in operations {
      let result = try workbench.perform(operation)
      guard case .revisions(let answers) = result else {
        throw Workbench.unexpected(operation, .ok(result))
      }
      for answer in answers {
        guard case .records(let records) = answer.found else { continue }
        for record in records {
          tally.addRow()
          tally.add(name: record.id.text)
          for rev in record.path { tally.add(name: rev.text) }
          tally.add(marks: record.body.objectValue?.count ?? 0)
        }
      }
    }
    return tally
  }

  func prepareFloor(run: Int) {}

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for start in stride(from: 0, to: questions.count, by: perCall) {
      try reader.revisions(questions[start..<min(start + perCall, questions.count)], &tally)
    }
    return tally
  }
}
