import Datastore
import JSON
import Replication
import Testing

/// Round trips of the typed messages through HTTP.
struct HTTPFormTests {
  private let form = HTTPForm(database: "/notes")

  private static let records = [
    RevisionRecord(id: "d", path: ["3-c", "2-b", "1-a"], body: ["n": 1, "x": ["y": .null]]),
    RevisionRecord(id: "ä/ü", path: ["1-a-b"], deleted: true, body: [:]),
    RevisionRecord(id: "é", path: ["12-a"], body: ["é": "e\u{301}", "big": .unsigned(.max)]),
  ]

  static let requests: [PeerRequest] = [
    .info, .flush, .changes(since: nil, limit: 7, filter: nil),
    .changes(since: .integer(9), limit: 0, filter: nil),
    .changes(since: .integer(-3), limit: 1, filter: nil),
    .changes(since: .text("3-g1AAA&=+ %/ü"), limit: 1, filter: nil),
    .changes(since: .text("9"), limit: 1, filter: nil),
    .changes(since: .text("0"), limit: 1, filter: nil),
    .changes(since: .text("\"q\""), limit: 1, filter: nil),
    .changes(since: .text(""), limit: 1, filter: nil),
    .changes(since: .text("[1,2]"), limit: 1, filter: nil),
    .changes(since: .integer(9), limit: 2, filter: .documentIDs(["a", "é", "e\u{301}"])),
    .revsDiff([]), .revsDiff([RevisionQuery(id: "d", revs: ["1-a", "2-b"])]),
    .revsDiff([RevisionQuery(id: "é", revs: ["1-a"]), RevisionQuery(id: "e\u{301}", revs: ["1-b"])]
    ),
    .getRevisions([
      RevisionQuery(id: "d", revs: ["1-a", "2-b"], latest: true),
      RevisionQuery(id: "e", revs: ["1-a"], latest: true),
    ]),
    .getRevisions([RevisionQuery(id: "d", revs: ["1-a"])]),
    .insertRevisions(records), .insertRevisions([]),
    .readLocal(id: "replication-1"), .readLocal(id: "a/b%c?d#é e\u{301}+"),
    .writeLocal(id: "x", body: ["history": [1, 2]]),
    // One in 64 checkpoint ids of PouchDB begins like this.
    .readLocal(id: "_mKb3QZ6ZlZ.Ggs2Uu8PQQ=="), .readLocal(id: "_local/x"),
    .writeLocal(id: "_", body: [:]),
  ]

  @Test(arguments: requests)
  func aRequestComesBack(request: PeerRequest) throws {
    let sent = try form.request(request)
    #expect(try HTTPRequest(sent.json, path: "") == sent)
    #expect(try form.read(sent) == request)
  }

  static let answers: [(PeerRequest, PeerResponse)] = [
    (
      .info,
      .ok(
        .info(
          StoreInfo(documents: 3, deletedDocuments: 1, last: .text("9-x"), incarnation: "i")))
    ),
    (.changes(since: nil, limit: 9, filter: nil), .ok(.changes(page(more: true)))),
    (.changes(since: nil, limit: 9, filter: nil), .ok(.changes(page(more: false)))),
    (
      .changes(since: .integer(1), limit: 2, filter: .documentIDs(["a"])),
      .ok(.changes(ChangesPage(rows: [], last: .integer(3), more: true)))
    ),
    (
      .revsDiff([RevisionQuery(id: "d", revs: ["1-a"])]),
      .ok(
        .revsDiff([
          Difference(id: "d", missing: ["1-a"], possibleAncestors: ["1-b"]),
          Difference(id: "é", missing: ["1-a"], possibleAncestors: []),
        ]))
    ),
    (
      .getRevisions([
        RevisionQuery(id: "d", revs: ["1-a", "2-x", "3-y"], latest: true),
        RevisionQuery(id: "e", revs: ["1-a"], latest: true),
      ]),
      .ok(
        .revisions([
          // Two leaves, one of which no longer has the requested revision as an ancestor.
          RevisionAnswer(
            id: "d", rev: "1-a",
            found: .records([
              records[0], RevisionRecord(id: "d", path: ["9-q"], deleted: true, body: [:]),
            ])),
          RevisionAnswer(id: "d", rev: "2-x", found: .missing),
          RevisionAnswer(id: "d", rev: "3-y", found: .bodyMissing),
          RevisionAnswer(
            id: "e", rev: "1-a",
            found: .records([RevisionRecord(id: "e", path: ["1-a"], body: ["_": "x"])])),
        ]))
    ),
    (.insertRevisions(records), .ok(.inserted([nil, DatastoreError(.forbidden, "no"), nil]))),
    (.insertRevisions(records), .ok(.inserted([nil, nil, nil]))),
    (.readLocal(id: "x"), .ok(.local(body: ["history": []]))),
    (.writeLocal(id: "x", body: [:]), .ok(.done)), (.flush, .ok(.done)),
    (.info, .status(500)), (.info, .status(429)), (.flush, .status(404)),
  ]

