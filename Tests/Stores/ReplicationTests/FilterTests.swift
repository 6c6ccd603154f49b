import Datastore
import JSON
import Replication
import Testing

/// Filters are applied to each leaf separately.
struct FilterTests {
  private static let two = Filter.bodyFieldEquals(field: "k", value: 2)

  /// The ids in the requests of a filtered run to the target, and the ids that it stores.
  private static func run(
    _ filter: Filter, answers: [RevisionAnswer]? = nil, _ write: (inout Stage) -> Void
  ) -> (stage: Stage, asked: [DocumentID], stored: [String]) {
    var stage = Stage { $0.filter = filter }
    write(&stage)
    if let answers { stage.rule(.source, "getRevisions", .ok(.revisions(answers))) }
    stage.run()
    let asked = stage.requests(.target, "revsDiff").flatMap { request -> [DocumentID] in
      if case .revsDiff(let queries) = request { queries.map { $0.id } } else { [] }
    }
    return (stage, asked, stage.stored.map { "\($0.id) \($0.path[0])" })
  }

  @Test func documentIDs() {
    let (stage, asked, stored) = Self.run(.documentIDs(["d2"])) { $0.write(3) }
    #expect(asked == ["d2"])
    #expect(stored == ["d2 1-a"])
    #expect(stage.recorded(.source) == [3])
    guard case .changes(_, _, .documentIDs(["d2"])?)? = stage.requests(.source, "changes").first
    else {
      Issue.record("the filter was not sent to the source")
      return
    }
  }

  @Test func liveLeaves() {
    let (_, asked, stored) = Self.run(.live) { stage in
      stage.write("gone", ["2-x"], deleted: true)
      stage.rows.append(
        ChangesRow(
          seq: .integer(2), id: "both", deleted: false,
          leaves: [Leaf(rev: "2-a"), Leaf(rev: "3-b", deleted: true)]))
    }
    #expect(asked == ["both"])
    #expect(stored == ["both 2-a"])
  }

  @Test func bodies() {
    let answers = [
      RevisionAnswer(id: "d1", rev: "1-a", found: .records([.standIn("d1", "1-a", k: 1)])),
      RevisionAnswer(id: "d2", rev: "1-a", found: .records([.standIn("d2", "1-a", k: 2)])),
    ]
    let (stage, asked, stored) = Self.run(Self.two, answers: answers) { $0.write(2) }
    #expect(asked == ["d1", "d2"])
    #expect(stored == ["d2 1-a"])
    #expect(stage.state == .complete)
    #expect(stage.report.processed == 2)
    #expect(stage.recorded(.source) == [2])
  }

