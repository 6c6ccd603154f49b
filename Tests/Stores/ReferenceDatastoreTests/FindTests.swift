import Datastore
import JSON
import Testing

struct FindTests {
  private static func model(_ bodies: [JSONValue]) -> Model {
    let model = Model()
    for (place, body) in bodies.enumerated() {
      model.perform(.create(id: DocumentID(JSONString("\(place)")), body: body))
    }
    return model
  }

  private func found(_ model: Model, _ request: FindRequest) -> [FoundDocument]? {
    guard case .ok(.found(.documents(let found))) = model.perform(.finding(.find(request))) else {
      return nil
    }
    return found
  }

  private func ids(_ model: Model, _ request: FindRequest) -> String {
    found(model, request)?.map { $0.id.text.string }.joined() ?? "?"
  }

  private static let sorted: [JSONValue] = [
    ["a": [1]], ["a": "x"], ["a": ["z": 1]], ["a": 1e300], ["a": .null], [:], ["a": true],
    ["a": -1], ["a": false], ["a": "X"],
  ]

  @Test func sortsByKindAndValue() {
    let model = Self.model(Self.sorted)
    #expect(ids(model, FindRequest([:], sort: [SortKey("a")])) == "5486739102")
    #expect(
      ids(model, FindRequest([:], sort: [SortKey("a", descending: true)])) == "2019376845")
  }

  @Test func arraysAreEqualKeysAndTheIdDecides() {
    let model = Self.model([["a": [2]], ["a": [1]], ["a": ["x": 1]], ["a": ["x": 0]]])
    #expect(ids(model, FindRequest([:], sort: [SortKey("a")])) == "0123")
    #expect(ids(model, FindRequest([:], sort: [SortKey("a", descending: true)])) == "2301")
    #expect(ids(model, FindRequest([:], sort: [SortKey("_id", descending: true)])) == "3210")
  }

  @Test func laterKeysDecideAmongEquals() {
    let model = Self.model([["a": 1, "b": 1], ["a": 1.0, "b": 2], ["a": 0, "b": 3]])
    let keys = [SortKey("a"), SortKey("b", descending: true)]
    #expect(ids(model, FindRequest([:], sort: keys)) == "210")
  }

  @Test func skipsAndLimits() {
    let model = Self.model(Self.sorted)
    #expect(ids(model, FindRequest([:], skip: 2, limit: 3)) == "234")
    #expect(ids(model, FindRequest([:], limit: 0)) == "")
    #expect(ids(model, FindRequest([:], skip: .max, limit: .max)) == "")
    #expect(ids(model, FindRequest([:], sort: [SortKey("a")], skip: 8)) == "02")
  }

  @Test func cutsBodiesDownToFields() {
    let model = Self.model([
      ["a": ["b": 1, "c": ["d": 2, "e": 3]], "x": .null, "a.b": 9, "y": [:]]
    ])
    func body(_ fields: [JSONString]) -> JSONValue? {
      found(model, FindRequest([:], fields: fields))?.first?.body
    }
    #expect(body(["a.c.d", "x", "no"]) == ["a": ["c": ["d": 2]], "x": .null])
    #expect(body([#"a\.b"#]) == ["a.b": 9])
    #expect(body(["a", "a.b"]) == ["a": ["b": 1, "c": ["d": 2, "e": 3]]])
    #expect(body(["y.z", "_id", "x.y"]) == [:])
  }

  @Test func findsLiveWinnersOnly() {
    let model = Model()
    model.insert("d", "1-a", ["n": 1])
    model.insert("d", "1-b", ["n": 2])
    model.insert("e", "1-a", ["n": 1])
    model.insert("e", "2-b 1-a", deleted: true, ["n": 1])
    #expect(ids(model, FindRequest(["n": 1])) == "")
    #expect(found(model, FindRequest([:])) == [FoundDocument(id: "d", rev: "1-b", body: ["n": 2])])
  }

  @Test func indexesAreMadeListedAndDropped() {
    let model = Model()
    func perform(_ action: FindAction) -> Outcome { model.perform(.finding(action)) }
    #expect(
      perform(.createIndex(IndexDefinition("é", fields: ["a"]))) == .ok(.found(.created(true))))
    #expect(
      perform(.createIndex(IndexDefinition("b", .text, fields: ["a", "b"])))
        == .ok(.found(.created(true))))
    #expect(
      perform(.createIndex(IndexDefinition("é", fields: ["a"]))) == .ok(.found(.created(false))))
    #expect(
      perform(.createIndex(IndexDefinition("é", fields: ["b"]))).errorKind
        == .badRequest(path: "name"))
    #expect(
      perform(.listIndexes)
        == .ok(
          .found(
            .indexes([
              IndexDefinition("b", .text, fields: ["a", "b"]), IndexDefinition("é", fields: ["a"]),
            ]))))
    #expect(perform(.dropIndex(name: "e\u{301}")).errorKind == .notFound(.missing))
    #expect(perform(.dropIndex(name: "é")) == .ok(.done))
    model.perform(.destroy)
    model.perform(.open())
    #expect(perform(.listIndexes) == .ok(.found(.indexes([]))))
  }

  static let faults: [(FindAction, String)] = [
    (.find(FindRequest([:], skip: -1)), "skip"), (.find(FindRequest([:], limit: -1)), "limit"),
    (.find(FindRequest([:], fields: [])), "fields"),
    (.find(FindRequest([:], fields: ["a", "a\\"])), "fields[1]"),
    (.explain(FindRequest([:], sort: [SortKey("\\a")])), "sort[0]"),
    (.createIndex(IndexDefinition("", fields: ["a"])), "name"),
    (.createIndex(IndexDefinition("n", fields: [])), "fields"),
    (.createIndex(IndexDefinition("n", fields: ["a", "a"])), "fields"),
    (.createIndex(IndexDefinition("n", fields: ["a\\"])), "fields[0]"),
  ]

  @Test(arguments: faults)
  func faultsNameTheArgument(action: FindAction, path: String) {
    #expect(Model().perform(.finding(action)).errorKind == .badRequest(path: path))
  }
}