  private static func page(more: Bool) -> ChangesPage {
    ChangesPage(
      rows: [
        ChangesRow(
          seq: .integer(1), id: "a", deleted: false,
          leaves: [Leaf(rev: "2-a"), Leaf(rev: "3-b", deleted: true)]),
        ChangesRow(
          seq: .text("2-x"), id: "b", deleted: true, leaves: [Leaf(rev: "2-a", deleted: true)]),
      ], last: .text("2-x"), more: more)
  }

  @Test(arguments: answers)
  func anAnswerComesBack(request: PeerRequest, response: PeerResponse) throws {
    let sent = try form.response(response, to: request)
    #expect(try HTTPResponse(sent.json, path: "") == sent)
    #expect(try form.read(sent, to: request) == response)
  }

  @Test(arguments: [
    DatastoreError.Kind.badName, .badID, .badRevision, .badBody, .badSequence,
    .badRequest(path: "limit"), .conflict, .notFound(.missing), .notFound(.deleted),
    .notFound(.bodyMissing), .forbidden, .missingStub, .badAttachment, .tooLarge(limit: 12),
    .noSuchStore, .unsupported(what: "flush"), .storage(.full), .storage(.io), .storage(.corrupt),
    .storage(.newerVersion), .storage(.readOnly), .busy,
  ])
  func aRefusalComesBack(kind: DatastoreError.Kind) throws {
    let sent = try form.response(.refused(DatastoreError(kind, "why")), to: .info)
    #expect(sent.status >= 400)
    guard case .refused(let error) = try form.read(sent, to: .info) else {
      Issue.record("\(sent.json.serialized()) is not an error response")
      return
    }
    #expect(error.kind == kind)
    let item = try form.response(
      .ok(.inserted([nil, DatastoreError(kind), nil])), to: .insertRevisions(Self.records))
    guard
      case .ok(.inserted(let errors)) = try form.read(item, to: .insertRevisions(Self.records))
    else {
      Issue.record("\(item.json.serialized()) is not a response")
      return
    }
    #expect(errors.map { $0?.kind } == [nil, kind, nil])
  }

