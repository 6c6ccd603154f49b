import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import ObjectOperations
import ReferenceDatastore
import SQLiteDatastore
import Storage
import Testing

/// Stacks as operations of the contract, over both bundled stores.
struct StackDatastoreTests {
  private static func stores() -> [ContextDatastore] {
    [
      ContextDatastore(ReferenceDatastore()),
      ContextDatastore(SQLiteDatastore(storage: MemoryStorage())),
    ]
  }

  private func ask(_ json: JSONValue, _ store: ContextDatastore) throws -> JSONObject {
    let operation = try StoreOperation(json, path: "do")
    // Every operation is encoded as it was read.
    #expect(try StoreOperation(operation.json, path: "again") == operation)
    #expect(operation.action.capabilities.contains(.stacks))
    return try told(operation, store)
  }

  private func told(_ operation: StoreOperation, _ store: ContextDatastore) throws -> JSONObject {
    let environment = RunEnvironment(seed: 1)
    let outcome = try store.perform(operation, environment)
    let again = try Outcome(outcome.json, of: operation.action)
    #expect(again.json == outcome.json)
    return try #require(outcome.json.objectValue)
  }

  private func begin(_ store: ContextDatastore) throws {
    for json: JSONValue in [
      ["op": "open", "store": "s"],
      ["op": "openObjects", "store": "s", "model": Departments.model],
    ] {
      #expect(try told(try StoreOperation(json, path: "do"), store)["ok"] != nil)
    }
    #expect(try ask(["op": "openStack", "store": "s", "stack": "t"], store)["ok"] == [:])
  }

  private func run(_ store: ContextDatastore, _ queue: JSONString? = nil) throws -> JSONObject {
    var json: JSONObject = ["op": "runStack", "store": "s", "stack": "t"]
    json["queue"] = queue.map { .string($0) }
    return try #require(try ask(.object(json), store)["ok"]?.objectValue)
  }

  @Test func allStepsAndEvents() throws {
    for store in Self.stores() {
      try begin(store)
      let steps: JSONValue = [
        ["insert": ["id": "a", "entity": "Thing", "values": ["a": 1]]],
        ["change": ["id": "a", "values": ["b": 2]]],
        ["insert": ["id": "b", "entity": "Thing"]], ["delete": ["id": "b"]],
        ["find": ["entity": "Thing", "predicate": "a = %@", "arguments": [1]]],
        ["findAll": ["entity": "Thing"]],
        [
          "findOrInsert": [
            "entity": "Thing", "key": "a", "value": 3, "id": "c", "values": ["b": 4],
          ]
        ],
        ["save": [:]], ["saveAll": [:]],
        ["perform": ["queue": "background", "saves": true, "steps": [["save": [:]]]]],
      ]
      let done = try ask(
        [
          "op": "performInStack", "store": "s", "stack": "t", "queue": "main", "steps": steps,
          "waits": true,
        ], store)
      let results = try #require(done["ok"]?.objectValue?["results"]?.arrayValue)
      #expect(results.count == 10)
      #expect(results[6].objectValue?["handled"] == ["c"])
      #expect(results[7].objectValue?["inserted"] == ["a", "c"])
      #expect(results[8] == [:])
      let inner = results[9].objectValue?["results"]?.arrayValue
      #expect(inner?.first?.objectValue?["updated"] == [])
      let news = try run(store)
      #expect(news["ready"] == [] && news["waits"] == [] && news["warnings"] == [])
      let kinds = news["events"]?.arrayValue?.map { $0.objectValue?["event"]?.textValue }
      #expect(kinds?.first == "saved" && kinds?.contains("ran") == true)
    }
  }

  /// A failed closure is reported once, with or without a waiting caller.
  @Test func failures() throws {
    for store in Self.stores() {
      try begin(store)
      for waits in [true, false] {
        let answer = try ask(
          [
            "op": "performInStack", "store": "s", "stack": "t", "queue": "main", "saves": true,
            "steps": [["findAll": ["entity": "Other"]]], "waits": .bool(waits),
          ], store)
        #expect((answer["error"] != nil) == waits)
        let events = try #require(try run(store)["events"]?.arrayValue)
        #expect(events.filter { $0.objectValue?["event"] == "ran" }.count == 1)
        #expect(events.filter { $0.objectValue?["event"] == "completed" }.count == (waits ? 0 : 1))
      }
    }
  }

  @Test(
    arguments: [
      [:], ["fly": [:]], ["save": ["id": "a"]], ["insert": ["id": "a"]],
      ["save": [:], "saveAll": [:]],
      ["perform": ["queue": "main"]], 1,
    ] as [JSONValue])
  func misspeltSteps(_ step: JSONValue) throws {
    let json: JSONValue = [
      "op": "performInStack", "store": "s", "stack": "t", "queue": "main", "steps": [step],
    ]
    #expect(throws: DecodingFailure.self) { try StoreOperation(json, path: "do") }
  }
}
