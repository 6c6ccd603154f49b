import Datastore
import Digest
import JSON
import Storage
import Testing

@testable import SQLiteDatastore

/// The files beside the database: their presence over time, and the handling of missing ones.
@Suite struct BlobFileTests {
  private func blobNames(_ bench: Bench) throws -> [String] {
    try bench.storage.fileNames().filter { $0.hasSuffix(".blob") || $0.hasSuffix(".part") }
  }

  private func name(of content: String) -> String {
    let digest = DigestAlgorithm.sha256.digest(of: Array(content.utf8)).hexadecimal
    return "notes.sqlite-\(digest).blob"
  }

  private func base64(_ content: String) -> JSONString { Base64.encode(Array(content.utf8)) }

  @Test func contentIsInAFileNamedByItsDigest() throws {
    let bench = Bench()
    _ = try bench.write(
      .create(id: "d", body: [:], attachments: [data("a", "one"), data("b", "")]))
    #expect(try blobNames(bench) == [name(of: "one")])
    #expect(bench.storage[name(of: "one")] == Array("one".utf8))
    #expect(bench.storage.unsyncedChanges == [])
    expectInvariants(in: bench.storage)
  }

  @Test func sharedContentIsThereOnce() throws {
    let bench = Bench()
    let first = try bench.write(.create(id: "d", body: [:], attachments: [data("a", "shared")]))
    var records: [RevisionRecord] = []
    for number in 0..<1000 {
      let attachment =
        number % 2 == 0
        ? RevisionAttachment("a", .stub)
        : RevisionAttachment("b", .chunks, digest: digest("shared"))
      records.append(
        RevisionRecord(
          id: "d", path: [RevisionID(JSONString("2-\(number)")), first], body: [:],
          attachments: [attachment]))
    }
    let syncs = bench.storage.counts[.sync, .blob]
    guard case .ok(.inserted(let results)) = bench.perform(.insertRevisions(records)) else {
      Issue.record("refused")
      return
    }
    #expect(results.allSatisfy { $0 == nil })
    #expect(bench.storage.counts[.sync, .blob] == syncs)
    bench.perform(.compact)
    #expect(try blobNames(bench) == [name(of: "shared")])
    #expect(try bench.contents("d", "2-0") == ["a=shared"])
    #expect(try bench.contents("d", "2-999") == ["b=shared"])
    expectInvariants(in: bench.storage)
  }

  @Test func aWriteIsOneSyncOfAFileOneOfTheFolderAndOneOfTheLog() throws {
    let bench = Bench()
    _ = try bench.write(.create(id: "d", body: [:], attachments: [data("a", "one")]))
    let before = bench.storage.counts
    _ = try bench.write(.create(id: "e", body: [:], attachments: [data("a", "two")]))
    let after = bench.storage.counts
    #expect(after[.sync] == before[.sync] + 2)
    #expect(after[.syncDirectory] == before[.syncDirectory] + 1)
    #expect(after[.rename] == before[.rename] + 1)
  }

  /// A row without its file is reported as corruption of that content only.
  @Test(arguments: [nil, [], Array("tw".utf8)] as [[UInt8]?])
  func aLostFileIsCorrupt(bytes: [UInt8]?) throws {
    let bench = Bench()
    let rev = try bench.write(
      .create(id: "d", body: ["n": 1], attachments: [data("a", "two"), data("b", "three")]))
    bench.storage[name(of: "two")] = bytes
    let read = StoreAction.readAttachment(id: "d", name: "a")
    #expect(bench.failure(read) == .storage(.corrupt))
    let fetch = StoreAction.getRevisions([RevisionQuery(id: "d", revs: [rev], attachmentsSince: [])]
    )
    #expect(bench.failure(fetch) == .storage(.corrupt))
    let packed = RevisionAttachment("a", .chunks, digest: digest("two"), encoding: "gzip")
    let copy = StoreAction.create(id: "e", body: [:], attachments: [packed])
    #expect([.storage(.corrupt), .badAttachment].contains(bench.failure(copy)))
    // All other data is present.
    #expect(bench.body("d") == ["n": 1])
    #expect(try bench.content("b") == "three")
    #expect(bench.failure(.compact) == nil)
  }

