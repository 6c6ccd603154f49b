import Collections
import Datastore
import JSON
import ObjectOperations
import ReferenceDatastore
import Testing

/// Collections as operations of the contract.
struct CollectionDatastoreTests {
  /// Performs operations one after the other; returns the outcome of the last one.
  private static func perform(_ operations: [String]) throws -> JSONValue {
    let datastore = CollectionDatastore(ReferenceDatastore())
    let environment = RunEnvironment(seed: 1)
    var outcome: JSONValue = .null
    for text in [#"{"op": "open", "store": "s"}"#] + operations {
      let json = try JSONValue.parse(text)
      let operation = try StoreOperation(json)
      #expect(try StoreOperation(operation.json) == operation)
      let result = try datastore.perform(operation, environment)
      outcome = result.json
      #expect(try Outcome(outcome, of: operation.action) == result)
    }
    return outcome
  }

  static let open = #"""
    {"op": "openCollection", "store": "s", "client": "c", "collection": "Recipe",
     "mapping": {"objId": "_id", "name": "name", "ingredientIds": "ingredients"},
     "references": {"ingredientIds": {"collection": "Recipe", "toMany": true,
      "relation": "ingredients", "computed": true, "cascades": true}},
     "defaults": {"name": "?"}, "policy": "networkFirst", "offline": true, "ids": "client",
     "options": {"keepsStoredIDs": true, "removalBatch": 2, "tellsOneError": false}}
    """#

  @Test func everything() throws {
    let outcome = try Self.perform([
      Self.open,
      #"""
      {"op": "setBackendRules", "store": "s", "collection": "Recipe", "rules":
       [{"field": "name", "required": true, "type": "string", "pattern": "[a-z]+"}]}
      """#,
      #"""
      {"op": "saveToCollection", "store": "s", "client": "c", "collection": "Recipe", "objects":
       [{"id": "1", "values": {"name": "stew"}, "related": {"ingredients": ["2", {"tag": "t"},
        {"tag": "t", "values": {"name": "salt"}}]}, "unknown": {"x": 1}}]}
      """#,
      #"""
      {"op": "queryCollection", "store": "s", "client": "c", "collection": "Recipe", "query":
       [{"field": "name", "is": "stew"}, {"field": "x", "meets": [["$gt", 0], ["$lt", 9]]},
        {"any": [[{"without": "y"}], [{"withoutOrNull": "z"}]]}, {"all": []},
        {"sort": "name"}, {"sort": "x", "descending": true}, {"limit": 3}, {"skip": 0},
        {"copy": true}], "policy": "both", "depth": 1}
      """#,
    ])
    let report = outcome.objectValue?["ok"]?.objectValue
    #expect(
      report?["requests"]?.arrayValue?.first?.objectValue?["parameters"]?.objectValue?["query"] == [
        "name": "stew", "x": ["$gt": 0, "$lt": 9],
        "$or": [["y": ["$exists": false]], ["z": .null]], "$and": [],
      ])
    let object = report?["callbacks"]?.arrayValue?.last?.objectValue?["objects"]?.arrayValue?.first?
      .objectValue
    #expect(object?["id"] == "1")
    #expect(object?["unknown"] == ["x": 1])
    #expect(object?["related"]?.objectValue?["ingredients"]?.arrayValue?.first == "2")
  }

  @Test func offline() throws {
    let outcome = try Self.perform([
      Self.open,
      #"{"op": "setNetwork", "store": "s", "client": "c", "state": "down", "next": ["timedOut"]}"#,
      #"""
      {"op": "saveToCollection", "store": "s", "client": "c", "collection": "Recipe",
       "objects": [{"id": "1"}]}
      """#,
      #"{"op": "inspectClient", "store": "s", "client": "c"}"#,
    ])
    #expect(
      outcome == [
        "ok": [
          "collections": ["Recipe"],
          "queue": [["collection": "Recipe", "id": "1", "operation": "save"]], "settings": [:],
        ]
      ])
    let drained = try Self.perform([
      Self.open,
      #"""
      {"op": "setNetwork", "store": "s", "client": "c", "state": "up",
       "next": [{"lost": "timedOut"}, {"status": 503, "error": "Busy"}]}
      """#,
      #"""
      {"op": "saveToCollection", "store": "s", "client": "c", "collection": "Recipe",
       "objects": [{"id": "1", "values": {"name": "a"}}]}
      """#,
      #"{"op": "drainQueue", "store": "s", "client": "c"}"#,
      #"{"op": "drainQueue", "store": "s", "client": "c"}"#,
    ])
    let report = drained.objectValue?["ok"]?.objectValue
    #expect(
      report?["queue"] == [
        ["event": "sending", "collection": "Recipe", "id": "1"],
        ["event": "done", "collection": "Recipe", "id": "1"],
      ])
    #expect(
      report?["requests"] == [
        [
          "method": "PUT", "collection": "Recipe", "path": "1",
          "body": ["_id": "1", "ingredients": [], "name": "a"], "status": 200,
        ]
      ])
  }

  static let refused: [(String, JSONValue)] = [
    (
      #""op": "openCollection", "client": "c", "collection": "a", "mapping": {"a": "a"}"#,
      "badRequest"
    ),
    (
      #""op": "openCollection", "client": "c", "collection": "1", "mapping": {"i": "_id"}"#,
      "badObject"
    ),
    (
      #""op": "openCollection", "client": "c", "collection": "a", "mapping": {"i": "_id"}, "policy": "x""#,
      "badRequest"
    ),
    (
      #""op": "openCollection", "client": "c", "collection": "a", "mapping": {"i": "_id"}, "references": {"x": {}}"#,
      "badRequest"
    ),
    (
      #""op": "openCollection", "client": "c", "collection": "a", "mapping": {"i": "_id"}, "options": {"x": 1}"#,
      "badRequest"
    ),
    (#""op": "setNetwork", "client": "c", "state": "sideways""#, "badRequest"),
    (#""op": "setNetwork", "client": "c", "state": "up", "next": [{"lost": "x"}]"#, "badRequest"),
    (
      #""op": "setBackendRules", "collection": "c", "rules": [{"field": "a", "type": "x"}]"#,
      "badRequest"
    ),
    (#""op": "removeFromCollection", "client": "c", "collection": "a""#, "badRequest"),
    (
      #""op": "removeFromCollection", "client": "c", "collection": "a", "ids": [], "rule": "x""#,
      "badRequest"
    ),
    (
      #""op": "groupInCollection", "client": "c", "collection": "a", "by": [], "function": "MODE""#,
      "badRequest"
    ),
    (
      #""op": "queryCollection", "client": "c", "collection": "a", "query": [{"x": 1}]"#,
      "badRequest"
    ),
    (
      #""op": "queryCollection", "client": "c", "collection": "a", "query": [{"field": "f", "meets": [["$all", []]]}]"#,
      "badObject"
    ),
    (
      #""op": "queryCollection", "client": "c", "collection": "a", "query": [{"field": "f", "is": 1}, {"negate": true}]"#,
      "badObject"
    ),
    (
      #""op": "saveToCollection", "client": "c", "collection": "a", "objects": [{"values": 1}]"#,
      "badRequest"
    ),
  ]

  @Test(arguments: refused)
  func refuses(arguments: String, kind: JSONValue) throws {
    let outcome = try Self.perform(["{\"store\": \"s\", \(arguments)}"])
    #expect(outcome.objectValue?["error"]?.objectValue?["kind"] == kind)
  }

  @Test func clientsGoWithTheStore() throws {
    let closed = try Self.perform([
      #"{"op": "close", "store": "s"}"#, #"{"op": "inspectClient", "store": "s", "client": "c"}"#,
    ])
    #expect(closed.objectValue?["error"]?.objectValue?["kind"] == "noSuchStore")
    let again = try Self.perform([
      Self.open, #"{"op": "close", "store": "s"}"#, #"{"op": "open", "store": "s"}"#,
      #"{"op": "inspectClient", "store": "s", "client": "c"}"#,
    ])
    #expect(again == ["ok": ["collections": [], "queue": [], "settings": [:]]])
  }
}
