import Compression
import Testing
import TouchstoneKit

/// Attachments of edits. Each test names its clauses.
struct AttachmentTests {
  /// ATT-001, ATT-004, ATT-005, ATT-006: content is read as written, including empty content.
  @Test(arguments: BundledStore.allCases) func contentComesBack(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    let rev = try bench.write(
      .create(
        id: "d", body: ["n": 1],
        attachments: [data("z", "abc"), data("a/b", "", type: nil)]))
    #expect(
      try bench.attachments() == [
        RevisionAttachment(
          "z", .stub, type: "text/plain", digest: digest("abc"), length: 3, revpos: 1),
        RevisionAttachment(
          "a/b", .stub, type: "application/octet-stream", digest: digest(""), length: 0, revpos: 1),
      ])
    #expect(try bench.contents("d", rev) == ["z=abc", "a/b="])
    #expect(digest("abc") == "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
  }

  /// ATT-002, ATT-003, ATT-007: the set of a revision is complete; a stub keeps content and revpos,
  /// an unnamed attachment is dropped, and the ancestor keeps its set.
  @Test(arguments: BundledStore.allCases) func keptReplacedAndDropped(on store: BundledStore) throws
  {
    let bench = AttachmentBench(store)
    let first = try bench.write(
      .create(id: "d", body: [:], attachments: [data("a", "1"), data("b", "2"), data("c", "3")]))
    let second = try bench.write(
      .update(id: "d", rev: first, body: [:], attachments: [stub("a"), data("b", "4")]))
    #expect(try bench.contents() == ["a=1", "b=4"])
    #expect(try bench.attachments().map { $0.revpos } == [1, 2])
    #expect(try bench.contents("d", first) == ["a=1", "b=2", "c=3"])
    let third = try bench.write(
      .update(id: "d", rev: second, body: [:], attachments: [stub("b"), stub("a")]))
    #expect(try bench.attachments().map { $0.revpos } == [2, 1])
    _ = try bench.write(.update(id: "d", rev: third, body: ["n": 1]))
    #expect(try bench.attachments().isEmpty)
  }

  /// ATT-008: a stub refers to an attachment of the parent only; otherwise nothing is written.
  @Test(arguments: BundledStore.allCases) func stubOfNothing(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    #expect(
      bench.perform(.create(id: "d", body: [:], attachments: [stub("a")])).errorKind == .missingStub
    )
    #expect(bench.perform(.leaves(id: "d")).errorKind == .notFound(.missing))
    let first = try bench.write(.create(id: "d", body: [:], attachments: [data("a", "1")]))
    for claim in [
      stub("A"), RevisionAttachment("a", .stub, digest: digest("2")),
      RevisionAttachment("a", .stub, length: 2),
      RevisionAttachment("a", .stub, revpos: 7), RevisionAttachment("a", .stub, type: "image/png"),
    ] {
      let update = StoreAction.update(id: "d", rev: first, body: [:], attachments: [claim])
      #expect(bench.perform(update).errorKind == .missingStub)
    }
    let told = RevisionAttachment(
      "a", .stub, type: "text/plain", digest: digest("1"), length: 1, revpos: 1)
    _ = try bench.write(.update(id: "d", rev: first, body: [:], attachments: [told]))
    #expect(try bench.contents() == ["a=1"])
  }

  /// ATT-008: a tombstone has no attachments, so a recreated document has none to keep.
  @Test(arguments: BundledStore.allCases) func tombstonesHaveNone(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    let first = try bench.write(.create(id: "d", body: [:], attachments: [data("a", "1")]))
    let gone = try bench.write(.delete(id: "d", rev: first))
    #expect(try bench.attachments("d", gone).isEmpty)
    #expect(
      bench.perform(.create(id: "d", body: [:], attachments: [stub("a")])).errorKind == .missingStub
    )
    _ = try bench.write(.create(id: "d", body: [:], attachments: [data("a", "2")]))
    #expect(try bench.attachments().first?.revpos == 3)
  }

  /// ATT-009: an invalid attachment is rejected, and nothing is written.
  @Test(
    arguments: [
      data("", "x"), data("_a", "x"), data("a\0", "x"), RevisionAttachment("a", .data("eA")),
      RevisionAttachment("a", .data("eA=="), digest: digest("y")),
      RevisionAttachment("a", .data("eA=="), digest: "md5-nU5nHBUEg1LvrFzw5q4QbA=="),
      RevisionAttachment("a", .data("eA=="), length: 2),
      RevisionAttachment("a", .data("eA=="), length: -1),
      RevisionAttachment("a", .data("eA=="), revpos: -1),
      RevisionAttachment("a", .data("eA=="), encoding: "br"),
      RevisionAttachment("a", .data("eA=="), encoding: "gzip"), RevisionAttachment("a", .chunks),
      RevisionAttachment("a", .data("eA=="), encodedLength: 1),
    ], BundledStore.allCases)
  func badAttachments(attachment: RevisionAttachment, on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    let create = StoreAction.create(id: "d", body: [:], attachments: [data("b", "1"), attachment])
    #expect(bench.perform(create).errorKind == .badAttachment)
    #expect(bench.perform(.leaves(id: "d")).errorKind == .notFound(.missing))
    let record = RevisionRecord(id: "d", path: ["1-a"], body: [:], attachments: [attachment])
    #expect(try bench.insert(record) == .badAttachment)
  }

  /// ATT-009, ATT-010: names are unique; content too large for one line is rejected with the limit.
  @Test(arguments: BundledStore.allCases) func twiceAndTooLarge(on store: BundledStore) {
    let bench = AttachmentBench(store)
    let twice = StoreAction.create(
      id: "d", body: [:], attachments: [data("a", "1"), data("a", "1")])
    #expect(bench.perform(twice).errorKind == .badAttachment)
    let limit = bench.datastore.description.limits.inlineBytesMax
    let bytes = [UInt8](repeating: 7, count: limit + 1)
    let large = RevisionAttachment("a", .data(Base64.encode(bytes)))
    #expect(
      bench.perform(.create(id: "d", body: [:], attachments: [large])).errorKind
        == .tooLarge(limit: Int64(limit)))
  }

  /// ATT-011: content of another document is attached by its digest, without its bytes.
  @Test(arguments: BundledStore.allCases) func copiedFromAnotherDocument(on store: BundledStore)
    throws
  {
    let bench = AttachmentBench(store)
    let first = try bench.write(.create(id: "e", body: [:], attachments: [data("a", "1")]))
    _ = try bench.write(.update(id: "e", rev: first, body: [:], attachments: [stub("a")]))
    let copy = RevisionAttachment("b", .chunks, type: "image/png", digest: digest("1"))
    _ = try bench.write(.create(id: "d", body: [:], attachments: [copy]))
    #expect(try bench.contents() == ["b=1"])
    #expect(try bench.attachments().first?.type == "image/png")
    let unknown = RevisionAttachment("b", .chunks, digest: digest("2"))
    #expect(
      bench.perform(.create(id: "f", body: [:], attachments: [unknown])).errorKind == .missingStub)
  }

  /// ATT-012: encoded content has two lengths, and its digest is that of the stored bytes.
  @Test(arguments: [nil, 100], BundledStore.allCases)
  func encodedContent(length: Int64?, on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    let packed = GzipEncoding.encode([UInt8](repeating: 32, count: 100), level: 9)
    let attachment = RevisionAttachment(
      "a", .data(Base64.encode(packed)), length: length, encoding: "gzip")
    _ = try bench.write(.create(id: "d", body: [:], attachments: [attachment]))
    #expect(
      try bench.attachments() == [
        RevisionAttachment(
          "a", .stub, type: "application/octet-stream", digest: digest(packed),
          length: 100, revpos: 1, encoding: "gzip", encodedLength: Int64(packed.count))
      ])
    // Content uploaded before is measured as well.
    let held = RevisionAttachment(
      "b", .chunks, digest: digest(packed), length: length, encoding: "gzip")
    _ = try bench.write(.create(id: "e", body: [:], attachments: [held]))
    #expect(try bench.attachments("e").first?.length == 100)
  }

  /// ATT-004, ATT-012: claims about encoded content are verified.
  @Test(arguments: BundledStore.allCases) func encodedContentIsMeasured(on store: BundledStore)
    throws
  {
    let packed = GzipEncoding.encode([UInt8](repeating: 32, count: 100), level: 9)
    let content = RevisionAttachment.Content.data(Base64.encode(packed))
    let cut = RevisionAttachment.Content.data(Base64.encode(Array(packed.dropLast())))
    for attachment in [
      RevisionAttachment("a", content, length: 99, encoding: "gzip"),
      RevisionAttachment("a", content, length: 101, encoding: "gzip"),
      RevisionAttachment("a", content, encoding: "gzip", encodedLength: 100),
      RevisionAttachment("a", cut, length: 100, encoding: "gzip"),
      RevisionAttachment("a", .data(Base64.encode([7])), length: 1, encoding: "gzip"),
    ] {
      let outcome = AttachmentBench(store).perform(
        .create(id: "d", body: [:], attachments: [attachment]))
      #expect(outcome.errorKind == .badAttachment)
    }
  }

  /// ATT-013: a conflict resolution keeps the attachments of the kept leaf, or replaces them.
  @Test(arguments: BundledStore.allCases) func resolution(on store: BundledStore) throws {
    for isMerged in [false, true] {
      let bench = AttachmentBench(store)
      for (rev, content) in [("1-a", "left"), ("1-b", "right")] as [(RevisionID, String)] {
        let record = RevisionRecord(
          id: "d", path: [rev], body: [:], attachments: [data("n", content)])
        #expect(try bench.insert(record) == nil)
      }
      let resolve: StoreAction =
        isMerged
        ? .resolve(
          id: "d", leaves: ["1-a", "1-b"], keep: "1-a", body: ["n": 1],
          attachments: [stub("n"), RevisionAttachment("m", .chunks, digest: digest("right"))])
        : .resolve(id: "d", leaves: ["1-a", "1-b"], keep: "1-a", body: ["n": 1])
      let rev = try bench.write(resolve)
      #expect(try bench.contents("d", rev) == (isMerged ? ["n=left", "m=right"] : ["n=left"]))
      let given = StoreAction.attaching(
        [stub("n")], to: .resolve(id: "d", leaves: [rev], keep: rev))
      #expect(bench.perform(given).errorKind == .badRequest(path: "attachments"))
    }
  }

  /// ATT-014, ATT-015: equal bodies with different attachments are different revisions, except for
  /// CDTDatastore.
  @Test(
    arguments: [
      (.own, false), (.cdtDigest2, false), (.couchdb, false), (.cdtDigest, true),
    ] as [(RevisionIDProfile, Bool)])
  func revisionIDs(profile: RevisionIDProfile, isSame: Bool) throws {
    for store in BundledStore.allCases {
      let sets = [
        [], [data("a", "1")], [data("b", "1")], [data("a", "2")], [data("a", "1", type: "x/y")],
        [data("a", "1"), data("b", "1")],
      ]
      let revs = try sets.map {
        try AttachmentBench(store, revisionIDs: profile).write(
          .create(id: "d", body: ["n": 1], attachments: $0))
      }
      #expect(Set(revs).count == (isSame ? 1 : sets.count))
      let plain = try AttachmentBench(store, revisionIDs: profile).write(
        .create(id: "d", body: ["n": 1]))
      #expect(plain == revs[0])
    }
  }

  /// ATT-014: the order of attachments is not part of the default digest.
  @Test(arguments: BundledStore.allCases) func orderDoesNotCount(on store: BundledStore) throws {
    let sets = [[data("a", "1"), data("b", "2")], [data("b", "2"), data("a", "1")]]
    let revs = try sets.map {
      try AttachmentBench(store).write(.create(id: "d", body: [:], attachments: $0))
    }
    #expect(revs[0] == revs[1])
  }

  /// ATT-016: a batch writes attachments, and rolls them back.
  @Test(arguments: BundledStore.allCases) func batches(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    let writes: [StoreAction] = [
      .create(id: "d", body: [:], attachments: [data("a", "1")]),
      .create(id: "e", body: [:], attachments: [stub("a")]),
    ]
    #expect(bench.perform(.batch(writes)).errorKind == .missingStub)
    #expect(bench.perform(.leaves(id: "d")).errorKind == .notFound(.missing))
    let copy = RevisionAttachment("a", .chunks, digest: digest("1"))
    #expect(
      bench.perform(.create(id: "f", body: [:], attachments: [copy])).errorKind == .missingStub)
  }
}