  @Test func whatIsRefusedLeavesNothing() throws {
    let bench = Bench()
    _ = try bench.write(.create(id: "d", body: [:], attachments: [data("a", "kept")]))
    bench.perform(.setValidation(refuse: .documentIDs(["no"])))
    for (action, kind) in [
      (.create(id: "d", body: [:], attachments: [data("a", "new")]), .conflict),
      (.create(id: "no", body: [:], attachments: [data("a", "new")]), .forbidden),
      (.create(id: "e", body: [:], attachments: [data("a", "new"), stub("b")]), .missingStub),
      (
        .batch([
          .create(id: "e", body: [:], attachments: [data("a", "new")]),
          .create(id: "d", body: [:]),
        ]), .conflict
      ),
    ] as [(StoreAction, DatastoreError.Kind)] {
      #expect(bench.failure(action) == kind)
      #expect(try blobNames(bench) == [name(of: "kept")])
      let copy = RevisionAttachment("a", .chunks, digest: digest("new"))
      #expect(
        bench.failure(.create(id: "f", body: [:], attachments: [copy])) == .missingStub)
    }
    let record = RevisionRecord(
      id: "no", path: ["1-a"], body: [:], attachments: [data("a", "new")])
    #expect(try bench.insert(record) == .forbidden)
    #expect(try blobNames(bench) == [name(of: "kept")])
    expectInvariants(in: bench.storage)
  }

  @Test func aFullDiskIsAnErrorAndLeavesNothing() throws {
    let bench = Bench()
    _ = try bench.write(.create(id: "d", body: [:], attachments: [data("a", "kept")]))
    let used = try bench.storage.fileNames().reduce(0) { $0 + (bench.storage[$1]?.count ?? 0) }
    let large = String(repeating: "x", count: 200_000)
    for action: StoreAction in [
      .create(id: "e", body: [:], attachments: [data("b", "small"), data("a", large)]),
      .putBlob(digest: digest(large), offset: 0, bytes: base64(large)),
    ] {
      for capacity in stride(from: used, to: used + 195_000, by: 10_000) {
        bench.storage.capacityBytes = capacity
        #expect(bench.failure(action) == .storage(.full))
        #expect(try blobNames(bench) == [name(of: "kept")])
      }
    }
    #expect(try bench.content("a") == "kept")
    bench.storage.capacityBytes = nil
    expectInvariants(in: bench.storage)
  }

  @Test func aReplacedPieceLeavesTheOldOneUntilItIsDone() throws {
    let bench = Bench()
    func put(_ offset: Int64, _ bytes: String) -> Outcome {
      bench.perform(.putBlob(digest: digest("abcdef"), offset: offset, bytes: base64(bytes)))
    }
    #expect(put(0, "abc") == .ok(.held(3)))
    let names = try blobNames(bench)
    // A repetition costs nothing; a smaller upload truncates the stored part.
    let writes = bench.storage.counts[.write, .blob]
    #expect(put(0, "abc") == .ok(.held(3)))
    #expect(put(1, "b") == .ok(.held(2)))
    #expect(bench.storage.counts[.write, .blob] == writes)
    #expect(try blobNames(bench) == names)
    #expect(put(2, "xy") == .ok(.held(4)))
    #expect(put(2, "cd") == .ok(.held(4)))
    #expect(try blobNames(bench) != names)
    #expect(try blobNames(bench).count == 1)
    #expect(put(4, "ef") == .ok(.held(6)))
    let attachment = RevisionAttachment("a", .chunks, digest: digest("abcdef"))
    _ = try bench.write(.create(id: "d", body: [:], attachments: [attachment]))
    #expect(try blobNames(bench) == [name(of: "abcdef")])
    #expect(try bench.content("a") == "abcdef")
  }

  @Test func anUploadGoesOnAfterACrash() throws {
    let bench = Bench()
    let content = String(repeating: "abc", count: 50_000)
    let put = { (offset: Int64, bytes: String) in
      bench.perform(.putBlob(digest: digest(content), offset: offset, bytes: base64(bytes)))
    }
    #expect(put(0, String(content.prefix(90_000))) == .ok(.held(90_000)))
    // A chunk whose acknowledgement never arrived, and garbage after it.
    bench.storage.plan.deadAfterChanges = bench.storage.counts.changes + 1
    #expect(
      put(90_000, String(content.dropFirst(90_000))) == .error(DatastoreError(.storage(.io)))
        || bench.storage.isDead)
    try bench.datastore.crash(.kill)
    bench.storage.restart(after: PowerLoss(others: .torn(sectors: 0x5555_5555)))
    bench.perform(.open())
    #expect(put(0, "") == .ok(.held(90_000)))
    #expect(put(90_001, "c").errorKind == .badRequest(path: "offset"))
    #expect(put(90_000, String(content.dropFirst(90_000))) == .ok(.held(150_000)))
    let attachment = RevisionAttachment("a", .chunks, digest: digest(content), length: 150_000)
    _ = try bench.write(.create(id: "d", body: [:], attachments: [attachment]))
    #expect(try bench.content("a") == content)
    expectInvariants(in: bench.storage)
  }

  @Test func noLengthIsAnsweredThatIsNotThere() throws {
    let bench = Bench()
    let ask = StoreAction.putBlob(digest: digest("abcdef"), offset: 0, bytes: "")
    bench.perform(.putBlob(digest: digest("abcdef"), offset: 0, bytes: base64("abcd")))
    let part = try #require(try blobNames(bench).first)
    bench.storage[part] = Array("abc".utf8)
    #expect(bench.perform(ask) == .ok(.held(3)))
    bench.storage[part] = nil
    #expect(bench.perform(ask) == .ok(.held(0)))
    let attachment = RevisionAttachment("a", .chunks, digest: digest("abcdef"))
    #expect(
      bench.failure(.create(id: "d", body: [:], attachments: [attachment])) == .missingStub)
    #expect(
      bench.perform(.putBlob(digest: digest("abcdef"), offset: 0, bytes: base64("abcdef")))
        == .ok(.held(6)))
    _ = try bench.write(.create(id: "d", body: [:], attachments: [attachment]))
    #expect(try bench.content("a") == "abcdef")
  }

  @Test func openingRemovesWhatWasCutOff() throws {
    let bench = Bench()
    bench.perform(.putBlob(digest: digest("abc"), offset: 0, bytes: base64("ab")))
    let names = try blobNames(bench)
    try bench.datastore.crash(.kill)
    let other = "notes.sqlite-\(String(repeating: "0", count: 64))"
    bench.storage["notes.sqlite-new-3.part"] = [1]
    bench.storage["\(other)-1.part"] = [1]
    bench.storage["\(other).blob"] = [1]
    bench.storage["notes.sqlite-photo.blob"] = [1]
    bench.perform(.open())
    #expect(try blobNames(bench) == ["\(other).blob"] + names + ["notes.sqlite-photo.blob"])
    bench.perform(.compact)
    #expect(try blobNames(bench) == ["notes.sqlite-photo.blob"])
  }

  @Test(arguments: [1, 160 - 7, 161 - 7, 238])
  func longNamesOfStores(count: Int) throws {
    let storage = MemoryStorage()
    let bench = Bench(storage: storage, opens: false)
    let benches = ["a", "b"].map { last in
      let bench = Bench(storage: storage, opens: false)
      bench.store = StoreName(JSONString(String(repeating: "a", count: count - 1) + last))
      return bench
    }
    for bench in benches {
      bench.perform(.open())
      _ = try bench.write(.create(id: "d", body: [:], attachments: [data("a", "one")]))
      bench.perform(.putBlob(digest: digest("two"), offset: 0, bytes: base64("tw")))
    }
    #expect(try storage.fileNames().allSatisfy { $0.utf8.count <= 255 })
    #expect(try blobNames(bench).count == 4)
    #expect(benches[0].failure(.destroy) == nil)
    #expect(try blobNames(bench).count == 2)
    benches[1].perform(.compact)
    #expect(try benches[1].content("a") == "one")
    storage["someone.blob"] = [1]
    try benches[1].datastore.reset()
    #expect(try storage.fileNames() == ["someone.blob"])
  }

  private static let withoutLongBodies = """
    DROP TRIGGER revision_removed; DROP TRIGGER body_dropped; DROP TABLE long_body;
    ALTER TABLE revision DROP COLUMN long_body;
    """

  private static let withoutPlaces = "ALTER TABLE attachment DROP COLUMN place;"

  /// Statements that turn a store into one of an older version.
  static let versions = [
    "\(Self.withoutPlaces) PRAGMA user_version = 5",
    "\(Self.withoutPlaces) \(Self.withoutLongBodies) PRAGMA user_version = 4",
    """
    \(Self.withoutPlaces) \(Self.withoutLongBodies)
    DROP TABLE field_index; DROP TABLE entry;
    ALTER TABLE store DROP COLUMN index_changes; PRAGMA user_version = 3
    """,
    """
    \(Self.withoutLongBodies)
    DROP TABLE field_index; DROP TABLE entry; DROP TABLE attachment; DROP TABLE blob;
    DROP TABLE upload; ALTER TABLE store DROP COLUMN index_changes;
    ALTER TABLE store DROP COLUMN uses_blobs; PRAGMA user_version = 2
    """,
  ]

  @Test(arguments: versions)
  func aStoreOfAnOlderVersionIsTakenOver(changes: String) throws {
    let bench = Bench()
    let rev = bench.written(.create(id: "d", body: ["n": 1]))
    let last = bench.last
    try bench.datastore.shutdown()
    withExtendedLifetime(RawDatabase("notes.sqlite", in: bench.storage)) { raw in
      #expect(raw.execute(changes) == 0)
    }
    let old = bench.storage.copy()
    // A crash at any moment leaves either the old or the new version.
    for changes in 0..<20 {
      let copy = old.copy()
      copy.plan.deadAfterChanges = copy.counts.changes + changes
      Bench(storage: copy).perform(.info)
      copy.restart(after: PowerLoss(others: .dropped))
      let next = Bench(storage: copy)
      #expect(next.body("d") == ["n": 1])
      expectInvariants(in: copy)
    }
    let next = Bench(storage: old)
    #expect(next.last == last)
    _ = try next.write(.update(id: "d", rev: rev, body: [:], attachments: [data("a", "one")]))
    #expect(try next.contents() == ["a=one"])
    let index = FindAction.createIndex(IndexDefinition("n", fields: ["n"]))
    #expect(next.perform(.finding(index)) == .ok(.found(.created(true))))
    expectInvariants(in: old)
  }
}
