import JSON
import Testing

@testable import Datastore

/// The capabilities of attachments: which operation needs which, and both forms of their list.
@Suite struct AttachmentCapabilityTests {
  private static let encoded = RevisionAttachment("a", .data(""), encoding: "gzip")
  private static let measured = RevisionAttachment("a", .stub, encodedLength: 3)
  private static let chunks = RevisionAttachment("a", .chunks, digest: "sha256-x")

  private static func write(_ attachments: RevisionAttachment...) -> StoreAction {
    .create(id: "d", body: [:], attachments: attachments)
  }

  private static func record(_ attachments: RevisionAttachment...) -> StoreAction {
    .insertRevisions([
      RevisionRecord(id: "e", path: ["1-a"], body: [:]),
      RevisionRecord(id: "d", path: ["1-a"], body: [:], attachments: attachments),
    ])
  }

  static let needs: [(StoreAction, Set<Capability>)] = [
    (write(), [.attachment]),
    (write(RevisionAttachment("a", .data("")), RevisionAttachment("b", .stub)), [.attachment]),
    (write(RevisionAttachment("a", .file("/f"))), [.attachment]),
    (write(encoded), [.attachment, .attachmentEncoding]),
    (write(measured), [.attachment, .attachmentEncoding]),
    (write(chunks), [.attachment, .attachmentPieces]),
    (write(encoded, chunks), [.attachment, .attachmentEncoding, .attachmentPieces]),
    (.batch([write(encoded)]), [.atomicBatch, .attachment, .attachmentEncoding]),
    (record(), []),
    (record(RevisionAttachment("a", .stub)), [.attachment]),
    (record(measured), [.attachment, .attachmentEncoding]),
    (record(chunks), [.attachment, .attachmentPieces]),
    (.readAttachment(id: "d", name: "a"), [.attachment]),
    (.readAttachment(id: "d", name: "a", offset: 0), [.attachment, .attachmentPieces]),
    (.readAttachment(id: "d", name: "a", limit: 1), [.attachment, .attachmentPieces]),
    (.putBlob(digest: "sha256-x", offset: 0, bytes: ""), [.attachment, .attachmentPieces]),
  ]

  @Test(arguments: needs)
  func theOperationNeeds(action: StoreAction, needed: Set<Capability>) {
    #expect(action.capabilities == needed)
  }

  private func description(
    _ members: JSONObject
  ) throws(DecodingFailure) -> ImplementationDescription {
    var json: JSONObject = ["name": "n", "version": "1"]
    for member in members.members { json[member.name] = member.value }
    var reader = try ObjectReader(.object(json), path: "ok")
    let description = try ImplementationDescription(declaredIn: &reader)
    try reader.finish()
    return description
  }

  @Test(arguments: [nil, 1] as [Int64?])
  func inTheFirstFormAttachmentStandsForAll(version: Int64?) throws {
    var members: JSONObject = ["capabilities": ["purge", "attachment"]]
    members["capabilitiesVersion"] = version.map { .integer($0) }
    let all: Set<Capability> = [.purge, .attachment, .attachmentEncoding, .attachmentPieces]
    #expect(try description(members).capabilities == all)
    members["capabilities"] = ["purge"]
    #expect(try description(members).capabilities == [.purge])
  }

  @Test func inTheSecondFormEachIsListed() throws {
    for parts in [[], ["attachmentEncoding"], ["attachmentPieces"]] as [[String]] {
      let names = ["attachment"] + parts
      let found = try description([
        "capabilitiesVersion": 2, "capabilities": .array(names.map { .text($0) }),
      ])
      #expect(found.capabilities == Set(names.compactMap { Capability(rawValue: $0) }))
    }
  }

  @Test(
    arguments: [
      (
        1, ["attachmentPieces"], "ok.capabilities",
        "'attachmentPieces' needs \"capabilitiesVersion\": 2"
      ),
      (
        1, ["attachment", "attachmentEncoding"], "ok.capabilities",
        "'attachmentEncoding' needs \"capabilitiesVersion\": 2"
      ),
      (2, ["attachmentPieces"], "ok.capabilities", "'attachmentPieces' needs 'attachment'"),
      (4, [], "ok.capabilitiesVersion", "expected version 1, 2 or 3, found 4"),
      (0, [], "ok.capabilitiesVersion", "expected version 1, 2 or 3, found 0"),
    ] as [(Int64, [String], String, String)])
  func saysWhatIsWrong(version: Int64, names: [String], path: String, message: String) throws {
    let failure = try #require(throws: DecodingFailure.self) {
      try description([
        "capabilitiesVersion": .integer(version),
        "capabilities": .array(names.map { .text($0) }),
      ])
    }
    #expect(failure.path == path)
    #expect(failure.message.contains(message))
  }

  /// The first form is written where it is exact, so that earlier readers continue to work.
  @Test func bothFormsAreWritten() throws {
    let parts: [(Set<Capability>, JSONValue?, JSONValue)] = [
      ([.purge], nil, ["purge"]),
      ([.attachment, .attachmentEncoding, .attachmentPieces], nil, ["attachment"]),
      ([.attachment], 2, ["attachment"]),
      ([.attachment, .attachmentPieces], 2, ["attachment", "attachmentPieces"]),
    ]
    for (capabilities, version, names) in parts {
      let written = ImplementationDescription(
        name: "n", version: "1", capabilities: capabilities
      ).declarations
      #expect(written["capabilitiesVersion"] == version)
      #expect(written["capabilities"] == names)
      #expect(try description(written).capabilities == capabilities)
    }
    let meaningless = ImplementationDescription(
      name: "n", version: "1", capabilities: [.attachmentPieces])
    #expect(try description(meaningless.declarations).capabilities == [])
  }
}
