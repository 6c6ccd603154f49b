import Datastore
import JSON
import Storage
import Testing

@testable import Benchmarks

/// The baseline uses the store's own schema, does the same work, and is detected if it does less.
struct FloorTests {
  /// A store and a baseline with one document each.
  private func workbench(_ storage: MemoryStorage = MemoryStorage()) throws -> Workbench {
    let workbench = Workbench(storage: storage)
    try workbench.begin(with: Documents.filling(count: 1))
    return workbench
  }

  @Test func aFreshPairAgrees() throws {
    let workbench = try workbench()
    try workbench.checkAgreement()
    try workbench.end()
  }

  @Test(arguments: [
    "UPDATE revision SET body = '{}' WHERE body IS NOT NULL",
    "UPDATE revision SET body = CAST(body AS TEXT) || ' ' WHERE body IS NOT NULL",
    "UPDATE document SET sequence = -sequence", "DELETE FROM document",
    "UPDATE store SET last_sequence = last_sequence + 1",
    "INSERT INTO local (id, body) VALUES ('l', '{}')", "DROP INDEX document_by_id",
  ])
  func aDifferenceIsFound(change: String) throws {
    let workbench = try workbench()
    try workbench.floorDatabase().prepare(change).run()
    let error = #expect(throws: BenchmarkError.self) { try workbench.checkAgreement() }
    guard case .disagreement = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try workbench.end()
  }

  @Test func aStoreThatDidMoreIsFound() throws {
    let workbench = try workbench()
    _ = try workbench.perform(Workbench.operation(.create(id: "more", body: [:])))
    #expect(throws: BenchmarkError.self) { try workbench.checkAgreement() }
    try workbench.end()
  }

  @Test func oneSyncPerAcknowledgedWriteOnBothSides() throws {
    let storage = MemoryStorage()
    let workbench = Workbench(storage: storage)
    let contest = try CreateContest(workbench, count: 20)
    // The first transaction of a log also writes its header.
    for run in 0..<2 {
      contest.prepareStore(run: run)
      let before = storage.counts[.sync]
      let store = try contest.runStore()
      let between = storage.counts[.sync]
      try contest.prepareFloor(run: run)
      let floor = try contest.runFloor()
      let after = storage.counts[.sync]
      #expect(store == floor)
      #expect(store.rows == 20)
      if run > 0 {
        #expect(between - before == 20)
        #expect(after - between == 20)
      }
    }
    try workbench.end()
  }

  /// A baseline that scans a table would make a slow store look good.
  @Test func noFloorWalksATable() throws {
    let workbench = try workbench()
    let database = try workbench.floorDatabase()
    let before = database.statementTexts.count
    _ = (try FloorWriter(database), try FloorReader(database), try FloorPager(database))
    let texts = database.statementTexts[before...]
    #expect(texts.count >= 20)
    for text in texts {
      let plan = try database.prepare("EXPLAIN QUERY PLAN \(text)")
      while try plan.row() {
        let step = String(decoding: plan.bytes(3), as: UTF8.self)
        #expect(!step.hasPrefix("SCAN"), "\(step) in \(text)")
        #expect(!step.contains("TEMP B-TREE"), "\(step) in \(text)")
      }
      plan.reset()
    }
    try workbench.end()
  }

  @Test func aFileOfAnotherIsRefused() throws {
    let storage = MemoryStorage()
    let workbench = try workbench(storage)
    try workbench.floorDatabase().prepare("PRAGMA application_id = 1").run()
    let error = #expect(throws: BenchmarkError.self) {
      try RawDatabase("floor.sqlite", in: storage)
    }
    #expect(error == .disagreement("floor.sqlite is not a file of a store"))
    try workbench.end()
  }

  @Test func aFileThatIsNotThereIsRefused() {
    let error = #expect(throws: BenchmarkError.self) {
      try RawDatabase("none.sqlite", in: MemoryStorage())
    }
    guard case .floor(let code, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(code & 0xff == 14)
  }

  @Test func aStatementThatFailsSaysWhich() throws {
    let workbench = try workbench()
    let statement = try workbench.floorDatabase().prepare(
      "INSERT INTO document SELECT * FROM document")
    let error = #expect(throws: BenchmarkError.self) { try statement.run() }
    #expect(error?.description.contains("INSERT INTO document") == true)
    #expect(throws: BenchmarkError.self) {
      try workbench.floorDatabase().prepare("SELECT nonsense FROM nowhere")
    }
    try workbench.end()
  }

  @Test func whatAStoreRefusesIsAnError() throws {
    let workbench = try workbench()
    let error = #expect(throws: BenchmarkError.self) {
      try workbench.perform(Workbench.operation(.read(id: "none")))
    }
    guard case .unexpected(let operation, let outcome) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(operation == "read")
    #expect(outcome.contains("notFound"))
    try workbench.end()
  }
}
