import Datastore
import JSON
import Storage
import Testing

@testable import SQLiteDatastore

/// Bodies that are too long for the row of their revision.
@Suite struct LongBodyTests {
  /// A body of a given size in bytes, at least 17.
  static func body(_ count: Int, _ letter: String = "x") -> JSONValue {
    ["n": 7, "text": .text(String(repeating: letter, count: count - 17))]
  }

  private func numbers(_ bench: Bench) -> [String] {
    RawDatabase("notes.sqlite", in: bench.storage)
      .rows("SELECT length(CAST(body AS BLOB)) FROM long_body ORDER BY number").map { $0[0] }
  }

  private func expect(
    _ lengths: [Int], _ bench: Bench, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(numbers(bench) == lengths.map { "\($0)" }, sourceLocation: sourceLocation)
    expectInvariants(in: bench.storage, sourceLocation: sourceLocation)
  }

  @Test(arguments: [17, 799, 800, 801, 1000, 4061, 4062, 9000, 300_000])
  func bodiesOfEveryLengthAreKept(count: Int) {
    let bench = Bench()
    let body = Self.body(count)
    #expect(body.serialized().utf8.count == count)
    _ = bench.written(.create(id: "d", body: body))
    bench.insert("e", ["2-b", "1-a"], body: body)
    #expect(bench.body("d") == body && bench.body("e", "2-b") == body)
    expect(count > 800 ? [count, count] : [], bench)
  }

  @Test func theyComeAndGoWithTheirRevisions() {
    let bench = Bench()
    let first = bench.written(.create(id: "d", body: Self.body(1000)))
    let second = bench.written(.update(id: "d", rev: first, body: ["n": 1]))
    let third = bench.written(.update(id: "d", rev: second, body: Self.body(3000)))
    expect([1000, 3000], bench)
    #expect(bench.body("d", first) == Self.body(1000) && bench.body("d") == Self.body(3000))
    bench.perform(.compact)
    expect([3000], bench)
    #expect(bench.failure(.read(id: "d", rev: first)) == .notFound(.bodyMissing))
    _ = bench.written(.delete(id: "d", rev: third))
    expect([3000], bench)
    bench.insert("e", ["2-b", "1-a"], body: Self.body(901))
    bench.insert("e", ["2-c", "1-a"], body: Self.body(902))
    bench.perform(.purge(id: "e", revs: ["2-b"]))
    expect([3000, 902], bench)
    bench.perform(.historyLimit(1))
    _ = bench.written(.update(id: "e", rev: "2-c", body: Self.body(903)))
    expect([3000, 903], bench)
    bench.perform(.purge(id: "e", revs: bench.leaves("e").map { RevisionID(JSONString($0)) }))
    expect([3000], bench)
  }

  /// The limit prunes below branches of different heights, one revision at a time.
  @Test func thoseThatALimitCutsGo() {
    let bench = Bench()
    for generation in 1...6 {
      let path = (1...generation).reversed().map { RevisionID(JSONString("\($0)-a")) }
      bench.insert("d", path, body: Self.body(900 + generation))
    }
    bench.insert("d", ["3-x", "2-a", "1-a"], body: Self.body(950))
    bench.perform(.historyLimit(2))
    bench.insert("d", ["7-a", "6-a"], body: Self.body(907))
    expect([902, 906, 950, 907], bench)
  }

  /// A stub gets its body later, and so does a compacted revision.
  @Test func theyComeLate() {
    let bench = Bench()
    bench.insert("d", ["2-b", "1-a"], body: [:])
    bench.insert("d", ["1-a"], body: Self.body(1200))
    #expect(bench.body("d", "1-a") == Self.body(1200))
    expect([1200], bench)
    bench.perform(.compact)
    expect([], bench)
    bench.insert("d", ["1-a"], body: Self.body(1300))
    #expect(bench.body("d", "1-a") == Self.body(1300))
    expect([1300], bench)
  }

  @Test func oneThatIsHereIsNotWrittenAgain() {
    let bench = Bench()
    bench.insert("d", ["2-b", "1-a"], body: Self.body(1000))
    let before = bench.storage.counts.changes
    bench.insert("d", ["2-b", "1-a"], body: Self.body(1000))
    #expect(bench.storage.counts.changes == before)
    expect([1000], bench)
  }

  @Test(arguments: [nil, IndexDefinition.Kind.json, .text])
  func theyAreFound(type: IndexDefinition.Kind?) throws {
    let bench = Bench()
    for number in 0..<6 {
      let text = number % 2 == 0 ? "" : String(repeating: "many words ", count: 100)
      _ = bench.written(
        .create(
          id: DocumentID(JSONString("d\(number)")),
          body: ["group": .text("g\(number / 2)"), "text": .text(text)]))
    }
    if let type {
      let index = IndexDefinition("index", type, fields: ["group"])
      #expect(bench.failure(.finding(.createIndex(index))) == nil)
    }
    let query = FindRequest(["group": "g1"])
    guard case .ok(.found(.documents(let documents))) = bench.perform(.finding(.find(query)))
    else {
      Issue.record("nothing was found")
      return
    }
    #expect(documents.map { $0.id } == ["d2", "d3"])
    #expect(documents.map { $0.body } == ["d2", "d3"].map { bench.body($0) })
  }

  /// A lost body is reported by every operation that needs it.
  @Test func aLostOneIsNamed() throws {
    let storage = MemoryStorage()
    let builder = Bench(storage: storage)
    _ = builder.written(.create(id: "d", body: Self.body(1000)))
    _ = builder.written(.create(id: "e", body: ["n": 1]))
    try builder.datastore.shutdown()
    #expect(RawDatabase("notes.sqlite", in: storage).execute("DELETE FROM long_body") == 0)
    let bench = Bench(storage: storage)
    guard case .error(let error) = bench.perform(.read(id: "d")) else {
      Issue.record("the lost body was read")
      return
    }
    #expect(error.kind == .storage(.corrupt) && error.message.contains("'d'"))
    #expect(bench.body("e") == ["n": 1])
    let index = IndexDefinition("n", fields: ["n"])
    #expect(bench.failure(.finding(.createIndex(index))) == .storage(.corrupt))
    let query = FindRequest(["n": 7])
    #expect(bench.failure(.finding(.find(query))) == .storage(.corrupt))
  }

  /// Long bodies are packed: in rows of the tree each of them would have overflow pages.
  @Test func theyTakeLittleMoreThanTheirBytes() throws {
    let bench = Bench()
    let count = 1000
    for start in stride(from: 0, to: count, by: 100) {
      bench.perform(
        .insertRevisions(
          (start..<start + 100).map {
            RevisionRecord(
              id: CountedWrite.id($0), path: [CountedWrite.rev(1, $0)], body: Self.body(1300))
          }))
    }
    try bench.datastore.shutdown()
    let size = try #require(bench.storage["notes.sqlite"]).count
    #expect(size < count * 1300 * 3 / 2, "\(size)")
  }

  /// A revision that gets a child is rewritten, but its body is not.
  @Test func anEditDoesNotWriteTheOldBody() {
    let bench = Bench()
    let rev = bench.written(.create(id: "d", body: Self.body(400_000)))
    let before = bench.storage.counts
    _ = bench.written(.update(id: "d", rev: rev, body: ["n": 1]))
    let writing = RowBaseline.Writing(from: before, to: bench.storage.counts)
    #expect(writing.pages < 10, "\(writing)")
    #expect(bench.body("d", rev) == Self.body(400_000))
  }
}
