import Datastore
import JSON
import Storage
import Testing

@testable import SQLiteDatastore

/// The cost of an acknowledged write in syncs and pages, counted by the storage.
///
/// Indexes of words are excluded, because FTS5 determines their writes.
@Suite struct WriteCountTests {
  static let cases: [(write: CountedWrite, hasIndex: Bool)] = CountedWrite.allCases.flatMap {
    write in [false, true].map { (write, $0) }
  }.filter { $0.write != .dropIndex || $0.hasIndex }

  private func bench(hasIndex: Bool, checkpointPages: Int? = nil) -> Bench {
    let storage = MemoryStorage()
    storage["notes.sqlite"] = CountedWrite.file(hasIndex: hasIndex)
    return Bench(storage: storage, checkpointPages: checkpointPages)
  }

  /// Performs a write that must succeed completely, and returns its cost.
  private func perform(_ bench: Bench, _ action: StoreAction) -> RowBaseline.Writing {
    let start = bench.storage.counts
    let outcome = bench.perform(action)
    #expect(outcome.errorKind == nil, "\(outcome)")
    if case .ok(.inserted(let failures)) = outcome { #expect(failures.allSatisfy { $0 == nil }) }
    return RowBaseline.Writing(from: start, to: bench.storage.counts)
  }

  @Test(arguments: cases)
  func everyWriteIsOneSyncAndThePagesOfItsRows(write: CountedWrite, hasIndex: Bool) throws {
    let bench = bench(hasIndex: hasIndex)
    write.prepare(bench)
    let floor = RowBaseline(of: bench.storage)
    let writing = perform(bench, write.action)
    #expect(writing.syncs == 1 && writing.folderSyncs == 0)
    let least = try #require(floor.follow(to: bench.storage))
    #expect(least.syncs == 1 && least.pages > 0)
    #expect(writing.pages * 10 <= least.pages * 12, "\(writing.pages) over \(least.pages)")
    expectInvariants(in: bench.storage)
  }

  /// Checkpoints are work as well, and cost both sides the same.
  @Test func manyWritesAreTheirPagesWithWhatMovesThem() throws {
    let pagesMax = 50
    let bench = bench(hasIndex: true, checkpointPages: pagesMax)
    CountedWrite.create.prepare(bench)
    let floor = RowBaseline(of: bench.storage, checkpointPages: pagesMax)
    var (pages, leastPages, moved) = (0, 0, 0)
    for number in 0..<60 {
      let id = DocumentID(JSONString("\(CountedWrite.id(number * 7))x"))
      let before = bench.storage.counts[.write, .database]
      pages += perform(bench, .create(id: id, body: CountedWrite.body(number))).pages
      moved += bench.storage.counts[.write, .database] - before
      leastPages += try #require(floor.follow(to: bench.storage)).pages
    }
    #expect(moved > 50)
    #expect(pages * 10 <= leastPages * 12, "\(pages) over \(leastPages)")
  }

  /// Revisions are written before the history limit deletes others, which may split a full page. So
  /// a single write may cost more, but the sum of many must not.
  @Test func cutsAreTheirPagesOnTheWhole() throws {
    var (pages, leastPages) = (0, 0)
    for number in stride(from: 410, to: 600, by: 10) {
      let bench = bench(hasIndex: false)
      bench.perform(.historyLimit(2))
      func insert(_ generation: Int) -> StoreAction {
        let path = [
          CountedWrite.rev(generation, number), CountedWrite.rev(generation - 1, number),
        ]
        return .insertRevisions([
          RevisionRecord(id: CountedWrite.id(number), path: path, body: CountedWrite.body(1))
        ])
      }
      bench.perform(insert(3))
      let floor = RowBaseline(of: bench.storage)
      pages += perform(bench, insert(4)).pages
      leastPages += try #require(floor.follow(to: bench.storage)).pages
    }
    #expect(pages * 10 <= leastPages * 12, "\(pages) over \(leastPages)")
  }

  @Test func whatChangesNothingWritesNothing() {
    let bench = bench(hasIndex: true)
    CountedWrite.create.prepare(bench)
    let known = CountedWrite.record(500)
    let index = IndexDefinition("group", fields: ["group"])
    let failing: Set<String> = ["update", "delete", "create"]
    let actions: [StoreAction] = [
      .insertRevisions([known, CountedWrite.record(501)]), .finding(.createIndex(index)),
      .purge(id: known.id, revs: ["7-x"]), .flush, .changes(), .read(id: known.id),
      .update(id: known.id, rev: "7-x", body: [:]), .delete(id: known.id, rev: "7-x"),
      .create(id: known.id, body: [:]), .writeLocal(id: "none", body: nil),
    ]
    for action in actions {
      let start = bench.storage.counts
      let outcome = bench.perform(action)
      #expect((outcome.errorKind == nil) != failing.contains(action.name), "\(action) \(outcome)")
      #expect(bench.storage.counts.changes == start.changes, "\(action)")
    }
  }

  /// New content has a file: the file is synced, and so are all new names once, before the log is.
  /// Known content costs only its row.
  @Test func newContentIsOneSyncMoreForEachAndOneForAllNames() throws {
    let bench = bench(hasIndex: false)
    CountedWrite.create.prepare(bench)
    func expect(
      _ files: Int, _ action: StoreAction, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let floor = RowBaseline(of: bench.storage)
      let writing = perform(bench, action)
      #expect(writing.syncs == files + 1, sourceLocation: sourceLocation)
      #expect(writing.folderSyncs == (files > 0 ? 1 : 0), sourceLocation: sourceLocation)
      let least = try #require(floor.follow(to: bench.storage))
      #expect(writing.pages * 10 <= least.pages * 12, "\(writing) over \(least)")
    }
    try expect(3, .create(id: "a", body: [:]).with(["x": "1", "y": "2", "z": "3"]))
    try expect(0, .create(id: "b", body: [:]).with(["x": "1", "y": "2"]))
    try expect(1, .create(id: "c", body: [:]).with(["x": "1", "y": "4"]))
    let records = (0..<10).map {
      RevisionRecord(
        id: CountedWrite.id(5000 + $0), path: ["1-a"], body: [:],
        attachments: [data("x", "content \($0 / 2)")])
    }
    try expect(5, .insertRevisions(records))
    let content = "brought in pieces"
    let bytes = Array(content.utf8)
    // The first chunk creates a file, and the next one is appended.
    try expect(
      1, .putBlob(digest: digest(content), offset: 0, bytes: Base64.encode(Array(bytes.prefix(9)))))
    let start = bench.storage.counts
    let next = StoreAction.putBlob(
      digest: digest(content), offset: 9, bytes: Base64.encode(Array(bytes.dropFirst(9))))
    let writing = perform(bench, next)
    #expect(writing.syncs == 2 && writing.folderSyncs == 0)
    #expect(bench.storage.counts[.sync, .blob] == start[.sync, .blob] + 1)
  }
}

extension StoreAction {
  /// The same with texts as attachments.
  fileprivate func with(_ contents: KeyValuePairs<JSONString, String>) -> StoreAction {
    .attaching(contents.map { data($0.key, $0.value) }, to: self)
  }
}
