import Datastore
import JSON
import Replication
import Testing

/// The exchange between the replicator and the server of Apache CouchDB 3.4.3, as recorded on the
/// wire; bodies and sequences are abbreviated.
struct RecordedExchangesTests {
  private let form = HTTPForm(database: "/src")

  private func answer(
    _ status: Int64, _ body: String, to request: PeerRequest
  ) throws -> PeerResponse {
    try form.read(HTTPResponse(status, body: try JSONValue.parse(body)), to: request)
  }

  @Test func whoTheDatabaseIs() throws {
    let info = try answer(
      200,
      #"""
      {"instance_start_time":"1795211790","db_name":"src","purge_seq":"0-g2wAA","update_seq":"7-g1AAA",
      "sizes":{"file":41163,"external":75,"active":1431},"props":{},"doc_del_count":1,"doc_count":5,
      "disk_format_version":8,"compact_running":false,"cluster":{"q":1,"n":1,"w":1,"r":1}}
      """#, to: .info)
    let expected = StoreInfo(
      documents: 5, deletedDocuments: 1, last: .text("7-g1AAA"), incarnation: "1795211790")
    #expect(info == .ok(.info(expected)))
    let none = try answer(
      404, #"{"error":"not_found","reason":"Database does not exist."}"#, to: .info)
    #expect(none == .refused(DatastoreError(.noSuchStore, "Database does not exist.")))
  }

  @Test func changesOfChosenDocuments() throws {
    let recorded = HTTPRequest(
      "POST", "/src/_changes",
      query: "filter=_doc_ids&feed=normal&style=all_docs&since=0&timeout=10000",
      body: ["doc_ids": ["d1", "d3", "nope"]])
    let request = try form.read(recorded)
    #expect(
      request
        == .changes(since: nil, limit: 1 << 31, filter: .documentIDs(["d1", "d3", "nope"])))
    let first = try answer(
      200,
      #"""
      {"results":[
      {"seq":"2-g1AAA","id":"d1","changes":[{"rev":"1-d403248200f1f9aed5b162e8a7c1d64b"}]},
      {"seq":"4-g1AAA","id":"d3","changes":[{"rev":"1-f311a6254c2a2377284cf2a86f263037"}]}
      ],
      "last_seq":"5-g1AAA","pending":3}
      """#, to: request)
    guard case .ok(.changes(let page)) = first else {
      Issue.record("no page")
      return
    }
    #expect(page.rows.map { $0.id } == ["d1", "d3"])
    #expect(page.last == .text("5-g1AAA"))
    // The server counts the excluded documents, and always will.
    #expect(page.more)
    let next = try answer(
      200, #"{"results":[],"last_seq":"5-g1AAA","pending":3}"#,
      to: .changes(since: page.last, limit: 100, filter: .documentIDs(["d1"])))
    #expect(next == .ok(.changes(ChangesPage(rows: [], last: .text("5-g1AAA"), more: false))))
  }

  @Test func missingRevisions() throws {
    let request = try form.read(
      HTTPRequest(
        "POST", "/src/_revs_diff",
        body: ["b": ["1-7a7e4b29f3af401e69b6f86e4c26b727"]]))
    let found = try answer(
      200, #"{"b":{"missing":["1-7a7e4b29f3af401e69b6f86e4c26b727"]}}"#, to: request)
    #expect(
      found
        == .ok(
          .revsDiff([
            Difference(
              id: "b", missing: ["1-7a7e4b29f3af401e69b6f86e4c26b727"], possibleAncestors: [])
          ])))
  }

  @Test func aConflictIsFetchedLeafByLeaf() throws {
    let request = try form.read(
      HTTPRequest(
        "POST", "/src/_bulk_get", query: "latest=true&revs=true&attachments=false",
        body: try JSONValue.parse(
          #"""
          {"revs":true,"latest":true,"docs":[
          {"rev":"2-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","id":"conf","atts_since":[]},
          {"rev":"3-dddddddddddddddddddddddddddddddd","id":"conf","atts_since":[]}],
          "attachments":false}
          """#)))
    let found = try answer(
      200,
      #"""
      {"results":[{"id":"conf","docs":[{"ok":{"_id":"conf","_rev":"2-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
      "v":"b","_revisions":{"start":2,"ids":["bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]}}}]},
      {"id":"conf","docs":[{"ok":{"_id":"conf","_rev":"3-dddddddddddddddddddddddddddddddd",
      "_deleted":true,"_revisions":{"start":3,"ids":["dddddddddddddddddddddddddddddddd",
      "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]}}}]}]}
      """#, to: request)
    let a: RevisionID = "1-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    let b: RevisionID = "2-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    let d: RevisionID = "3-dddddddddddddddddddddddddddddddd"
    let e: RevisionID = "2-eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    #expect(
      found
        == .ok(
          .revisions([
            RevisionAnswer(
              id: "conf", rev: b,
              found: .records([RevisionRecord(id: "conf", path: [b, a], body: ["v": "b"])])),
            RevisionAnswer(
              id: "conf", rev: d,
              found: .records([
                RevisionRecord(id: "conf", path: [d, e, a], deleted: true, body: [:])
              ])),
          ])))
  }

  /// The same response with all revisions of the document under one entry, as other servers send
  /// it.
  @Test func answersMayBeGroupedByDocument() throws {
    let asked = PeerRequest.getRevisions([
      RevisionQuery(id: "c", revs: ["1-a", "2-z", "9-q"], latest: true)
    ])
    let found = try answer(
      200,
      #"""
      {"results":[{"id":"c","docs":[{"error":{"id":"c","rev":"9-q","error":"not_found","reason":"missing"}},
      {"ok":{"_id":"c","_rev":"2-b","_revisions":{"start":2,"ids":["b","a"]}}}]}]}
      """#, to: asked)
    let leaf = RevisionRecord(id: "c", path: ["2-b", "1-a"], body: [:])
    // The response contains no entry for 2-z, so it has no answer.
    #expect(
      found
        == .ok(
          .revisions([
            RevisionAnswer(id: "c", rev: "1-a", found: .records([leaf])),
            RevisionAnswer(id: "c", rev: "9-q", found: .missing),
          ])))
  }

  @Test func aDocumentThatCannotBeReadIsNoAnswer() throws {
    let asked = PeerRequest.getRevisions([RevisionQuery(id: "c", revs: ["1-a"], latest: true)])
    let found = try answer(
      200, #"{"results":[{"id":"c","docs":[{"ok":{"_id":"c"}}]}]}"#, to: asked)
    #expect(found == .ok(.revisions([])))
  }

  @Test func aRejectedDocument() throws {
    let request = try form.read(
      HTTPRequest(
        "POST", "/src/_bulk_docs",
        body: try JSONValue.parse(
          #"""
          {"new_edits":false,"docs":[{"_id":"bad1","_rev":"1-809b6547d37e0e6c1dda85ab3de68748","bad":1,
          "_revisions":{"start":1,"ids":["809b6547d37e0e6c1dda85ab3de68748"]}}]}
          """#)))
    guard case .insertRevisions(let records) = request else {
      Issue.record("no records")
      return
    }
    #expect(records.map { $0.body } == [["bad": 1]])
    let rejected = try answer(
      201,
      #"[{"id":"bad1","rev":"1-809b6547d37e0e6c1dda85ab3de68748","error":"forbidden","reason":"bad doc"}]"#,
      to: request)
    #expect(rejected == .ok(.inserted([DatastoreError(.forbidden, "bad doc")])))
    #expect(try answer(201, "[]", to: request) == .ok(.inserted([nil])))
    // An error for another record is not treated as success.
    #expect(throws: DecodingFailure.self) {
      try answer(201, #"[{"id":"x","error":"forbidden"}]"#, to: request)
    }
    let broken = try answer(201, #"[{"id":"bad1","error":"odd"}]"#, to: request)
    #expect(broken == .ok(.inserted([DatastoreError(.storage(.io), #""odd""#)])))
  }

  @Test func aCheckpoint() throws {
    let none = try answer(
      404, #"{"error":"not_found","reason":"missing"}"#, to: .readLocal(id: "x"))
    #expect(none == .refused(DatastoreError(.notFound(.missing), "missing")))
    let there = try answer(
      200,
      #"{"_id":"_local/96ca","_rev":"0-1","session_id":"1df0","source_last_seq":"7-g1","history":[]}"#,
      to: .readLocal(id: "96ca"))
    #expect(
      there == .ok(.local(body: ["session_id": "1df0", "source_last_seq": "7-g1", "history": []])))
    let written = try answer(
      201, #"{"ok":true,"id":"_local/96ca","rev":"0-1"}"#, to: .writeLocal(id: "96ca", body: [:]))
    #expect(written == .ok(.done))
    let flushed = try answer(
      201, #"{"ok":true,"instance_start_time":"1795211790"}"#, to: .flush)
    #expect(flushed == .ok(.done))
  }

  @Test(arguments: [
    (401, #"{"error":"unauthorized","reason":"You are not authorized"}"#, true),
    (500, #"{"error":"internal_server_error","reason":"x"}"#, false),
    (502, "\"<html>\"", false), (429, "{}", false),
  ])
  func errorsOfServers(status: Int64, body: String, isRefusal: Bool) throws {
    let response = try answer(status, body, to: .info)
    if isRefusal {
      guard case .refused(let error) = response else {
        Issue.record("no refusal")
        return
      }
      #expect(error.kind == .forbidden)
    } else {
      #expect(response == .status(Int(status)))
    }
  }
}
