import CSQLite
import Datastore
import JSON
import Storage
import Testing

@testable import SQLiteDatastore

/// The cost of an operation in a store of a thousand documents and in one of a million, according
/// to SQLite's own counters.
@Suite struct ScaleTests {
  @Test func aStoreFilledBySQLIsTheOneThatTheStoreWrites() throws {
    let bySQL = try FilledStore(documentCount: 1000)
    let byStore = try FilledStore(documentCount: 1000, bySQL: false)
    let (left, right) = (bySQL.dump, byStore.dump)
    #expect(left.keys == right.keys)
    for table in left.keys.sorted() { #expect(left[table] == right[table], "\(table)") }
    expectInvariants(in: bySQL.storage)
  }

  /// The number of steps is equal, and pages grow only with the levels of the trees.
  ///
  /// With a thousand documents the path from a root to a leaf has two pages, with a million three
  /// to five, and nearly every accessed page is on such a path: with this page size the ratio
  /// cannot be below 1.3. So the bound is 1.3 times the growth of the path in the deepest tree that
  /// an operation opens.
  @Test func noKeyedOperationCostsMoreInALargeStore() throws {
    let small = try FilledStore(documentCount: 1000)
    let large = try FilledStore(documentCount: 1_000_000)
    // Two million rows of 100 to 150 bytes, including the pages of the inner levels.
    #expect((large.levels["revision"] ?? 0) <= 5 && (large.levels["document"] ?? 0) <= 3)
    for operation in KeyedOperation.allCases {
      let (few, many) = (try work(operation, small), try work(operation, large))
      #expect(few.machineSteps > 50 && few.pages >= 6 && !few.statements.isEmpty)
      // A range of a table or an index, such as a page of the feed, does not count as a full scan
      // in SQLite.
      #expect(few.fullScanSteps == 0 && many.fullScanSteps == 0, "\(operation)")
      #expect(few.makeshifts == 0 && many.makeshifts == 0, "\(operation)")
      #expect(many.machineSteps * 10 <= few.machineSteps * 13, "\(operation): \(few) \(many)")
      let (pages, bound) = (many.pages, growth(few.statements, small, large) * few.pages)
      #expect(pages * 10 * scale <= bound * 13, "\(operation): \(few) \(many)")
    }
  }

  /// A path is read once in a call, however many of its revisions are requested.
  @Test func aPathIsReadOncePerCall() throws {
    let filled = try FilledStore(documentCount: 1000)
    let path = (1...500).reversed().map { RevisionID(JSONString("\($0)-x")) }
    try filled.perform(.insertRevisions([RevisionRecord(id: "deep", path: path, body: [:])]))
    func steps(_ queries: [RevisionQuery]) throws -> Int {
      _ = filled.store.connection.takeWork()
      try filled.perform(.getRevisions(queries))
      return filled.store.connection.takeWork().machineSteps
    }
    let tip = RevisionQuery(id: "deep", revs: [path[0]])
    let once = try steps([tip])
    #expect(once > 500)
    let others = [
      [RevisionQuery](repeating: tip, count: 50),
      [RevisionQuery(id: "deep", revs: [RevisionID](repeating: path[0], count: 50))],
      [RevisionQuery(id: "deep", revs: Array(path.prefix(50)), latest: true)],
    ]
    for queries in others { #expect(try steps(queries) < 5 * once) }
  }

  private let scale = 60

  /// The growth of the deepest tree that statements open, in 60ths.
  private func growth(
    _ statements: Set<String>, _ small: FilledStore, _ large: FilledStore
  ) -> Int {
    let ratios = small.trees(of: statements).map { tree in
      scale * (large.levels[tree] ?? 0) / (small.levels[tree] ?? 1)
    }
    return ratios.max() ?? scale
  }

  /// The work of an operation on three distant documents.
  private func work(_ operation: KeyedOperation, _ filled: FilledStore) throws -> Work {
    let place = KeyedOperation.writes.firstIndex(of: operation) ?? KeyedOperation.writes.count
    var work = Work()
    for slot in 0..<3 {
      let number = (place * 3 + slot) * 10 * (filled.documentCount / 1000)
      // Statements are prepared and full pages split before the work is counted.
      _ = try self.work(operation, operation.isWrite ? number + 1 : number, filled)
      let more = try self.work(operation, number, filled)
      work += more
    }
    return work
  }

  private func work(
    _ operation: KeyedOperation, _ number: Int, _ filled: FilledStore
  ) throws -> Work {
    if let preparation = operation.preparation(number) { try filled.perform(preparation) }
    _ = filled.store.connection.takeWork()
    try filled.perform(operation.action(number, of: filled.documentCount))
    return filled.store.connection.takeWork()
  }
}
