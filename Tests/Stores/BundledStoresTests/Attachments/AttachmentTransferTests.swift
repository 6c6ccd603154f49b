import Compression
import Testing
import TouchstoneKit

/// Replication, chunked reads and removal of attachments. Each test names its clauses.
struct AttachmentTransferTests {
  private func record(
    _ path: RevisionID..., deleted: Bool = false, with attachments: [RevisionAttachment]
  ) -> RevisionRecord {
    RevisionRecord(id: "d", path: path, deleted: deleted, body: [:], attachments: attachments)
  }

  /// ATT-020: a revpos is kept but limited to the generation; 0 and a missing one count as the
  /// generation.
  @Test(arguments: [(nil, 3), (0, 3), (1, 1), (3, 3), (42, 3)] as [(Int64?, Int64)])
  func revpos(said: Int64?, expected: Int64) throws {
    for store in BundledStore.allCases {
      let bench = AttachmentBench(store)
      var attachment = data("a", "1")
      attachment.revpos = said
      #expect(try bench.insert(record("3-c", "2-b", "1-a", with: [attachment])) == nil)
      #expect(try bench.attachments().first?.revpos == expected)
    }
  }

  /// ATT-021: a stub of a record refers to the attachment of the nearest ancestor with a body.
  @Test(arguments: BundledStore.allCases) func stubsOfRecords(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    #expect(try bench.insert(record("1-a", with: [data("a", "1")])) == nil)
    #expect(try bench.insert(record("3-c", "2-b", "1-a", with: [stub("a")])) == nil)
    #expect(try bench.contents("d", "3-c") == ["a=1"])
    #expect(try bench.attachments("d", "3-c").first?.revpos == 1)
    // The nearest ancestor has dropped it.
    #expect(try bench.insert(record("2-x", "1-a", with: [])) == nil)
    #expect(try bench.insert(record("3-y", "2-x", "1-a", with: [stub("a")])) == .missingStub)
    // The other branch has it, but is not an ancestor.
    #expect(try bench.insert(record("2-z", "1-q", with: [stub("a")])) == .missingStub)
    #expect(bench.perform(.read(id: "d", rev: "2-z")).errorKind == .notFound(.missing))
    // The document has revisions that the path omits.
    #expect(try bench.insert(record("3-d", "2-e", "1-a", with: [stub("a")])) == nil)
    #expect(try bench.insert(record("3-f", "2-e", with: [stub("a")])) == nil)
    #expect(try bench.contents("d", "3-f") == ["a=1"])
  }

  /// ATT-022: a missing stub fails only its record.
  @Test(arguments: BundledStore.allCases) func oneRecordOnly(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    let records = [
      record("1-a", with: [data("a", "1")]), record("1-b", with: [stub("a")]),
      record("2-c", "1-a", with: [stub("a")]),
    ]
    guard case .ok(.inserted(let results)) = bench.perform(.insertRevisions(records)) else {
      Issue.record("refused")
      return
    }
    #expect(results.map { $0?.kind } == [nil, .missingStub, nil])
  }

  /// ATT-023: branches have separate attachments, also under one name.
  @Test(arguments: BundledStore.allCases) func branches(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    #expect(try bench.insert(record("1-a", with: [data("n", "0")])) == nil)
    #expect(try bench.insert(record("2-b", "1-a", with: [data("n", "left")])) == nil)
    #expect(try bench.insert(record("2-c", "1-a", with: [data("n", "right")])) == nil)
    #expect(try bench.contents("d", "2-b") == ["n=left"])
    #expect(try bench.contents("d", "2-c") == ["n=right"])
    _ = try bench.write(.delete(id: "d", rev: "2-c"))
    bench.perform(.compact)
    #expect(try bench.contents("d", "2-b") == ["n=left"])
  }

  /// ATT-024: a revision that is already stored keeps its attachments.
  @Test(arguments: BundledStore.allCases) func heldRevision(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    #expect(try bench.insert(record("1-a", with: [data("a", "1")])) == nil)
    #expect(try bench.insert(record("1-a", with: [data("a", "2")])) == nil)
    #expect(try bench.insert(record("1-a", with: [stub("nothing")])) == nil)
    #expect(try bench.contents() == ["a=1"])
  }

