import Datastore
import JSON
import Testing

@testable import Oracles

@Suite struct AttachmentContentsTests {
  private static let small = Content(Array("small".utf8))
  private static let large = Content((0..<200).map { UInt8($0) })

  private static func data(_ name: JSONString, _ content: Content) -> RevisionAttachment {
    RevisionAttachment(name, .data(content.base64(content.bytes.indices)))
  }

  private static func document(
    _ rev: RevisionID, _ contents: [(JSONString, Content)], says: Content? = nil
  ) -> FinalDocument {
    var document = FinalDocument("d", RevisionRecord(id: "d", path: [rev], body: [:]))
    document.attachments = contents.map { name, content in
      FinalAttachment(
        rev: rev, name: name, digest: (says ?? content).digest,
        length: Int64(content.bytes.count), bytes: content.bytes)
    }
    return document
  }

  private static func written(_ attachments: [RevisionAttachment]) -> Witness {
    var witness = Witness()
    witness.client(
      0, .create(id: "d", body: [:], attachments: attachments),
      .ok(.written(id: "d", rev: "1-a")))
    return witness
  }

  @Test func whatWasWrittenIsThere() {
    var witness = Self.written([Self.data("a", Self.small), Self.data("b", Content([]))])
    witness.end([Self.document("1-a", [("a", Self.small), ("b", Content([]))])])
    #expect(witness.kinds == [])
  }

  @Test func whatIsWrong() {
    let cases: [([(JSONString, Content)], String)] = [
      ([("a", Content([1]))], "altered"), ([], "lost"),
      ([("a", Self.small), ("b", Self.small)], "extra"), ([("b", Self.small)], "extra"),
    ]
    for (contents, shape) in cases {
      var witness = Self.written([Self.data("a", Self.small)])
      witness.end([Self.document("1-a", contents)])
      #expect(witness.kinds == ["attachments/\(shape)"])
    }
  }

  @Test func whatIsDescribedWrongly() {
    var witness = Self.written([Self.data("a", Self.small)])
    witness.end([Self.document("1-a", [("a", Self.small)], says: Self.large)])
    #expect(witness.kinds == ["attachments/description"])
    var document = Self.document("1-a", [("a", Self.small)])
    document.attachments[0].bytes = nil
    witness = Self.written([Self.data("a", Self.small)])
    witness.end([document])
    #expect(witness.kinds == ["attachments/unreadable"])
  }

  @Test func replicasThatDiffer() {
    var witness = Self.written([Self.data("a", Self.small)])
    witness.end([Self.document("1-a", [("a", Self.small)])], [Self.document("1-a", [])])
    #expect(witness.kinds == ["convergence/attachments", "attachments/lost"])
  }

  /// A stub inherits from the parent, `resolve` keeps all attachments, and an update without
  /// attachments has none.
  @Test func whatIsInherited() {
    func after(_ action: StoreAction, _ rev: RevisionID, _ contents: [(JSONString, Content)])
      -> [String]
    {
      var witness = Self.written([Self.data("a", Self.small), Self.data("b", Self.large)])
      let outcome: Outcome =
        action.name == "resolve"
        ? .ok(.resolved(rev: rev, tombstones: [])) : .ok(.written(id: "d", rev: rev))
      witness.client(0, action, outcome)
      var document = Self.document(rev, contents)
      document.records[0].path.append("1-a")
      witness.end([document])
      return witness.kinds
    }
    let stub = StoreAction.update(
      id: "d", rev: "1-a", body: [:], attachments: [RevisionAttachment("a", .stub)])
    let plain = StoreAction.update(id: "d", rev: "1-a", body: [:])
    let settled = StoreAction.resolve(id: "d", leaves: ["1-a", "1-b"], keep: "1-a", body: [:])
    #expect(after(stub, "2-a", [("a", Self.small)]) == [])
    #expect(after(stub, "2-a", []) == ["attachments/lost"])
    #expect(after(plain, "2-a", []) == [])
    #expect(after(plain, "2-a", [("a", Self.small)]) == ["attachments/extra"])
    #expect(after(settled, "2-a", [("a", Self.small), ("b", Self.large)]) == [])
    #expect(after(settled, "2-a", [("a", Self.small)]) == ["attachments/lost"])
  }

  /// The oracle records content that was imported in pieces, so it detects a wrong piece.
  @Test func piecesAreWhereTheyBelong() {
    func read(_ offset: Int64, _ bytes: [UInt8], of content: Content) -> [String] {
      var witness = Witness()
      for range in [0..<150, 150..<200] {
        witness.client(
          0,
          .putBlob(
            digest: Self.large.digest, offset: Int64(range.lowerBound),
            bytes: Self.large.base64(range)), .ok(.held(Int64(range.upperBound))))
      }
      let attachment = RevisionAttachment("a", .chunks, digest: Self.large.digest)
      witness.client(
        0, .create(id: "d", body: [:], attachments: [attachment]),
        .ok(.written(id: "d", rev: "1-a")))
      let piece = AttachmentPiece(
        of: RevisionAttachment("a", .stub, digest: content.digest), offset: offset,
        bytes: Content(bytes).base64(bytes.indices))
      witness.client(1, .readAttachment(id: "d", name: "a"), .ok(.attachment(piece)))
      return witness.kinds
    }
    #expect(read(0, Array(0..<200), of: Self.large) == [])
    #expect(read(100, [100, 101], of: Self.large) == [])
    #expect(read(200, [], of: Self.large) == [])
    #expect(read(100, [101, 102], of: Self.large) == ["attachments/damaged"])
    #expect(read(199, [199, 200], of: Self.large) == ["attachments/damaged"])
    #expect(read(0, [1], of: Content([1])) == ["attachments/stranger"])
  }

  /// After an unacknowledged write, its content is allowed but no other.
  @Test func whatNobodyKnowsIsSomebodys() {
    for (content, kinds) in [(Self.small, []), (Self.large, ["attachments/stranger"])] {
      var witness = Witness()
      witness.client(
        0, .create(id: "d", body: [:], attachments: [Self.data("a", Self.small)]), .unknown)
      witness.end([Self.document("1-a", [("a", content)])])
      #expect(witness.kinds == kinds)
    }
  }
}

@Suite struct ContentTests {
  /// FIPS 180-4's examples, and lengths around a block.
  @Test(arguments: [
    ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
    ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="
    ),
  ])
  func digests(text: String, digest: String) {
    #expect(Content(Array(text.utf8)).digest.string == "sha256-" + digest)
  }

  @Test(arguments: [1, 2, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000])
  func base64ComesBack(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    #expect(Content.bytes(Content(bytes).base64(0..<count)) == bytes)
    #expect(SHA256.digest(of: bytes).count == 32)
  }
}
