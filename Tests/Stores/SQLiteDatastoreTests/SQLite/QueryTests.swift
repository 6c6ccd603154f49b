import CSQLite
import Storage
import Testing

@testable import SQLiteDatastore

@Suite struct QueryTests {
  /// Statements that may walk over more than they find, and why.
  static let walks: [Query: String] = [
    .dropInnerBodies: "compaction is about the whole table",
    .dropInnerLongBodies: "compaction is about the whole table",
    .dropInnerAttachments: "compaction is about the whole table",
    .dropUnusedBlobs: "compaction is about the whole table",
    .anyLongBody: "it ends at the first one",
    .scan: "without an index every document is in question",
    .indexes: "there are few indexes",
  ]

  /// The steps of SQLite's plan, those of the actions on references among them.
  private func plan(_ query: Query) -> [String] {
    let bench = Bench()
    return RawDatabase("notes.sqlite", in: bench.storage)
      .rows("EXPLAIN QUERY PLAN \(query.sql)").map { $0.last ?? "" }
  }

  @Test(arguments: Query.allCases)
  func nothingWalksOverATable(query: Query) {
    let scans = plan(query).filter { $0.contains("SCAN") }
    if Self.walks[query] == nil {
      #expect(scans == [], "\(query)")
    } else {
      #expect(!scans.isEmpty, "\(query) is listed as a walk and is none")
    }
  }

  @Test(arguments: [
    (Query.live, "INDEX document_by_id"), (.liveDescending, "INDEX document_by_id"),
    (.document, "INDEX document_by_id"), (.changes, "INTEGER PRIMARY KEY"),
    (.leaves, "INDEX leaf"), (.roots, "INDEX root"), (.leafSpan, "INDEX leaf"),
    (.childOf, "PRIMARY KEY (document=? AND generation=?"),
    (.revisionsAbove, "PRIMARY KEY (document=? AND generation>?"),
    (.scan, "PRIMARY KEY (document=? AND generation=? AND rev=?"),
    (.scanByID, "INDEX document_by_id (deleted=?)"),
    (.liveBody, "INDEX document_by_id (deleted=? AND id=?"),
    (.entries, "PRIMARY KEY (number=? AND key>? AND key<?"), (.ordered, "PRIMARY KEY (number=?"),
    (.entriesOf, "INDEX entry_by_id (id=?"),
  ])
  func pagesFollowTheirIndex(query: Query, index: String) {
    let plan = plan(query)
    #expect(plan.contains { $0.contains(index) }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  @Test func everyStatementCompiles() throws {
    let bench = Bench()
    let connection = try Connection("notes.sqlite", in: bench.storage, busyMilliseconds: 0)
    for query in Query.allCases { _ = try connection.statement(query) }
  }
}
