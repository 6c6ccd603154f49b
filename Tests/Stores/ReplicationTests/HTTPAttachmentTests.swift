import Datastore
import JSON
import Replication
import Testing

/// Round trips of attachments through HTTP.
struct HTTPAttachmentTests {
  private let form = HTTPForm(database: "/notes")

  private static let digest: JSONString = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

  private static let records = [
    RevisionRecord(
      id: "d", path: ["2-b", "1-a"], body: [:],
      attachments: [
        RevisionAttachment(
          "a/ü %.png", .data("eA=="), type: "image/png", digest: digest, length: 1, revpos: 2),
        RevisionAttachment("none", .data("")),
        RevisionAttachment("b", .stub, type: "text/plain", digest: digest, length: 0, revpos: 1),
        RevisionAttachment(
          "c", .chunks, digest: digest, length: 9, encoding: "gzip", encodedLength: 4),
        RevisionAttachment("e\u{301}", .stub, ownDigest: "md5-x"),
        RevisionAttachment("é", .stub),
      ])
  ]

  static let requests: [PeerRequest] = [
    .insertRevisions(records),
    .getRevisions([
      RevisionQuery(id: "d", revs: ["2-b"], latest: true, attachmentsSince: []),
      RevisionQuery(
        id: "e", revs: ["2-b", "2-c"], latest: true, attachmentsSince: ["1-a", "1-b"]),
    ]),
    .getRevisions([RevisionQuery(id: "d", revs: ["2-b"], attachmentsSince: ["1-a"])]),
    .readAttachment(id: "d", rev: "2-b", name: "a", offset: 0, limit: 10),
    .readAttachment(id: "d", rev: nil, name: "a", offset: nil, limit: nil),
    .readAttachment(id: "d", rev: nil, name: "a", offset: 7, limit: nil),
    .readAttachment(id: "_design/x", rev: "1-+&", name: "a/b/ü %?#", offset: 5, limit: 1),
    .readAttachment(id: "ü/%2F é", rev: nil, name: "_x", offset: nil, limit: nil),
    .putBlob(digest: digest, offset: 0, bytes: ""),
    .putBlob(digest: digest, offset: 65_536, bytes: "eA=="),
  ]

  @Test(arguments: requests)
  func aRequestComesBack(request: PeerRequest) throws {
    let sent = try form.request(request)
    #expect(try HTTPRequest(sent.json, path: "") == sent)
    #expect(try form.read(sent) == request)
  }

  private static func piece(
    _ offset: Int64, _ bytes: JSONString, of length: Int64, encoded: Int64? = nil
  ) -> AttachmentPiece {
    AttachmentPiece(
      of: RevisionAttachment(
        "a", .stub, type: "text/plain", digest: digest, length: encoded == nil ? length : nil,
        encoding: encoded == nil ? nil : "gzip", encodedLength: encoded),
      offset: offset, bytes: bytes)
  }

  static let pieces: [(AttachmentPiece, Int64)] = [
    (piece(0, "eHl6", of: 3), 200), (piece(0, "eHl6", of: 4), 206), (piece(3, "eA==", of: 4), 206),
    (piece(4, "", of: 4), 416), (piece(0, "", of: 0), 200), (piece(9, "", of: 4), 416),
    (piece(2, "eHk=", of: 0, encoded: 4), 206),
  ]

  @Test(arguments: pieces)
  func aPieceComesBack(piece: AttachmentPiece, status: Int64) throws {
    let request = PeerRequest.readAttachment(
      id: "d", rev: "1-a", name: "a", offset: piece.offset, limit: 9)
    let sent = try form.response(.ok(.attachment(piece)), to: request)
    #expect(sent.status == status)
    #expect(try HTTPResponse(sent.json, path: "") == sent)
    #expect(try form.read(sent, to: request) == .ok(.attachment(piece)))
  }

  static let answers: [(PeerRequest, PeerResponse)] = [
    (.putBlob(digest: digest, offset: 0, bytes: ""), .ok(.held(7))),
    (.putBlob(digest: digest, offset: 9, bytes: "eA=="), .refused(.badRequest(path: "offset"))),
    (
      .readAttachment(id: "d", rev: nil, name: "a", offset: nil, limit: nil),
      .refused(.notFound(.bodyMissing))
    ),
    (.insertRevisions(records), .refused(.missingStub)),
    (.insertRevisions(records), .ok(.inserted([DatastoreError(.missingStub)]))),
    (
      .getRevisions([RevisionQuery(id: "d", revs: ["2-b"], attachmentsSince: [])]),
      .ok(.revisions([RevisionAnswer(id: "d", rev: "2-b", found: .records(records))]))
    ),
  ]

