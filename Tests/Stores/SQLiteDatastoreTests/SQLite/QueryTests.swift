import CSQLite
import Storage
import Testing

@testable import SQLiteDatastore

@Suite struct QueryTests {
  /// Statements that may scan more rows than they return, with the reason.
  static let walks: [Query: String] = [
    .dropInnerBodies: "compaction processes the complete table",
    .dropInnerLongBodies: "compaction processes the complete table",
    .dropInnerAttachments: "compaction processes the complete table",
    .dropUnusedBlobs: "compaction processes the complete table",
    .anyLongBody: "it ends at the first one",
    .scan: "without an index every document is a candidate",
    .indexes: "there are few indexes",
  ]

  /// The steps of SQLite's plan, including those of the actions on references.
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
      #expect(!scans.isEmpty, "\(query) is listed as a scan but is not one")
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
