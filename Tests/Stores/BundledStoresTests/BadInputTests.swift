import ReferenceDatastore
import SQLiteDatastore
import Storage
import Testing
import TouchstoneKit

/// Input that is too large or of the wrong kind for a file of vectors.
struct BadInputTests {
  static let stores: [@Sendable () -> any ImplementationUnderTest] = [
    { ReferenceDatastore() }, { SQLiteDatastore(storage: MemoryStorage()) },
  ]

  /// Compares a store with one document before and after a rejected action.
  private func expectRefusal(
    _ makeStore: () -> any ImplementationUnderTest, _ action: StoreAction,
    _ kind: DatastoreError.Kind
  ) throws {
    let subject = makeStore()
    let environment = RunEnvironment(seed: 1)
    func perform(_ action: StoreAction) throws -> Outcome {
      try subject.perform(StoreOperation("a", action), environment)
    }
    _ = try perform(.open())
    _ = try perform(
      .insertRevisions([RevisionRecord(id: "d", path: ["1-a"], body: ["n": 1])]))
    let questions: [StoreAction] = [.info, .changes(), .list(), .leaves(id: "d"), .read(id: "d")]
    let before = try questions.map { try perform($0) }
    let outcome = try perform(action)
    if case .ok(.inserted(let results)) = outcome {
      #expect(results.map { $0?.kind } == [kind])
    } else {
      #expect(outcome.errorKind == kind)
    }
    #expect(try questions.map { try perform($0) } == before)
    try subject.shutdown()
  }

  private func expectRefusalOfBody(
    _ makeStore: () -> any ImplementationUnderTest, _ body: JSONValue, _ kind: DatastoreError.Kind
  ) throws {
    let record = RevisionRecord(id: "d", path: ["2-b", "1-a"], body: body)
    let actions: [StoreAction] = [
      .create(id: "e", body: body), .update(id: "d", rev: "1-a", body: body),
      .insertRevisions([record]), .writeLocal(id: "l", body: body),
    ]
    for action in actions { try expectRefusal(makeStore, action, kind) }
  }

  @Test(arguments: stores)
  func aBodyOf100MB(makeStore: @Sendable () -> any ImplementationUnderTest) throws {
    let body: JSONValue = ["t": .text(String(repeating: "x", count: 100_000_000))]
    try expectRefusal(
      makeStore, .create(id: "e", body: body), .tooLarge(limit: 8_000_000))
  }

  @Test(arguments: stores)
  func theLimitItself(makeStore: @Sendable () -> any ImplementationUnderTest) throws {
    let subject = makeStore()
    let environment = RunEnvironment(seed: 1)
    _ = try subject.perform(StoreOperation("a", .open()), environment)
    // {"t":"…"} has eight bytes more than the text.
    for (count, isAccepted) in [(8_000_000 - 8, true), (8_000_000 - 7, false)] {
      let body: JSONValue = ["t": .text(String(repeating: "x", count: count))]
      let outcome = try subject.perform(
        StoreOperation("a", .create(id: nil, body: body)), environment)
      #expect((outcome.result != nil) == isAccepted)
    }
    for (count, isAccepted) in [(4096, true), (4097, false)] {
      let id = DocumentID(JSONString(String(repeating: "x", count: count)))
      let outcome = try subject.perform(
        StoreOperation("a", .create(id: id, body: [:])), environment)
      #expect((outcome.result != nil) == isAccepted)
    }
  }

  @Test(arguments: stores, [257, 10_000])
  func deepNesting(
    makeStore: @Sendable () -> any ImplementationUnderTest, depth: Int
  ) throws {
    var inner: JSONValue = 1
    for _ in 1..<depth { inner = [inner] }
    try expectRefusalOfBody(makeStore, ["a": inner], .tooLarge(limit: 256))
  }

  @Test(arguments: stores, [Double.nan, .infinity, -.infinity])
  func numbersThatJSONHasNot(
    makeStore: @Sendable () -> any ImplementationUnderTest, number: Double
  ) throws {
    try expectRefusalOfBody(makeStore, ["a": [["b": .double(number)]]], .badBody)
  }

  @Test(arguments: stores)
  func aBatchInABatch(makeStore: @Sendable () -> any ImplementationUnderTest) throws {
    try expectRefusal(
      makeStore, .batch([.create(id: "e", body: [:]), .batch([])]),
      .badRequest(path: "writes[1].op"))
  }

  /// A sequence of the same store, but above its last one.
  @Test(arguments: stores)
  func aSequenceAboveTheLast(makeStore: @Sendable () -> any ImplementationUnderTest) throws {
    let subject = makeStore()
    let environment = RunEnvironment(seed: 1)
    _ = try subject.perform(StoreOperation("a", .open()), environment)
    guard
      case .ok(.changes(let page)) = try subject.perform(
        StoreOperation("a", .changes()), environment),
      case .text(let last) = page.last
    else {
      Issue.record("no sequence")
      return
    }
    #expect(last.string.hasPrefix("0-"))
    for (since, isRefused) in [(last.string, false), ("1" + last.string.dropFirst(), true)] {
      let outcome = try subject.perform(
        StoreOperation("a", .changes(since: .text(JSONString(since)))), environment)
      #expect((outcome.errorKind == .badSequence) == isRefused)
    }
  }

  /// Bytes that are not UTF-8 never become an id or a body: the parser reports their offset.
  @Test func invalidUTF8() throws {
    let bytes = Array(#"{"op":"read","store":"a","id":""#.utf8) + [0xff] + Array(#""}"#.utf8)
    let error = try #require(throws: JSONError.self) { try JSONValue.parse(bytes) }
    #expect(error.offset == 31 && error.kind == .invalidUTF8)
  }
}