  @Test(arguments: [
    RevisionRecord(id: "d", path: [], body: [:]), RevisionRecord(id: "d", path: ["x"], body: [:]),
    RevisionRecord(id: "d", path: ["01-a"], body: [:]),
    RevisionRecord(id: "d", path: ["3-c", "1-a"], body: [:]),
    RevisionRecord(id: "d", path: ["1-c", "0-a"], body: [:]),
    RevisionRecord(id: "d", path: ["1-a"], body: 7),
    RevisionRecord(id: "d", path: ["1-a"], body: ["_rev": "2-b"]),
  ])
  func whatCannotTravelIsAFailure(record: RevisionRecord) {
    #expect(throws: DecodingFailure.self) { try form.request(.insertRevisions([record])) }
    let query = RevisionQuery(id: "d", revs: ["1-a"])
    let answer = RevisionAnswer(id: "d", rev: "1-a", found: .records([record]))
    #expect(throws: DecodingFailure.self) {
      try form.response(.ok(.revisions([answer])), to: .getRevisions([query]))
    }
  }

  // MARK: Messages of other products

  /// CouchDB's replicator sends the revisions of a checkpoint document that it has read before.
  @Test func aCheckpointHasNoMembersOfItsRevision() throws {
    let body: JSONValue = [
      "_id": "_local/x", "_rev": "0-1", "_revisions": ["start": 0, "ids": ["1"]], "history": [],
    ]
    let read = try form.read(HTTPRequest("PUT", "/notes/_local/x", body: body))
    #expect(read == .writeLocal(id: "x", body: ["history": []]))
  }

  @Test(arguments: [
    (#"{"method":"GET","path":"/other"}"#, 404),
    (#"{"method":"GET","path":"/notes/_design"}"#, 404),
    (#"{"method":"GET","path":"/notesx"}"#, 404),
    (#"{"method":"GET","path":"/notes/_bulk_get"}"#, 405),
    (#"{"method":"DELETE","path":"/notes"}"#, 405),
    (#"{"method":"DELETE","path":"/notes/_local/x"}"#, 405),
    (#"{"method":"GET","path":"/notes/_local/%zz"}"#, 400),
    (#"{"method":"GET","path":"/notes/_local/%ff"}"#, 400),
    (#"{"method":"PUT","path":"/notes/_local/x","body":[]}"#, 400),
    (#"{"method":"GET","path":"/notes/_changes"}"#, 400),
    (#"{"method":"GET","path":"/notes/_changes","query":"style=main_only"}"#, 400),
    (#"{"method":"GET","path":"/notes/_changes","query":"style=all_docs&filter=a/b"}"#, 400),
    (#"{"method":"GET","path":"/notes/_changes","query":"style=all_docs&filter=_doc_ids"}"#, 400),
    (#"{"method":"GET","path":"/notes/_changes","query":"style=all_docs&feed=continuous"}"#, 400),
    (#"{"method":"GET","path":"/notes/_changes","query":"style=all_docs&limit=-1"}"#, 400),
    (#"{"method":"GET","path":"/notes/_changes","query":"style=all_docs&since=%"}"#, 400),
    (#"{"method":"GET","path":"/notes/_changes","query":"style=all_docs&descending=true"}"#, 400),
    (#"{"method":"POST","path":"/notes/_bulk_docs","body":{"docs":[]}}"#, 400),
    (#"{"method":"POST","path":"/notes/_bulk_get","query":"latest=true","body":{"docs":[]}}"#, 400),
    (#"{"method":"POST","path":"/notes/_bulk_get","query":"revs=true","body":{"docs":[{}]}}"#, 400),
    (#"{"method":"POST","path":"/notes/_revs_diff","body":{"d":"1-a"}}"#, 400),
  ])
  func whatMeansSomethingElseIsRefused(request: String, status: Int64) throws {
    let request = try HTTPRequest(try JSONValue.parse(request), path: "")
    let refusal = #expect(throws: HTTPRefusal.self) { try form.read(request) }
    #expect(refusal?.response.status == status)
  }

  /// Requests of CDTDatastore and of CouchDB.
  @Test(arguments: [
    (
      "feed=normal&heartbeat=300000&style=all_docs&since=4&limit=100", UpdateSequence.integer(4),
      100
    ),
    ("feed=normal&style=all_docs&since=10-g1AA&timeout=10000", .text("10-g1AA"), 1 << 31),
    ("feed=normal&style=all_docs&since=0&timeout=10000", nil, 1 << 31),
    ("style=all_docs&since=%2210-g1AA%22&limit=2", .text("10-g1AA"), 2),
  ])
  func changesAreAskedForInManyWays(
    query: JSONString, since: UpdateSequence?, limit: Int64
  ) throws {
    let request = HTTPRequest("GET", "/notes/_changes", query: query)
    #expect(try form.read(request) == .changes(since: since, limit: limit, filter: nil))
  }

  @Test(
    arguments: [
      ("7", "", []), (#"{"_rev":"1-a"}"#, "", ["1-a"]), (#"{"_id":"d"}"#, "d", []),
      (#"{"_id":"d","_rev":"2-b","_revisions":{"start":2,"ids":["c","a"]}}"#, "d", []),
      (#"{"_id":"d","_rev":"2-b","_revisions":{"start":1,"ids":["b","a"]}}"#, "d", []),
      (#"{"_id":"d","_rev":"2-b","_revisions":{"start":2,"ids":[]}}"#, "d", []),
      (#"{"_id":"d","_rev":"2-b","_revisions":7}"#, "d", []),
      (#"{"_id":"d","_rev":"2-b"}"#, "d", ["2-b"]),
    ] as [(String, DocumentID, [RevisionID])])
  func aBrokenDocumentIsLeftToTheStore(document: String, id: DocumentID, path: [RevisionID]) throws
  {
    let request = HTTPRequest(
      "POST", "/notes/_bulk_docs",
      body: ["new_edits": false, "docs": [try JSONValue.parse(document)]])
    guard case .insertRevisions(let records) = try form.read(request) else {
      Issue.record("no records")
      return
    }
    #expect(records.map { $0.id } == [id])
    #expect(records.map { $0.path } == [path])
  }
}
