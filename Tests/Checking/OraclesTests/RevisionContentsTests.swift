import Datastore
import JSON
import Oracles
import Testing

/// Equal revision ids have equal contents on every replica.
@Suite struct RevisionContentsTests {
  private static func attached(_ attachment: RevisionAttachment) -> StoreAction {
    .attaching([attachment], to: .create(id: "d", body: [:]))
  }

  private static let written = Outcome.ok(.written(id: "d", rev: "1-a"))

  /// Two stores give one id to two edits; the finding does not wait for the end of the run.
  @Test(
    arguments: [
      (["n": 1], ["n": true]), (["t": "\u{e9}"], ["t": "e\u{301}"]), (["t": "a"], ["t": "\u{161}"]),
      (["n": 9_007_199_254_740_992], ["n": 9_007_199_254_740_993]),
      (["a": 1], ["a": 1, "b": .null]),
      (["t": "a"], ["t": "A"]), (["l": [1, 2]], ["l": [2, 1]]),
    ] as [(JSONValue, JSONValue)])
  func oneIDOfTwoBodies(left: JSONValue, right: JSONValue) {
    var witness = Witness()
    witness.create(0, "d", "1-a", left)
    #expect(witness.kinds == [])
    witness.create(1, "d", "1-a", right)
    #expect(
      witness.findings == [.unequalContents("d", "1-a", .body, left: "a", right: "b")])
  }

  @Test(
    arguments: [
      (["n": 1], ["n": .double(1)]), (["n": 0], ["n": -0.0]),
      (["a": 1, "b": 2], ["b": 2, "a": 1]),
    ] as [(JSONValue, JSONValue)])
  func oneValueInTwoEncodings(left: JSONValue, right: JSONValue) {
    var witness = Witness()
    witness.create(0, "d", "1-a", left)
    witness.create(1, "d", "1-a", right)
    #expect(witness.findings == [])
    #expect(witness.oracles.lostConvergence == 0)
    // Two ids of one edit are a needless conflict, and no violation.
    witness.create(1, "e", "1-b", left)
    witness.create(0, "e", "1-c", right)
    #expect(witness.findings == [])
    #expect(witness.oracles.lostConvergence == 1)
  }

  @Test(arguments: [
    RevisionAttachment("a", .data("YWJj"), type: "text/html"),
    RevisionAttachment("A", .data("YWJj"), type: "text/plain"),
    RevisionAttachment("a", .data("YWJk"), type: "text/plain"),
    RevisionAttachment("a", .data("YWJj"), type: "text/plain", encoding: "gzip"),
  ])
  func oneIDOfTwoAttachments(other: RevisionAttachment) {
    var witness = Witness()
    let first = RevisionAttachment("a", .data("YWJj"), type: "text/plain")
    witness.client(0, Self.attached(first), Self.written)
    witness.client(1, Self.attached(first), Self.written)
    #expect(witness.kinds == [])
    witness.client(1, Self.attached(other), Self.written)
    #expect(witness.kinds == ["contents/attachments"])
  }

  /// The ids of a profile cover what it says, and no more.
  @Test func attachmentsOutsideOfTheID() {
    for profile: RevisionIDProfile in [.cdtDigest, .couchdb] {
      var witness = Witness()
      witness.oracles = Oracles(replicas: ["a", "b"], revisionIDs: profile)
      let plain = RevisionAttachment("a", .data("YWJj"), type: "text/plain")
      var encoded = plain
      encoded.encoding = "gzip"
      witness.client(0, Self.attached(plain), Self.written)
      witness.client(1, Self.attached(encoded), Self.written)
      #expect(witness.kinds == [])
      witness.client(
        1, Self.attached(RevisionAttachment("a", .data("YWJk"), type: "text/plain")), Self.written)
      #expect(witness.kinds == (profile == .couchdb ? ["contents/attachments"] : []))
    }
  }

  /// A session and a client read another body than a store acknowledged.
  @Test func anotherContentIsRead() {
    let record = RevisionRecord(id: "d", path: ["1-a"], body: ["n": 2])
    let result = OperationResult.revisions([
      RevisionAnswer(id: "d", rev: "1-a", found: .records([record]))
    ])
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.begin()
    witness.session(true, .getRevisions([RevisionQuery(id: "d", revs: ["1-a"])]), .ok(result))
    #expect(
      witness.findings == [.unequalContents("d", "1-a", .body, left: "a", right: "a")])
    let tombstone = DocumentRevision(id: "d", rev: "1-a", deleted: true, body: ["n": 1])
    witness.client(1, .read(id: "d", rev: "1-a"), .ok(.document(tombstone)))
    #expect(
      witness.findings.last == .unequalContents("d", "1-a", .state, left: "a", right: "b"))
  }

  /// Clients may insert any content under any id, and a purged document may start again.
  @Test func contentsOfClients() {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.client(
      1, .insertRevisions([RevisionRecord(id: "d", path: ["1-a"], body: ["n": 2])]),
      .ok(.inserted([nil])))
    witness.create(0, "e", "1-a", ["n": 1])
    witness.client(0, .purge(id: "e", revs: ["1-a"]), .ok(.purged(["1-a"])))
    witness.create(1, "e", "1-a", ["n": 2])
    #expect(witness.findings == [])
  }

  /// At the end every leaf can be read, and both operations that read it return the same.
  @Test(
    arguments: [
      (DocumentRevision(id: "d", rev: "2-b", body: ["n": 2]), []),
      (DocumentRevision(id: "d", rev: "2-b", body: ["n": 1]), ["contents/reads"]),
      (nil, ["contents/unreadable"]),
    ] as [(DocumentRevision?, [String])])
  func leavesAtTheEnd(losing: DocumentRevision?, kinds: [String]) {
    var witness = Witness()
    let records = [
      RevisionRecord(id: "d", path: ["2-c", "1-a"], body: ["n": 1]),
      RevisionRecord(id: "d", path: ["2-b", "1-a"], body: ["n": 2]),
    ]
    witness.client(0, .insertRevisions(records), .ok(.inserted([nil, nil])))
    var document = FinalDocument("d", records[0], records[1])
    document.reads = [
      FinalRead(
        rev: "2-c", document: DocumentRevision(id: "d", rev: "2-c", body: ["n": 1])),
      FinalRead(rev: "2-b", document: losing),
    ]
    witness.end([document])
    #expect(witness.kinds == kinds)
  }

  /// A local document is the last written one, or that of a write without a response.
  @Test func localDocuments() {
    var witness = Witness()
    func read(_ replica: Int, _ body: JSONValue?) {
      let outcome: Outcome =
        body.map { .ok(.local(body: $0)) } ?? .error(DatastoreError(.notFound(.missing)))
      witness.client(replica, .readLocal(id: "l"), outcome)
    }
    witness.client(0, .writeLocal(id: "l", body: ["n": 1]), .ok(.done))
    witness.client(1, .writeLocal(id: "l", body: ["n": true]), .ok(.done))
    read(0, ["n": 1])
    read(1, ["n": true])
    #expect(witness.findings == [])
    witness.client(0, .writeLocal(id: "l", body: nil), .unknown)
    read(0, ["n": 1])
    read(0, nil)
    #expect(witness.findings == [])
    read(0, ["n": true])
    read(1, nil)
    #expect(
      witness.findings == [.alteredLocal("l", replica: "a"), .alteredLocal("l", replica: "b")])
    witness.tell(.restored(replica: 0))
    read(0, ["n": 3])
    #expect(witness.findings.count == 2)
  }
}