  @Test(arguments: answers)
  func anAnswerComesBack(request: PeerRequest, response: PeerResponse) throws {
    let sent = try form.response(response, to: request)
    #expect(try HTTPResponse(sent.json, path: "") == sent)
    let read = try form.read(sent, to: request)
    switch (read, response) {
    case (.refused(let read), .refused(let error)): #expect(read.kind == error.kind)
    case (.ok(.inserted(let read)), .ok(.inserted(let errors))):
      #expect(read.map { $0?.kind } == errors.map { $0?.kind })
    default: #expect(read == response)
    }
  }

  @Test func aMissingStubIsStatus412() throws {
    let sent = try form.response(.refused(.missingStub), to: .insertRevisions(Self.records))
    #expect(sent.status == 412)
    #expect(sent.body?.objectValue?["error"] == "missing_stub")
  }

  /// CouchDB's digest is unrelated to ours.
  @Test func digestsOfServersAreTheirOwn() throws {
    let document: JSONValue = [
      "_id": "d", "_rev": "1-a",
      "_attachments": [
        "a": [
          "content_type": "text/plain", "revpos": 1, "digest": "md5-rL0Y20zC+Fzt72VPzMSk2A==",
          "length": 3, "stub": true,
        ]
      ],
    ]
    let request = HTTPRequest(
      "POST", "/notes/_bulk_docs", body: ["new_edits": false, "docs": [document]])
    guard case .insertRevisions(let records) = try form.read(request) else {
      Issue.record("no records")
      return
    }
    #expect(
      records.first?.attachments == [
        RevisionAttachment(
          "a", .stub, type: "text/plain", length: 3, revpos: 1,
          ownDigest: "md5-rL0Y20zC+Fzt72VPzMSk2A==")
      ])
    let sent = try form.request(.insertRevisions(records)).body?.objectValue?["docs"]?.arrayValue
    #expect(
      sent?.first?.objectValue?["_attachments"] == document.objectValue?["_attachments"])
  }

  /// Invalid attachments are passed to the store, which rejects an attachment without a name.
  @Test(arguments: ["7", #"{"a":7}"#])
  func brokenAttachmentsAreLeftToTheStore(member: String) throws {
    let document: JSONValue = [
      "_id": "d", "_rev": "1-a", "_attachments": try JSONValue.parse(member),
    ]
    let request = HTTPRequest(
      "POST", "/notes/_bulk_docs", body: ["new_edits": false, "docs": [document]])
    guard case .insertRevisions(let records) = try form.read(request) else {
      Issue.record("no records")
      return
    }
    #expect(records.first?.attachments.map { $0.name } == [""])
  }

  @Test(arguments: [
    (#"{"method":"PUT","path":"/notes/d/a","bytes":""}"#, 405),
    (#"{"method":"GET","path":"/notes/_blobs/x"}"#, 405),
    (#"{"method":"PUT","path":"/notes/_blobs/x"}"#, 400),
    (#"{"method":"PUT","path":"/notes/_blobs/x","query":"offset=a","bytes":""}"#, 400),
    (#"{"method":"GET","path":"/notes/d/%zz"}"#, 400),
    (#"{"method":"GET","path":"/notes/d"}"#, 404), (#"{"method":"GET","path":"/notesd/a"}"#, 404),
    (#"{"method":"GET","path":"/notes/_design/x"}"#, 404),
    (#"{"method":"GET","path":"/notes/_all_docs/x"}"#, 404),
    (#"{"method":"GET","path":"/notes/d/a","headers":{"range":"bytes=-5"}}"#, 400),
    (#"{"method":"GET","path":"/notes/d/a","headers":{"range":"bytes=5-4"}}"#, 400),
    (#"{"method":"GET","path":"/notes/d/a","headers":{"range":"bytes=0-1,4-5"}}"#, 400),
    (
      #"{"method":"POST","path":"/notes/_bulk_get","query":"revs=true","#
        + #""body":{"docs":[{"id":"d","rev":"1-a","atts_since":7}]}}"#, 400
    ),
  ])
  func whatMeansSomethingElseIsRefused(request: String, status: Int64) throws {
    let request = try HTTPRequest(try JSONValue.parse(request), path: "")
    let refusal = #expect(throws: HTTPRefusal.self) { try form.read(request) }
    #expect(refusal?.response.status == status)
  }

  @Test func whatCannotTravel() {
    #expect(throws: DecodingFailure.self) {
      try form.request(.readAttachment(id: "d", rev: nil, name: "a", offset: 1, limit: 0))
    }
    let record = RevisionRecord(
      id: "d", path: ["1-a"], body: [:], attachments: [RevisionAttachment("a", .file("/x"))])
    #expect(throws: DecodingFailure.self) { try form.request(.insertRevisions([record])) }
  }
}
