import Datastore
import JSON
import Testing

/// A family of operations that the core does not define is read, stored and written like the
/// core's.
@Suite struct OperationFamilyTests {
  /// `echo` returns its text; only this test defines it.
  struct Echo: FamilyOperation {
    var id: DocumentID
    var text: JSONString

    var name: String { "echo" }
    var documents: [DocumentID] { [id] }
    var arguments: [(JSONString, JSONValue)] { [("id", id.json), ("echoed", .string(text))] }

    init(id: DocumentID, text: JSONString) { (self.id, self.text) = (id, text) }

    init?(_ name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
      guard name == "echo" else { return nil }
      self.init(id: try reader.identifier("id"), text: try reader.text("echoed"))
    }

    typealias Answer = Echoed

    struct Echoed: FamilyAnswer {
      var text: JSONString
      var json: JSONObject { ["echoed": .string(text)] }
      var definition: JSONString { "echoed" }

      init(
        definition: JSONString, _ reader: inout ObjectReader
      ) throws(DecodingFailure) {
        text = try reader.text("echoed")
      }
    }
  }

  private static func register() throws {
    try OperationFamily.register(
      OperationFamily(
        "echo", capabilities: [Capability("echo")], isListedBefore: .find,
        table: OperationTable(
          """
          # Answers its text.
          echo(id: name, echoed: data text) needs echo -> echoed ! notFound
          echoed = {echoed: text}
          """),
        read: { (name, reader) throws(DecodingFailure) in try Echo(name, &reader) }))
  }

  @Test func aFamilyOfThisTest() throws {
    let json: JSONValue = ["op": "echo", "store": "s", "id": "d", "echoed": "x"]
    try Self.register()
    try Self.register()
    let operation = try StoreOperation(json)
    #expect(operation.json == json)
    #expect(operation.action.family(Echo.self) == Echo(id: "d", text: "x"))
    #expect(operation == StoreOperation("s", .family(AnyFamilyOperation(Echo(id: "d", text: "x")))))
    #expect(operation != StoreOperation("s", .family(AnyFamilyOperation(Echo(id: "d", text: "y")))))
    #expect(operation.action.documents == ["d"])
    #expect(operation.action.capabilities == [Capability("echo")])

    let outcome = try Outcome(["ok": ["echoed": "x"]], of: operation.action)
    #expect(outcome.result?.family(Echo.Echoed.self)?.text == "x")
    #expect(outcome.json == ["ok": ["echoed": "x"]])
    #expect(throws: DecodingFailure.self) {
      try Outcome(["ok": ["echoed": "x", "more": 1]], of: operation.action)
    }
    #expect(throws: DecodingFailure.self) { try StoreOperation(["op": "echo", "store": "s"]) }
    #expect(
      throws: DecodingFailure(path: "op", message: "unknown operation 'shout'")
    ) { try StoreOperation(["op": "shout", "store": "s"]) }
  }

  /// No family changes what the core or another one defines.
  @Test(arguments: [
    ("purge(id: name) -> mine\nmine = {a: text}", [], "the operation 'purge' is defined already"),
    ("a() -> mine\na() -> mine\nmine = {a: text}", [], "the operation 'a' is defined already"),
    ("other() -> info\ninfo = {a: text}", [], "the definition 'info' exists already"),
    ("error conflict(a: integer)", [], "the error 'conflict' is defined already"),
    ("other() -> info", [Capability.find], "the capability 'find' exists already"),
    ("other() -> nowhere", [], "the result 'nowhere' of 'other' has no definition"),
  ])
  func aConflictIsRejected(
    table: String, capabilities: [Capability], problem: String
  ) throws {
    let family = OperationFamily(
      "other", capabilities: capabilities, table: OperationTable(table),
      read: { (_, _) throws(DecodingFailure) in nil })
    let error = #expect(throws: OperationFamily.Conflict.self) {
      try OperationFamily.register(family)
    }
    #expect(error?.description == "family 'other': \(problem)")
  }

  @Test func aNameIsUsedOnce() throws {
    try Self.register()
    let family = OperationFamily(
      "echo", capabilities: [], table: OperationTable("other() -> info"),
      read: { (_, _) throws(DecodingFailure) in nil })
    let error = #expect(throws: OperationFamily.Conflict.self) {
      try OperationFamily.register(family)
    }
    #expect(error?.description == "family 'echo': another family has this name")
  }

  @Test func itsCapabilityIsListedOnce() throws {
    try Self.register()
    let names = Capability.allCases.map(\.rawValue)
    #expect(names.count { $0 == "echo" } == 1)
    #expect(try #require(names.firstIndex(of: "echo")) < #require(names.firstIndex(of: "find")))
    #expect(Capability(rawValue: "echo") == Capability("echo"))
    #expect(Capability(rawValue: "shout") == nil)
    #expect(Set(names).count == names.count)
  }

  @Test func itsRowIsInTheTable() throws {
    try Self.register()
    let table = OperationTable.current
    let row = try #require(table["echo"])
    #expect(row.arguments.map(\.name) == ["id", "echoed"])
    #expect(row.arguments.map(\.notation) == ["name", "data text"])
    #expect(row.description == "Answers its text.")
    #expect(row.errors == ["notFound"])
    guard
      case .object(let members) = ResultShape(
        of: .family(AnyFamilyOperation(Echo(id: "d", text: "x"))))
    else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.name) == ["echoed"])
    #expect(table["purge"] != nil && table["shout"] == nil)
  }
}