  @Test(arguments: [
    (#"{"k": 2}"#, true), (#"{"k": 2.0}"#, true), (#"{"k": "2"}"#, false), (#"{}"#, false),
    (#"{"k": null}"#, false), (#"{"a": {"k": 2}}"#, false), ("[2]", false),
  ])
  func aBodyIsComparedAsJSON(body: String, isAdmitted: Bool) throws {
    let record = RevisionRecord(id: "d1", path: ["1-a"], body: try JSONValue.parse(body))
    let answer = RevisionAnswer(id: "d1", rev: "1-a", found: .records([record]))
    let (_, _, stored) = Self.run(Self.two, answers: [answer]) { $0.write(1) }
    #expect(stored.isEmpty == !isAdmitted)
  }

  /// A selector is applied to the id, revision and body of each leaf, including tombstones.
  @Test(arguments: [
    (#"{"k": {"$gte": 2}}"#, ["d2 1-a"]), (#"{"k": {"$lt": 2}}"#, ["d1 1-a"]),
    (#"{"_id": "d1"}"#, ["d1 1-a"]), (#"{"_rev": "1-a", "k": {"$mod": [2, 0]}}"#, ["d2 1-a"]),
    (#"{"$nor": [{"k": 1}, {"k": 2}]}"#, []), ("{}", ["d1 1-a", "d2 1-a"]),
  ])
  func selectors(selector: String, expected: [String]) throws {
    let filter = try Filter(["selector": try JSONValue.parse(selector)], path: "filter")
    let answers = [
      RevisionAnswer(id: "d1", rev: "1-a", found: .records([.standIn("d1", "1-a", k: 1)])),
      RevisionAnswer(id: "d2", rev: "1-a", found: .records([.standIn("d2", "1-a", k: 2)])),
    ]
    let (stage, asked, stored) = Self.run(filter, answers: answers) { $0.write(2) }
    #expect(asked == ["d1", "d2"])
    #expect(stored == expected)
    #expect(stage.recorded(.source) == [2])
  }

  /// A record that the selector cannot evaluate is not copied, and no checkpoint covers it.
  @Test func expressionsAreBounded() throws {
    let filter = try Filter(
      ["selector": ["k": ["$regex": "(a{250}){4}"]]], path: "filter")
    let answers = [(1, 67_108), (2, 67_109)].map { number, count in
      let id = DocumentID(JSONString("d\(number)"))
      let record = RevisionRecord(
        id: id, path: ["1-a"], body: ["k": .text(String(repeating: "a", count: count))])
      return RevisionAnswer(id: id, rev: "1-a", found: .records([record]))
    }
    let (stage, _, stored) = Self.run(filter, answers: answers) { $0.write(2) }
    #expect(stored == ["d1 1-a"])
    #expect(stage.state == .error)
    #expect(stage.recorded(.source).isEmpty)
    #expect(stage.report.failures.map { $0.id } == ["d2"])
    #expect(stage.report.failures.first?.reason.string.contains("tooLarge(67108864)") == true)
  }

  /// A checkpoint of one filter is not used for another one.
  @Test func eachSelectorHasItsOwnCheckpoint() throws {
    var ids: Set<DocumentID?> = []
    for selector in [#"{"k": 1}"#, #"{"k": 2}"#, #"{"k": {"$gt": 1}}"#, "{}"] {
      let filter = try Filter(["selector": try JSONValue.parse(selector)], path: "filter")
      let (stage, _, _) = Self.run(filter) { $0.write(1) }
      ids.insert(stage.report.checkpoint)
    }
    let (stage, _, _) = Self.run(.live) { $0.write(1) }
    ids.insert(stage.report.checkpoint)
    #expect(ids.count == 5)
    #expect(!ids.contains(nil))
  }

  @Test func aBadSelectorIsNoFilter() throws {
    let failure = #expect(throws: DecodingFailure.self) {
      _ = try Filter(["selector": ["k": ["$near": 1]]], path: "filter")
    }
    #expect(failure?.path == "filter.selector")
    #expect("\(failure!)".contains("$near"))
  }

  /// The source has changed: the replacement of a requested revision is filtered again.
  @Test(arguments: [
    Filter.live, two, .documentIDs(["d1"]),
    .selector(.field(FieldPath(names: ["_rev"]), [.differs(.value("2-y"))])),
  ])
  func whatLatestPutsInItsPlaceIsFilteredAgain(filter: Filter) {
    let newer = [
      RevisionRecord(id: "d1", path: ["2-x", "1-a"], body: ["k": 2]),
      RevisionRecord(id: "d1", path: ["2-y", "1-a"], body: ["k": 1]),
      RevisionRecord(id: "d1", path: ["2-z", "1-a"], deleted: true, body: ["k": 2]),
    ]
    let answer = RevisionAnswer(id: "d1", rev: "1-a", found: .records(newer))
    let (stage, _, stored) = Self.run(filter, answers: [answer]) { $0.write(1) }
    let expected =
      switch filter {
      case .live: ["d1 2-x", "d1 2-y"]
      case .bodyFieldEquals: ["d1 2-x", "d1 2-z"]
      case .documentIDs: ["d1 2-x", "d1 2-y", "d1 2-z"]
      case .selector: ["d1 2-x", "d1 2-z"]
      }
    #expect(stored == expected)
    #expect(stage.report.processed == 1)
    #expect(stage.report.total == 1)
  }

  @Test func aLeafThatTwoRevisionsLeadToIsStoredOnce() {
    let leaf = RevisionRecord(id: "c", path: ["3-x", "2-a", "1-a"], body: [:])
    var stage = Stage()
    stage.write("c", ["2-a", "1-a"])
    stage.rule(
      .source, "getRevisions",
      .ok(
        .revisions([
          RevisionAnswer(id: "c", rev: "2-a", found: .records([leaf])),
          RevisionAnswer(id: "c", rev: "1-a", found: .records([leaf])),
        ])))
    stage.run()
    #expect(stage.stored == [leaf])
    #expect(stage.report.processed == 2)
  }
}
