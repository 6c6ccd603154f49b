import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

@Suite struct TreeSketchTests {
  private static func witness(_ transcript: [(JSONValue, JSONValue)]) throws -> Witness {
    Witness(
      vector: try Fixtures.passing(), step: 9,
      transcript: transcript.map { Witness.Exchange(operation: $0.0, outcome: $0.1) },
      exchange: Witness.Exchange(
        operation: ["op": "read", "store": "a", "id": "d"], outcome: ["ok": [:]]),
      expected: [:], mismatches: [])
  }

  private static let arrival: (JSONValue, JSONValue) = (
    [
      "op": "insertRevisions", "store": "a",
      "records": [
        ["id": "d", "path": ["2-b", "1-a"], "body": [:]],
        ["id": "d", "path": ["3-c", "2-c", "1-a"], "deleted": true, "body": [:]],
        ["id": "d", "path": ["9-x"], "body": [:]], ["id": "e", "path": ["1-a"], "body": [:]],
      ],
    ],
    ["ok": ["results": [["ok": [:]], ["ok": [:]], ["error": ["kind": "forbidden"]], ["ok": [:]]]]]
  )

  @Test func drawsWhatWasAccepted() throws {
    let witness = try Self.witness([
      Self.arrival,
      (
        ["op": "update", "store": "a", "id": "d", "rev": "2-b", "body": [:]],
        ["ok": ["id": "d", "rev": "3-y"]]
      ),
    ])
    let pictures = TreeSketch(witness).pictures(for: witness)
    #expect(pictures.map(\.place.id) == ["d"])
    let svg = try #require(pictures.first?.svg)
    #expect(svg.contains("<title>3-y, winner</title>"))
    #expect(svg.contains("<title>3-c, deleted</title>"))
    #expect(!svg.contains("9-x"))
  }

  /// No sketch is better than an incorrect one.
  @Test(arguments: [
    JSONValue.object(["op": "purge", "store": "a", "id": "d", "revs": ["3-c"]]),
    ["replicate": ["source": "b", "target": "a"]],
  ])
  func drawsNothingAfterWhatItCannotFollow(_ operation: JSONValue) throws {
    let witness = try Self.witness([Self.arrival, (operation, ["ok": [:]])])
    #expect(TreeSketch(witness).pictures(for: witness).isEmpty)
  }
}
