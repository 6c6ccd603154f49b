import Datastore
import JSON
import Oracles
import Testing

/// Late and duplicate messages that are not faults.
@Suite struct LateMessageTests {
  private var oracles = Oracles(replicas: ["a", "b"])

  init() {
    observe(
      .sessionBegan(0, SessionFacts(name: "s/1", source: 0, target: 1, filter: nil)))
    for (isSource, incarnation): (Bool, JSONString) in [(true, "in"), (false, "out")] {
      let info = StoreInfo(
        documents: 1, deletedDocuments: 0, last: .integer(1), incarnation: incarnation)
      observe(.session(0, isSource: isSource, StoreOperation("notes", .info), .ok(.info(info))))
    }
  }

  @discardableResult
  private mutating func observe(_ observation: Observation) -> JSONString? {
    oracles.observe(observation)?.shape
  }

  /// A page with one document and its only leaf.
  private static func page(_ rev: RevisionID, _ last: Int64) -> ChangesPage {
    ChangesPage(
      rows: [ChangesRow(seq: .integer(last), id: "d", deleted: false, leaves: [Leaf(rev: rev)])],
      last: .integer(last), more: false)
  }

  private mutating func store(_ rev: RevisionID) -> JSONString? {
    let record = RevisionRecord(id: "d", path: [rev], body: [:])
    return observe(
      .session(
        0, isSource: false, StoreOperation("notes", .insertRevisions([record])),
        .ok(.inserted([nil]))))
  }

  private mutating func save(_ recorded: Int64, isSource: Bool) -> JSONString? {
    let body: JSONValue = ["history": [["session": "s/1", "recorded": .integer(recorded)]]]
    return observe(
      .session(
        0, isSource: isSource, StoreOperation("notes", .writeLocal(id: "c", body: body)),
        .ok(.done)))
  }

  private mutating func end() -> JSONString? {
    observe(.sessionEnded(0, SessionEnd(isComplete: true, saysUnsaved: false)))
  }

  @Test mutating func aSaveThatAnOlderOneOvertakesIsASave() {
    observe(.received(0, since: nil, Self.page("1-a", 1)))
    #expect(store("1-a") == nil)
    #expect(save(1, isSource: false) == nil)
    #expect(save(1, isSource: true) == nil)
    observe(.received(0, since: .integer(1), Self.page("1-b", 2)))
    #expect(store("1-b") == nil)
    #expect(save(2, isSource: false) == nil)
    #expect(save(2, isSource: true) == nil)
    #expect(save(1, isSource: true) == nil)
    #expect(end() == nil)
  }

  /// The checkpoint save of the first page is sent first and arrives last.
  @Test mutating func aSaveThatIsOvertakenOnItsWayIsASave() {
    observe(.received(0, since: nil, Self.page("1-a", 1)))
    #expect(store("1-a") == nil)
    observe(.received(0, since: .integer(1), Self.page("1-b", 2)))
    #expect(store("1-b") == nil)
    #expect(save(2, isSource: false) == nil)
    #expect(save(1, isSource: false) == nil)
    #expect(save(3, isSource: false) == "unseen")
  }

  /// A duplicated request gets two responses, of which the first was "not found".
  @Test(arguments: [true, false])
  mutating func aCheckpointThatAppearedBetweenTwoAnswers(isAskedTwice: Bool) {
    let missing = Outcome.error(DatastoreError(.notFound(.missing)))
    let body: JSONValue = ["history": [["session": "s/0", "recorded": 1]]]
    let read = StoreOperation("notes", .readLocal(id: "c"))
    if isAskedTwice { observe(.session(0, isSource: false, read, missing)) }
    observe(.session(0, isSource: false, read, .ok(.local(body: body))))
    observe(.session(0, isSource: true, read, .ok(.local(body: body))))
    let changes = StoreOperation("notes", .changes(since: nil, limit: nil))
    let page = Outcome.ok(.changes(Self.page("1-a", 1)))
    #expect(observe(.session(0, isSource: true, changes, page)) == (isAskedTwice ? nil : "rescan"))
  }

  /// The session may have received the incarnation of the destroyed store, and continues from its
  /// checkpoint.
  @Test(arguments: [true, false])
  mutating func aStoreThatWasReplacedBetweenTwoAnswers(isAskedTwice: Bool) {
    if isAskedTwice {
      let info = StoreInfo(
        documents: 0, deletedDocuments: 0, last: .integer(0), incarnation: "new")
      observe(.session(0, isSource: false, StoreOperation("notes", .info), .ok(.info(info))))
    }
    let found = observe(.received(0, since: .integer(7), Self.page("1-a", 8)))
    #expect(found == (isAskedTwice ? nil : "start"))
  }

  @Test mutating func whatIsNeverSavedIsWaste() {
    observe(.received(0, since: nil, Self.page("1-a", 1)))
    #expect(store("1-a") == nil)
    #expect(end() == "unsaved")
  }

  @Test mutating func aPageThatIsAskedForAgainTakesThePlaceOfTheFirst() {
    observe(.received(0, since: nil, Self.page("1-a", 1)))
    // The leaf was purged while the target was down, and the page is requested again.
    observe(.received(0, since: nil, Self.page("1-b", 2)))
    #expect(store("1-b") == nil)
    #expect(save(2, isSource: false) == nil)
  }

  @Test mutating func aPageThatFollowsAnotherDoesNot() {
    observe(.received(0, since: nil, Self.page("1-a", 1)))
    observe(.received(0, since: .integer(1), Self.page("1-b", 2)))
    #expect(store("1-b") == nil)
    #expect(save(2, isSource: false) == "ahead")
  }
}
