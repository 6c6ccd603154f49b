import Collections
import Datastore
import JSON
import ObjectContexts
import ObjectOperations
import ReferenceDatastore
import Testing

/// Migrations as operations of the contract.
struct MigrationOperationTests {
  static let start = [
    #"{"op": "open", "store": "there"}"#, #"{"op": "open", "store": "here"}"#,
    #"""
    {"op": "openObjects", "store": "here",
     "model": {"entities": {"E": {"attributes": {"n": {"type": "int32"}}}}}}
    """#,
    #"""
    {"op": "saveObjects", "store": "here", "inserted": [{"id": "1", "entity": "E", "values": {"n": 1}}]}
    """#,
    #"""
    {"op": "openCollection", "store": "there", "client": "c", "collection": "E",
     "mapping": {"objId": "_id", "n": "n"}}
    """#,
  ]

  private static func perform(_ operations: [String]) throws -> JSONValue {
    let datastore = CollectionDatastore(ContextDatastore(ReferenceDatastore()))
    let environment = RunEnvironment(seed: 1)
    var outcome: JSONValue = .null
    for text in start + operations {
      let operation = try StoreOperation(try JSONValue.parse(text))
      #expect(try StoreOperation(operation.json) == operation)
      let result = try datastore.perform(operation, environment)
      outcome = result.json
      #expect(try Outcome(outcome, of: operation.action) == result)
    }
    return outcome
  }

  @Test func moves() throws {
    let outcome = try Self.perform([
      #"""
      {"op": "migrateObjects", "store": "there", "client": "c", "from": "here",
       "collections": ["E"], "batch": 5, "flag": "store", "deletes": true, "ids": "local",
       "background": false, "costs": {"reading": 7, "saving": 3}, "steps": 4}
      """#
    ])
    #expect(
      outcome == [
        "ok": [
          "state": "running",
          "steps": [
            ["step": "readFlag"], ["step": "count"], ["step": "read", "collection": "E"],
            ["step": "save", "collection": "E", "objects": 1],
          ],
          "requests": [
            [
              "method": "PUT", "collection": "E", "path": "1", "body": ["_id": "1", "n": 1],
              "status": 200,
            ]
          ],
          "progress": [], "longestMainBlock": 7,
        ]
      ])
  }

  static let refused: [(String, JSONValue)] = [
    (#""from": "here", "collections": ["F"]"#, "badRequest"),
    (#""from": "here", "collections": ["E"], "flag": "x""#, "badRequest"),
    (#""from": "here", "collections": ["E"], "ids": "x""#, "badRequest"),
    (#""from": "here", "collections": ["E"], "costs": {"x": 1}"#, "badRequest"),
    (#""from": "there", "collections": ["E"]"#, "noSuchStore"),
  ]

  @Test(arguments: refused)
  func refuses(arguments: String, kind: JSONValue) throws {
    let outcome = try Self.perform([
      #"{"op": "migrateObjects", "store": "there", "client": "c", "# + arguments + "}"
    ])
    #expect(outcome.objectValue?["error"]?.objectValue?["kind"] == kind)
  }

  /// The blocked time of a queue saturates.
  @Test func hugeCosts() throws {
    let outcome = try Self.perform([
      #"""
      {"op": "saveObjects", "store": "here", "inserted": [{"id": "2", "entity": "E", "values": {}}]}
      """#,
      #"""
      {"op": "migrateObjects", "store": "there", "client": "c", "from": "here", "collections": ["E"],
       "costs": {"saving": 9223372036854775807, "reading": -1}}
      """#,
    ])
    #expect(outcome.objectValue?["ok"]?.objectValue?["longestMainBlock"] == .integer(.max))
  }

  /// `setSettings` requires an object.
  @Test func settings() throws {
    let set = #"{"op": "setSettings", "store": "there", "client": "c", "settings": "#
    let refused = try Self.perform([set + "1}"])
    #expect(refused.objectValue?["error"]?.objectValue?["kind"] == "badRequest")
    let state = try Self.perform([
      set + #"{"a": 1}}"#, #"{"op": "crashClient", "store": "there", "client": "c"}"#,
      #"{"op": "inspectClient", "store": "there", "client": "c"}"#,
    ])
    #expect(state.objectValue?["ok"]?.objectValue?["settings"] == ["a": 1])
  }
}
