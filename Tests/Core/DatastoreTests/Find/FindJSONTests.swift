import Datastore
import JSON
import Testing

struct FindJSONTests {
  static let encodings: [(FindAction, String)] = [
    (.find(FindRequest([:])), #"{"op":"find","store":"a","selector":{}}"#),
    (
      .find(
        FindRequest(
          ["a": 1], sort: [SortKey("a"), SortKey("b.c", descending: true)], skip: 1, limit: 0,
          fields: ["a", "b"])),
      #"{"op":"find","store":"a","selector":{"a":1},"sort":[{"a":"asc"},{"b.c":"desc"}],"#
        + #""skip":1,"limit":0,"fields":["a","b"]}"#
    ),
    // The store reports invalid values.
    (.explain(FindRequest(5, limit: -1)), #"{"op":"explain","store":"a","selector":5,"limit":-1}"#),
    (
      .createIndex(IndexDefinition("n", .text, fields: [])),
      #"{"op":"createIndex","store":"a","name":"n","type":"text","fields":[]}"#
    ),
    (.dropIndex(name: "n"), #"{"op":"dropIndex","store":"a","name":"n"}"#),
    (.listIndexes, #"{"op":"listIndexes","store":"a"}"#),
  ]

  @Test(arguments: encodings)
  func operationsGoBothWays(action: FindAction, json: String) throws {
    let operation = StoreOperation("a", .finding(action))
    #expect(operation.json.serialized() == json)
    #expect(try StoreOperation(JSONValue.parse(json)) == operation)
  }

  @Test func anIndexIsOfValuesUnlessItSays() throws {
    let json = #"{"op":"createIndex","store":"a","name":"n","fields":["x"]}"#
    let definition = IndexDefinition("n", .json, fields: ["x"])
    #expect(try StoreOperation(JSONValue.parse(json)).action == .finding(.createIndex(definition)))
  }

  static let answers: [(FindAnswer, FindAction, String)] = [
    (
      .documents([FoundDocument(id: "d", rev: "1-a", body: ["x": .null])]), .find(FindRequest([:])),
      #"{"ok":{"docs":[{"id":"d","rev":"1-a","body":{"x":null}}]}}"#
    ),
    (.explanation(index: nil, plan: nil), .explain(FindRequest([:])), #"{"ok":{"index":null}}"#),
    (
      .explanation(index: "n", plan: ["k": 1]), .explain(FindRequest([:])),
      #"{"ok":{"index":"n","plan":{"k":1}}}"#
    ),
    (
      .created(true), .createIndex(IndexDefinition("n", fields: ["x"])), #"{"ok":{"created":true}}"#
    ),
    (
      .indexes([IndexDefinition("n", .text, fields: ["x"])]), .listIndexes,
      #"{"ok":{"indexes":[{"name":"n","type":"text","fields":["x"]}]}}"#
    ),
  ]

  @Test(arguments: answers)
  func answersGoBothWays(answer: FindAnswer, action: FindAction, json: String) throws {
    let outcome = Outcome.ok(.found(answer))
    #expect(outcome.json.serialized() == json)
    #expect(try Outcome(JSONValue.parse(json), of: .finding(action)) == outcome)
  }

  @Test(arguments: [
    #"{"op":"find","store":"a"}"#, #"{"op":"find","store":"a","selector":{},"limt":1}"#,
    #"{"op":"find","store":"a","selector":{},"sort":[{"a":"up"}]}"#,
    #"{"op":"find","store":"a","selector":{},"sort":[{"a":"asc","b":"asc"}]}"#,
    #"{"op":"createIndex","store":"a","name":"n","type":"geo","fields":["x"]}"#,
  ])
  func misnamedMembersAreRejected(json: String) throws {
    let value = try JSONValue.parse(json)
    #expect(throws: DecodingFailure.self) { try StoreOperation(value) }
  }

  @Test func badSelectorGoesBothWays() throws {
    let error = DatastoreError(.badSelector(operator: "$mod", path: "selector.a.$mod"))
    let json = #"{"error":{"kind":"badSelector","operator":"$mod","path":"selector.a.$mod"}}"#
    #expect(Outcome.error(error).json.serialized() == json)
    #expect(try Outcome(JSONValue.parse(json), of: .info) == .error(error))
  }

  @Test func questionsNameTheCapabilitiesTheyNeed() {
    func needed(_ selector: JSONValue) -> Set<Capability> {
      StoreAction.finding(.find(FindRequest(selector))).capabilities
    }
    #expect(needed(["a": 1]) == [.find])
    #expect(needed(["$or": [["a": ["$regex": "x"]]]]) == [.find, .regex])
    #expect(needed(["a": ["$in": [["$decimal": "1"]]]]) == [.find, .decimals])
    #expect(StoreAction.finding(.listIndexes).capabilities == [.find])
  }
}
