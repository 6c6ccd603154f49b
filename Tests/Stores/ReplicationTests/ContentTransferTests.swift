import Datastore
import JSON
import Replication
import Testing

/// Transfer of separate content between two stores with scripted responses.
struct ContentTransferTests {
  private static func stage(length: Int64?) -> Stage {
    var stage = Stage()
    stage.write(1)
    stage.attachment = RevisionAttachment("a", .chunks, digest: "sha256-x", length: length)
    return stage
  }

  private static func piece(_ offset: Int64, _ bytes: JSONString) -> PeerResponse {
    .ok(
      .attachment(
        AttachmentPiece(
          of: RevisionAttachment("a", .stub, digest: "sha256-x"), offset: offset, bytes: bytes)))
  }

  /// The source still has the revision, so a second fetch would return the same attachment.
  @Test func aSourceWithFewerBytesThanItSaysIsAFailure() {
    var stage = Self.stage(length: 3)
    stage.rule(.target, "putBlob", .ok(.held(0)))
    stage.rule(.source, "readAttachment", Self.piece(0, ""))
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.report.failures.map { $0.id } == ["d1"])
    #expect(stage.report.failures.first?.reason.string.contains("fewer bytes") == true)
    #expect(stage.report.processed == 1)
    #expect(stage.count(.source, "getRevisions") == 1)
    #expect(stage.recorded(.source).isEmpty)
  }

  /// An empty chunk ends content whose length the source does not report.
  @Test func aContentWithoutALengthEndsWithAnEmptyPiece() {
    var stage = Self.stage(length: nil)
    stage.rule(.target, "putBlob", .ok(.held(0)))
    stage.rule(.source, "readAttachment", Self.piece(0, "eHl6"))
    stage.rule(.target, "putBlob", .ok(.held(3)))
    stage.rule(.source, "readAttachment", Self.piece(3, ""))
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.held == ["d1 1-a"])
    #expect(stage.recorded(.source) == [1])
  }

  /// A response with a different offset does not answer the request.
  @Test func aPieceOfAnotherOffsetIsRequestedAgain() {
    var stage = Self.stage(length: 3)
    stage.rule(.target, "putBlob", .ok(.held(0)))
    stage.rule(.source, "readAttachment", Self.piece(1, "eHk="))
    stage.rule(.source, "readAttachment", Self.piece(0, "eHl6"))
    stage.rule(.target, "putBlob", .ok(.held(3)))
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.count(.source, "readAttachment") == 2)
    #expect(stage.held == ["d1 1-a"])
  }
}