  /// ATT-025: attachments of received tombstones are dropped here.
  @Test(arguments: BundledStore.allCases) func tombstonesOfRecords(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    #expect(try bench.insert(record("1-a", deleted: true, with: [data("a", "1")])) == nil)
    #expect(try bench.attachments("d", "1-a").isEmpty)
  }

  /// ATT-026: a fetch returns the content that the client cannot have, and the result can be
  /// inserted.
  @Test(arguments: BundledStore.allCases) func fetching(on store: BundledStore) throws {
    let source = AttachmentBench(store)
    let first = try source.write(
      .create(id: "d", body: [:], attachments: [data("a", "1"), data("b", "2")]))
    let second = try source.write(
      .update(id: "d", rev: first, body: [:], attachments: [stub("a"), data("b", "3")]))
    #expect(try source.record(second, since: nil).attachments.map { $0.content } == [.stub, .stub])
    let all = try source.record(second, since: [])
    #expect(all.attachments.map { $0.content } == [.data("MQ=="), .data("Mw==")])
    #expect(try source.record(second, since: ["1-x"]).attachments == all.attachments)
    let some = try source.record(second, since: [first])
    #expect(some.attachments.map { $0.content } == [.stub, .data("Mw==")])
    #expect(
      try source.record(second, since: [second, first]).attachments.map { $0.content }
        == [.stub, .stub])

