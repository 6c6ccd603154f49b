import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import ObjectOperations
import ReferenceDatastore
import Testing

/// Contexts as operations of the contract.
struct ContextDatastoreTests {
  private let store = ContextDatastore(ReferenceDatastore())

  private func ask(_ json: JSONValue) throws -> JSONValue {
    let operation = try StoreOperation(json, path: "do")
    // Every operation is encoded as it was read.
    #expect(try StoreOperation(operation.json, path: "again") == operation)
    let environment = RunEnvironment(seed: 1)
    let outcome = try store.perform(operation, environment)
    let again = try Outcome(outcome.json, of: operation.action)
    #expect(again.json == outcome.json)
    return outcome.json
  }

  private func ok(_ json: JSONValue) throws -> JSONObject {
    let answer = try ask(json)
    return try #require(answer.objectValue?["ok"]?.objectValue, "\(answer.serialized())")
  }

  private func what(_ json: JSONValue) throws -> JSONValue? {
    try ask(json).objectValue?["error"]?.objectValue?["what"]
  }

  private func begin() throws {
    _ = try ok(["op": "open", "store": "s"])
    _ = try ok(["op": "openObjects", "store": "s", "model": Departments.model])
    _ = try ok(["op": "openContext", "store": "s", "context": "c"])
  }

  @Test func aSessionOfEdits() throws {
    try begin()
    _ = try ok([
      "op": "insertObject", "store": "s", "context": "c", "id": "t", "entity": "Thing",
      "values": ["a": 1],
    ])
    let inspected = try ok(["op": "inspectObject", "store": "s", "context": "c", "id": "t"])
    #expect(inspected["isInserted"] == true && inspected["isTemporary"] == true)
    let saved = try ok(["op": "saveContext", "store": "s", "context": "c"])
    #expect(saved["inserted"] == ["t"])
    _ = try ok([
      "op": "changeObject", "store": "s", "context": "c", "id": "t", "values": ["a": 2],
    ])
    let found = try ok([
      "op": "fetchInContext", "store": "s", "context": "c", "entity": "Thing",
      "predicate": "a == 2", "result": "ids",
    ])
    #expect(found["ids"] == ["t"])
    let context = try ok(["op": "inspectContext", "store": "s", "context": "c"])
    #expect(context["updated"] == ["t"] && context["hasChanges"] == true)
    _ = try ok(["op": "refreshObject", "store": "s", "context": "c", "id": "t", "merges": false])
    let read = try ok(["op": "readInContext", "store": "s", "context": "c", "id": "t"])
    #expect(read["object"]?.objectValue?["values"] == ["a": 1])
    _ = try ok(["op": "deleteObject", "store": "s", "context": "c", "id": "t"])
    _ = try ok(["op": "rollbackContext", "store": "s", "context": "c"])
    _ = try ok(["op": "resetContext", "store": "s", "context": "c"])
  }

