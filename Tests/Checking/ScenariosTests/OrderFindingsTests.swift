import Datastore
import JSON
import Testing

@testable import Scenarios

/// Vectors that expect an order of a list that the contract leaves open.
@Suite struct OrderFindingsTests {
  private func findings(
    _ operation: String, _ result: String, profile: Profile = .core
  ) throws -> [String] {
    let vector = """
      {"id": "x-y", "clauses": ["X-001"], "profile": "\(profile.rawValue)", "note": "n",
       "capabilities": ["resolve", "purge", "atomicBatch"],
       "steps": [{"do": {"store": "a", \(operation)}, "expect": {"ok": \(result)}}]}
      """
    return try Vector(JSONValue.parse(vector), path: "").findings().map { $0.path }
  }

  static let open: [(operation: String, result: String, path: String)] = [
    (
      #""op": "purge", "id": "d", "revs": []"#, #"{"purged": ["1-a", "2-b"]}"#, "ok.purged"
    ),
    (
      #""op": "resolve", "id": "d", "leaves": ["1-a"], "keep": "1-a""#,
      #"{"tombstones": [{"$bind": "x"}, {"$bind": "y"}]}"#, "ok.tombstones"
    ),
    (
      #""op": "batch", "writes": [{"op": "resolve", "id": "d", "leaves": ["1-a"], "keep": "1-a"}]"#,
      #"{"results": [{"tombstones": ["2-a", "2-b"]}]}"#, "ok.results[0].tombstones"
    ),
    (
      #""op": "revsDiff", "revs": []"#, #"{"results": [{"missing": ["1-a", "1-b"]}]}"#,
      "ok.results[0].missing"
    ),
    (
      #""op": "revsDiff", "revs": []"#,
      #"{"results": {"$unordered": [{"possibleAncestors": ["1-a", "1-b"]}]}}"#,
      "ok.results.$unordered[0].possibleAncestors"
    ),
    (
      #""op": "revsDiff", "revs": []"#, #"{"results": [{"id": "a"}, {"id": "b"}]}"#,
      "ok.results"
    ),
    (
      #""op": "getRevisions", "docs": []"#,
      #"{"results": [{"records": [{"path": ["1-a"]}, {"path": ["1-b"]}]}]}"#,
      "ok.results[0].records"
    ),
    (#""op": "changes""#, #"{"rows": [{"id": "a"}, {"id": "b"}]}"#, "ok.rows"),
  ]

  @Test(arguments: open) func anOpenOrderIsFound(
    operation: String, result: String, path: String
  ) throws {
    #expect(try findings(operation, result) == ["steps[0].expect.\(path)"])
  }

  @Test(arguments: [
    (#""op": "purge", "id": "d", "revs": []"#, #"{"purged": {"$unordered": ["1-a", "2-b"]}}"#),
    (#""op": "purge", "id": "d", "revs": []"#, #"{"purged": [{"$any": true}, {"$any": true}]}"#),
    (#""op": "leaves", "id": "d""#, #"{"leaves": [{"rev": "1-a"}, {"rev": "1-b"}]}"#),
    (#""op": "list""#, #"{"rows": [{"id": "a"}, {"id": "b"}]}"#),
    (
      #""op": "getRevisions", "docs": []"#,
      #"{"results": [{"rev": "1-a", "records": [{"path": ["2-b", "1-a"]}]}, {"rev": "1-b"}]}"#
    ),
    (
      #""op": "insertRevisions", "records": []"#,
      #"{"results": [{"ok": {}}, {"error": {"kind": "badID"}}]}"#
    ),
  ]) func aPromisedOrderIsNone(operation: String, result: String) throws {
    #expect(try findings(operation, result) == [])
  }

  @Test func rowsHaveAnOrderWhereItIsPromised() throws {
    let rows = #"{"rows": [{"id": "a"}, {"id": "b"}]}"#
    #expect(try findings(#""op": "changes""#, rows, profile: .denseChanges) == [])
    #expect(try findings(#""op": "changes""#, rows, profile: .couchdb).count == 1)
  }
}
