import Datastore
import JSON
import Testing

/// Attachments in operations, records and results.
struct AttachmentJSONTests {
  static let full = RevisionAttachment(
    "a/b", .data("YWJj"), type: "text/plain", digest: "sha256-x", length: 3, revpos: 2,
    encoding: "gzip", encodedLength: 23, ownDigest: "md5-y")
  static let fullText =
    #"{"a/b":{"type":"text/plain","digest":"sha256-x","length":3,"revpos":2,"encoding":"gzip","#
    + #""encodedLength":23,"ownDigest":"md5-y","data":"YWJj"}}"#

  static let operations: [(StoreAction, String)] = [
    (
      .create(id: "d", body: [:], attachments: [full]),
      #"{"op":"create","store":"s","id":"d","body":{},"attachments":\#(fullText)}"#
    ),
    (
      .create(id: nil, body: [:], attachments: []),
      #"{"op":"create","store":"s","body":{},"attachments":{}}"#
    ),
    (
      .update(
        id: "d", rev: "1-a", body: [:],
        attachments: [
          RevisionAttachment("z", .stub), RevisionAttachment("a", .file("/x")),
          RevisionAttachment("body", .chunks, digest: ""),
        ]),
      #"{"op":"update","store":"s","id":"d","rev":"1-a","body":{},"attachments":{"z":{"stub":true},"#
        + #""a":{"file":"/x"},"body":{"digest":"","chunks":true}}}"#
    ),
    (
      .resolve(
        id: "d", leaves: ["1-a"], keep: "1-a", body: [:],
        attachments: [RevisionAttachment("z", .stub)]),
      #"{"op":"resolve","store":"s","id":"d","leaves":["1-a"],"keep":"1-a","body":{},"#
        + #""attachments":{"z":{"stub":true}}}"#
    ),
    (
      .batch([.create(id: "d", body: [:], attachments: [RevisionAttachment("z", .data(""))])]),
      #"{"op":"batch","store":"s","writes":[{"op":"create","id":"d","body":{},"#
        + #""attachments":{"z":{"data":""}}}]}"#
    ),
    (
      .insertRevisions([
        RevisionRecord(id: "d", path: ["1-a"], body: [:], attachments: [full])
      ]),
      #"{"op":"insertRevisions","store":"s","records":[{"id":"d","path":["1-a"],"body":{},"#
        + #""attachments":\#(fullText)}]}"#
    ),
    (
      .getRevisions([RevisionQuery(id: "d", revs: ["2-b"], attachmentsSince: ["1-a"])]),
      #"{"op":"getRevisions","store":"s","docs":[{"id":"d","revs":["2-b"],"#
        + #""attachmentsSince":["1-a"]}]}"#
    ),
    (
      .readAttachment(id: "d", name: "a/b"),
      #"{"op":"readAttachment","store":"s","id":"d","name":"a/b"}"#
    ),
    (
      .readAttachment(id: "d", rev: "1-a", name: "", offset: 7, limit: -1),
      #"{"op":"readAttachment","store":"s","id":"d","rev":"1-a","name":"","offset":7,"limit":-1}"#
    ),
    (
      .putBlob(digest: "sha256-x", offset: 0, bytes: "YWJj"),
      #"{"op":"putBlob","store":"s","digest":"sha256-x","offset":0,"bytes":"YWJj"}"#
    ),
  ]

  @Test(arguments: operations)
  func operation(action: StoreAction, text: String) throws {
    #expect(StoreOperation("s", action).json.serialized() == text)
    #expect(try StoreOperation(try JSONValue.parse(text)) == StoreOperation("s", action))
    #expect(action.capabilities.contains(.attachment))
  }

  static let answers: [(StoreAction, OperationResult, String)] = [
    (
      .read(id: "d"),
      .document(DocumentRevision(id: "d", rev: "1-a", body: [:], attachments: [full])),
      #"{"id":"d","rev":"1-a","deleted":false,"body":{},"attachments":\#(fullText)}"#
    ),
    (
      .create(id: "d", body: [:], attachments: [full]), .written(id: "d", rev: "1-a"),
      #"{"id":"d","rev":"1-a"}"#
    ),
    (
      .readAttachment(id: "d", name: "n"),
      .attachment(
        AttachmentPiece(of: RevisionAttachment("n", .stub, length: 3), offset: 1, bytes: "YmM=")),
      #"{"length":3,"stub":true,"offset":1,"bytes":"YmM="}"#
    ),
    (.putBlob(digest: "", offset: 0, bytes: ""), .held(5), #"{"held":5}"#),
  ]

  @Test(arguments: answers)
  func answer(action: StoreAction, result: OperationResult, text: String) throws {
    #expect(Outcome.ok(result).json.serialized() == #"{"ok":\#(text)}"#)
    #expect(try Outcome(Outcome.ok(result).json, of: action) == .ok(result))
  }

  /// The encoding without attachments is unchanged.
  @Test func noneAreNotWritten() throws {
    let record = RevisionRecord(id: "d", path: ["1-a"], body: [:])
    #expect(record.json.objectValue?["attachments"] == nil)
    #expect(try RevisionRecord(record.json, path: "") == record)
    let outcome = Outcome.ok(.document(DocumentRevision(id: "d", rev: "1-a", body: [:])))
    #expect(!outcome.json.serialized().contains("attachments"))
    #expect(StoreAction.insertRevisions([record]).capabilities.isEmpty)
    #expect(StoreAction.create(id: "d", body: [:]).documents == ["d"])
    #expect(StoreAction.create(id: "d", body: [:], attachments: []).documents == ["d"])
  }

  @Test(arguments: [
    (#"[]"#, "attachments", "an object"), (#"{"n":1}"#, "attachments.n", "an object"),
    (#"{"n":{}}"#, "attachments.n", "one of data, stub, file, chunks"),
    (#"{"n":{"stub":true,"data":""}}"#, "attachments.n", "one of data, stub, file, chunks"),
    (#"{"n":{"stub":false}}"#, "attachments.n.stub", "expected true"),
    (#"{"n":{"stub":true,"size":1}}"#, "attachments.n.size", "unknown"),
    (#"{"n":{"data":7}}"#, "attachments.n.data", "a string"),
    (#"{"n":{"data":"","length":"3"}}"#, "attachments.n.length", "integer"),
  ])
  func saysWhatIsWrongAndWhere(text: String, path: String, message: String) throws {
    let json = try JSONValue.parse(
      #"{"op":"create","store":"s","id":"d","body":{},"attachments":\#(text)}"#)
    let failure = try #require(throws: DecodingFailure.self) { try StoreOperation(json) }
    #expect(failure.path == path)
    #expect(failure.message.contains(message), "\(failure)")
  }

  /// Only operations that create a revision accept attachments.
  @Test func othersTakeNone() throws {
    let json = try JSONValue.parse(
      #"{"op":"delete","store":"s","id":"d","rev":"1-a","attachments":{}}"#)
    #expect(throws: DecodingFailure.self) { try StoreOperation(json) }
  }
}
