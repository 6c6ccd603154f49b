import Datastore
import JSON
import Replication
import Testing

/// Errors as HTTP statuses; the status determines whether a client retries.
struct HTTPStatusTests {
  private let form = HTTPForm(database: "/notes")

  @Test(
    arguments: [
      (DatastoreError.Kind.badName, 400), (.badID, 400), (.badRevision, 400), (.badBody, 400),
      (.badSequence, 400), (.badRequest(path: "limit"), 400), (.badAttachment, 400),
      (.forbidden, 403), (.notFound(.missing), 404), (.notFound(.deleted), 404),
      (.notFound(.bodyMissing), 404), (.noSuchStore, 404), (.conflict, 409), (.missingStub, 412),
      (.tooLarge(limit: 12), 413), (.storage(.io), 500), (.storage(.corrupt), 500),
      (.storage(.newerVersion), 500), (.storage(.readOnly), 500),
      (.unsupported(what: "flush"), 501), (.busy, 503), (.storage(.full), 507),
    ] as [(DatastoreError.Kind, Int64)])
  func aRefusalHasTheStatusOfTheFamily(kind: DatastoreError.Kind, status: Int64) throws {
    let answer = try form.response(.refused(DatastoreError(kind, "why")), to: .info)
    #expect(answer.status == status)
  }

  /// Servers explain in prose what is too large; the unknown limit is reported as 0.
  @Test(arguments: ["document_too_large", "too_large", "max_document_size_exceeded"])
  func aLimitInASentenceIsUnknown(name: JSONString) throws {
    let answer = HTTPResponse(
      413, body: ["error": .string(name), "reason": "the request entity is too large"])
    guard case .refused(let error) = try form.read(answer, to: .info) else {
      Issue.record("\(answer.json.serialized()) is no refusal")
      return
    }
    #expect(error.kind == .tooLarge(limit: 0))
  }

  /// The store validates attachment names, including the empty one.
  @Test func anEmptyNameOfAnAttachmentReachesTheStore() throws {
    #expect(
      try form.read(HTTPRequest("GET", "/notes/d/"))
        == .readAttachment(id: "d", rev: nil, name: "", offset: nil, limit: nil))
  }

  /// The range of a chunk does not depend on the padding of its base64.
  @Test(arguments: [("eHl6", 2), ("eHk=", 1), ("eA==", 0), ("eHl6eHl6eA==", 6)])
  func aPieceNamesItsBytes(bytes: String, last: Int) throws {
    let piece = AttachmentPiece(
      of: RevisionAttachment("a", .stub, length: 20), offset: 5,
      bytes: JSONString(bytes))
    let answer = try form.response(
      .ok(.attachment(piece)),
      to: .readAttachment(id: "d", rev: nil, name: "a", offset: 5, limit: 9))
    #expect(answer.status == 206)
    #expect(answer.headers["content-range"] == .text("bytes 5-\(5 + last)/20"))
  }

  /// A server without `pending` has no more changes if it returns less than a full page.
  @Test(arguments: [(1, true), (2, false)] as [(Int64, Bool)])
  func withoutPendingAFullPageHasASuccessor(limit: Int64, more: Bool) throws {
    let answer = HTTPResponse(
      200,
      body: [
        "results": [["seq": 1, "id": "d", "changes": [["rev": "1-a"]]]], "last_seq": 1,
      ])
    let request = PeerRequest.changes(since: nil, limit: limit, filter: nil)
    guard case .ok(.changes(let page)) = try form.read(answer, to: request) else {
      Issue.record("\(answer.json.serialized()) is no page")
      return
    }
    #expect(page.more == more)
  }
}