  @Test func conflicts() throws {
    try begin()
    _ = try ok([
      "op": "insertObject", "store": "s", "context": "c", "id": "t", "entity": "Thing",
      "values": ["a": 1],
    ])
    _ = try ok(["op": "saveContext", "store": "s", "context": "c"])
    _ = try ok([
      "op": "saveObjects", "store": "s",
      "updated": [["id": "t", "entity": "Thing", "values": ["a": 3]]],
    ])
    _ = try ok([
      "op": "changeObject", "store": "s", "context": "c", "id": "t", "values": ["a": 2],
    ])
    #expect(
      try what(["op": "saveContext", "store": "s", "context": "c"]) == "mergeConflicts")
    let context = try ok(["op": "inspectContext", "store": "s", "context": "c"])
    let failure = try #require(context["failure"]?.objectValue)
    #expect(failure["code"] == 133020)
    #expect(
      failure["conflicts"] == [
        [
          "id": "t", "entity": "Thing", "oldVersion": 1, "newVersion": 2, "object": .null,
          "cached": ["a": 1], "persisted": ["a": 3],
        ]
      ])
    #expect(
      try what(["op": "resolveConflicts", "store": "s", "context": "c", "policy": "error"])
        == "mergeConflicts")
    _ = try ok([
      "op": "resolveConflicts", "store": "s", "context": "c", "policy": "objectTrump",
    ])
    _ = try ok(["op": "saveContext", "store": "s", "context": "c"])
    let found = try ok(["op": "processConflicts", "store": "s", "context": "c"])
    #expect(found["conflicts"] == [])
  }

  @Test func families() throws {
    try begin()
    _ = try ok([
      "op": "openContext", "store": "s", "context": "d", "parent": "c", "policy": "rollback",
      "options": ["parentConflict": "conflict", "postsOnEmptySave": false],
    ])
    _ = try ok([
      "op": "insertObject", "store": "s", "context": "d", "id": "t", "entity": "Thing",
    ])
    _ = try ok(["op": "obtainPermanentIDs", "store": "s", "context": "d", "ids": ["t"]])
    _ = try ok(["op": "saveContext", "store": "s", "context": "d"])
    _ = try ok(["op": "mergeChanges", "store": "s", "context": "c", "from": "d"])
    let context = try ok(["op": "inspectContext", "store": "s", "context": "c"])
    #expect(context["inserted"] == ["t"])
  }

  @Test func observers() throws {
    try begin()
    let observe: JSONValue = [
      "op": "observeFetch", "store": "s", "context": "c", "observer": "o", "entity": "Thing",
      "predicate": "a < %@", "arguments": [9], "sort": [["a": "asc"]], "offset": 0, "limit": 3,
    ]
    let update: JSONValue = [
      "op": "updateFetch", "store": "s", "context": "c", "observer": "o",
    ]
    #expect(try what(update) == "unknownObserver")
    #expect(try ok(observe)["ids"] == [])
    #expect(try ask(observe).objectValue?["error"]?.objectValue?["kind"] == "conflict")
    _ = try ok([
      "op": "insertObject", "store": "s", "context": "c", "id": "t", "entity": "Thing",
      "values": ["a": 1],
    ])
    let changes = try ok(update)
    #expect(changes["ids"] == ["t"])
    #expect(changes["changes"] == [["change": "inserted", "id": "t", "to": 0]])
    _ = try ok(["op": "resetContext", "store": "s", "context": "c"])
    #expect(try what(update) == "unknownObserver")
    #expect(try ok(observe)["ids"] == [])
  }

  @Test func whatIsWrong() throws {
    _ = try ok(["op": "open", "store": "s"])
    let early = try ask(["op": "openContext", "store": "s", "context": "c"])
    #expect(
      early == ["error": ["kind": "noSuchStore", "message": "'s' is not an open object store"]])
    try begin()
    #expect(
      try what(["op": "saveContext", "store": "s", "context": "x"]) == "unknownContext")
    let insert: (JSONValue) -> JSONValue = { values in
      [
        "op": "insertObject", "store": "s", "context": "c", "id": "e", "entity": "Emp",
        "values": values,
      ]
    }
    #expect(try what(insert(["no": 1])) == "unknownProperty")
    #expect(try what(insert(["age": "x"])) == "object")
    #expect(
      try what(["op": "readInContext", "store": "s", "context": "c", "id": "e"])
        == "faultUnfulfilled")
    let policy = try ask([
      "op": "openContext", "store": "s", "context": "p", "policy": "whatever",
    ])
    #expect(policy.objectValue?["error"]?.objectValue?["path"] == "policy")
    // The contexts end with their store.
    _ = try ok(["op": "close", "store": "s"])
    #expect(
      try ask(["op": "inspectContext", "store": "s", "context": "c"]).objectValue?["error"]?
        .objectValue?["kind"] == "noSuchStore")
  }
}