    let target = AttachmentBench(store)
    #expect(try target.insert(some) == .missingStub)
    #expect(try target.insert(try source.record(first, since: [])) == nil)
    #expect(try target.insert(some) == nil)
    #expect(try target.attachments() == source.attachments())
    #expect(try target.contents() == ["a=1", "b=3"])
    let other = AttachmentBench(store)
    #expect(try other.insert(all) == nil)
    #expect(try other.attachments() == source.attachments())
  }

  /// ATT-030: content is read from an offset on, up to a limit.
  @Test(arguments: BundledStore.allCases) func pieces(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    _ = try bench.write(.create(id: "d", body: [:], attachments: [data("a", "abcde")]))
    for (offset, limit, bytes) in [
      (nil, nil, "YWJjZGU="), (1, 3, "YmNk"), (4, 9, "ZQ=="), (5, nil, ""), (9, 1, ""), (0, 0, ""),
    ] as [(Int64?, Int64?, JSONString)] {
      let action = StoreAction.readAttachment(id: "d", name: "a", offset: offset, limit: limit)
      let stub = try #require(bench.attachments().first)
      let piece = AttachmentPiece(of: stub, offset: offset ?? 0, bytes: bytes)
      #expect(bench.perform(action) == .ok(.attachment(piece)))
    }
    let bad = StoreAction.readAttachment(id: "d", name: "a", offset: -1)
    #expect(bench.perform(bad).errorKind == .badRequest(path: "offset"))
    #expect(
      bench.perform(.readAttachment(id: "d", name: "b")).errorKind == .notFound(.missing))
  }

  /// ATT-031: chunks can be repeated or restarted, and content is verified when it is used.
  @Test(arguments: BundledStore.allCases) func uploads(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    func put(_ offset: Int64, _ bytes: JSONString) -> Outcome {
      bench.perform(.putBlob(digest: digest("abcdef"), offset: offset, bytes: bytes))
    }
    let attachment = RevisionAttachment("a", .chunks, digest: digest("abcdef"), length: 6)
    let create = StoreAction.create(id: "d", body: [:], attachments: [attachment])
    #expect(bench.perform(create).errorKind == .missingStub)
    #expect(put(1, "YWJj").errorKind == .badRequest(path: "offset"))
    #expect(put(0, "YWJj") == .ok(.held(3)))
    #expect(put(0, "") == .ok(.held(3)))
    #expect(bench.perform(create).errorKind == .badAttachment)
    #expect(put(3, "eHl6") == .ok(.held(6)))
    #expect(bench.perform(create).errorKind == .badAttachment)
    #expect(put(3, "ZGVm") == .ok(.held(6)))
    #expect(put(3, "ZGVm") == .ok(.held(6)))
    _ = try bench.write(create)
    #expect(try bench.contents() == ["a=abcdef"])
    #expect(put(0, "eHl6") == .ok(.held(6)))
    #expect(try bench.contents() == ["a=abcdef"])
    #expect(
      bench.perform(.putBlob(digest: "abc", offset: 0, bytes: "")).errorKind == .badAttachment)
    #expect(put(0, "?").errorKind == .badAttachment)
  }

  /// ATT-032: empty content does not have to be uploaded.
  @Test(arguments: BundledStore.allCases) func emptyContent(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    let attachment = RevisionAttachment("a", .chunks, digest: digest(""))
    _ = try bench.write(.create(id: "d", body: [:], attachments: [attachment]))
    #expect(try bench.contents() == ["a="])
  }

  /// ATT-040, ATT-041: content is stored once, as long as a stored body refers to it.
  @Test(arguments: BundledStore.allCases) func compaction(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    func isHere(_ content: String) -> Bool {
      let id = DocumentID(digest(content))
      let attachment = RevisionAttachment("a", .chunks, digest: digest(content))
      let isHere =
        bench.perform(.create(id: id, body: [:], attachments: [attachment])).errorKind == nil
      bench.perform(.purge(id: id, revs: (try? revs(of: id, in: bench)) ?? []))
      return isHere
    }
    let first = try bench.write(
      .create(id: "d", body: [:], attachments: [data("a", "kept"), data("b", "old")]))
    _ = try bench.write(.update(id: "d", rev: first, body: [:], attachments: [stub("a")]))
    let other = try bench.write(.create(id: "e", body: [:], attachments: [data("x", "shared")]))
    _ = try bench.write(.create(id: "f", body: [:], attachments: [data("y", "shared")]))
    bench.perform(.putBlob(digest: digest("brought"), offset: 0, bytes: "YnJvdWdodA=="))
    _ = try bench.write(.delete(id: "e", rev: other))
    #expect(try bench.contents("d", first) == ["a=kept", "b=old"])
    bench.perform(.compact)
    #expect(try bench.contents() == ["a=kept"])
    #expect(try bench.contents("f") == ["y=shared"])
    #expect(bench.perform(.read(id: "d", rev: first)).errorKind == .notFound(.bodyMissing))
    #expect(
      bench.perform(.readAttachment(id: "d", rev: first, name: "b")).errorKind
        == .notFound(.bodyMissing))
    #expect(isHere("kept") && isHere("shared"))
    #expect(!isHere("old") && !isHere("brought"))
  }

  private func revs(of id: DocumentID, in bench: AttachmentBench) throws -> [RevisionID] {
    guard case .ok(.leaves(let leaves)) = bench.perform(.leaves(id: id)) else { return [] }
    return leaves.map { $0.rev }
  }

  /// ATT-041: content of purged or stemmed revisions is removed with the next compaction.
  @Test(arguments: BundledStore.allCases) func forgottenContent(on store: BundledStore) throws {
    let bench = AttachmentBench(store)
    let first = try bench.write(.create(id: "d", body: [:], attachments: [data("a", "1")]))
    let second = try bench.write(
      .update(id: "d", rev: first, body: [:], attachments: [data("a", "2")]))
    bench.perform(.historyLimit(1))
    let third = try bench.write(
      .update(id: "d", rev: second, body: [:], attachments: [stub("a")]))
    #expect(try bench.contents() == ["a=2"])
    bench.perform(.compact)
    #expect(try bench.contents("d", third) == ["a=2"])
    bench.perform(.purge(id: "d", revs: [third]))
    bench.perform(.compact)
    let copy = RevisionAttachment("a", .chunks, digest: digest("2"))
    #expect(
      bench.perform(.create(id: "e", body: [:], attachments: [copy])).errorKind == .missingStub)
  }
}
