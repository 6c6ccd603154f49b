import Datastore
import JSON
import Testing

@testable import ConcurrentClients

/// Histories of few operations, written by hand.
struct HistoryCheckerTests {
  private static let first: RevisionID = "1-a"

  /// An operation from `call` to `end`; without an end it has no response.
  private static func op(
    _ connection: Int, _ call: Int64, _ end: Int64?, _ action: StoreAction, _ outcome: Outcome?
  ) -> ClientOperation {
    ClientOperation(
      connection: connection, StoreOperation("a", action), call: call, end: end, outcome: outcome)
  }

  private static func written(_ rev: RevisionID) -> Outcome { .ok(.written(id: "d", rev: rev)) }

  private static func create(_ call: Int64, _ end: Int64?) -> ClientOperation {
    op(1, call, end, .create(id: "d", body: ["w": 1]), written(first))
  }

  private static func update(
    _ connection: Int, _ call: Int64, _ end: Int64?, to rev: RevisionID, body: Int64 = 2,
    from parent: RevisionID = first
  ) -> ClientOperation {
    op(
      connection, call, end, .update(id: "d", rev: parent, body: ["w": .integer(body)]),
      end == nil ? nil : written(rev))
  }

  private static func read(
    _ call: Int64, _ end: Int64, _ rev: RevisionID, body: Int64
  ) -> ClientOperation {
    op(
      3, call, end, .read(id: "d"),
      .ok(.document(DocumentRevision(id: "d", rev: rev, body: ["w": .integer(body)]))))
  }

  private static func leaves(_ call: Int64, _ end: Int64, _ leaves: Leaf...) -> ClientOperation {
    op(3, call, end, .leaves(id: "d"), .ok(.leaves(leaves)))
  }

  private static func checks(
    _ operations: [ClientOperation], without missing: Set<ConsistencyPromise> = []
  ) -> Set<HistoryFinding.Check> {
    let promises = Set(ConsistencyPromise.allCases).subtracting(missing)
    let verdict = HistoryChecker(promises: promises).check(ClientHistory(operations))
    #expect(verdict.unknown == 0)
    return Set(verdict.findings.map(\.check))
  }

  private static let conflict = Outcome.error(DatastoreError(.conflict))

  @Test func oneOfTwoEditsWins() {
    let loser = Self.op(2, 4, 8, .update(id: "d", rev: Self.first, body: ["w": 3]), Self.conflict)
    #expect(Self.checks([Self.create(1, 2), Self.update(1, 3, 7, to: "2-b"), loser]).isEmpty)
    let both = [
      Self.create(1, 2), Self.update(1, 3, 7, to: "2-b"),
      Self.update(2, 4, 8, to: "2-c", body: 3),
    ]
    #expect(Self.checks(both) == [.order])
    // The conflict has no cause if the other edit began later.
    let early = Self.op(2, 3, 4, .update(id: "d", rev: Self.first, body: ["w": 3]), Self.conflict)
    #expect(Self.checks([Self.create(1, 2), early, Self.update(1, 5, 6, to: "2-b")]) == [.order])
  }

  @Test func aReadShowsWhatWasAcknowledged() {
    let base = [Self.create(1, 2), Self.update(1, 3, 6, to: "2-b")]
    #expect(Self.checks(base + [Self.read(4, 5, Self.first, body: 1)]).isEmpty)
    #expect(Self.checks(base + [Self.read(4, 5, "2-b", body: 2)]).isEmpty)
    #expect(Self.checks(base + [Self.read(7, 8, "2-b", body: 2)]).isEmpty)
    let stale = base + [Self.read(7, 8, Self.first, body: 1)]
    #expect(Self.checks(stale) == [.order])
    #expect(Self.checks(stale, without: [.reads]).isEmpty)
    // Another body is wrong in any case.
    let torn = base + [Self.read(7, 8, "2-b", body: 1)]
    #expect(Self.checks(torn, without: [.reads]) == [.order])
  }

  @Test func aWriteWithoutAResponseMayHappenLaterOrNever() {
    let base = [Self.create(1, 2), Self.update(1, 3, nil, to: "2-b")]
    #expect(Self.checks(base + [Self.read(9, 10, Self.first, body: 1)]).isEmpty)
    let late = [Self.read(9, 10, Self.first, body: 1), Self.read(11, 12, "2-b", body: 2)]
    #expect(Self.checks(base + late).isEmpty)
    let gone = [Self.read(9, 10, "2-b", body: 2), Self.read(11, 12, Self.first, body: 1)]
    #expect(Self.checks(base + gone) == [.order])
  }

  @Test func aRevisionThatWasNeverWritten() {
    let shown = Self.leaves(3, 4, Leaf(rev: Self.first), Leaf(rev: "1-0"))
    #expect(Self.checks([Self.create(1, 2), shown]) == [.order, .conservation])
  }

  @Test func anAcknowledgedRevisionThatIsMissingAtTheEnd() {
    let path = RevisionRecord(id: "d", path: [Self.first], body: ["w": 1])
    let end = [
      Self.leaves(11, 12, Leaf(rev: Self.first)),
      Self.op(
        1, 13, 14, .getRevisions([RevisionQuery(id: "d", revs: [Self.first])]),
        .ok(.revisions([RevisionAnswer(id: "d", rev: Self.first, found: .records([path]))]))),
    ]
    let other = Self.op(2, 4, 7, .leaves(id: "e"), .error(DatastoreError(.notFound(.missing))))
    let base = [Self.create(1, 2), Self.update(1, 3, 6, to: "2-b"), other]
    #expect(Self.checks(base + end) == [.order, .conservation])
  }

  @Test func aClientKeepsWhatItHasRead() {
    // Two leaves one after the other, of which the second does not descend from the first.
    let insert = { (call: Int64, rev: RevisionID) in
      Self.op(
        1, call, call + 1,
        .insertRevisions([RevisionRecord(id: "d", path: [rev], body: ["w": 5])]),
        .ok(.inserted([nil])))
    }
    let shown = [Self.leaves(5, 6, Leaf(rev: "1-b")), Self.leaves(7, 8, Leaf(rev: Self.first))]
    let found = Self.checks([insert(1, Self.first), insert(3, "1-b")] + shown)
    #expect(found.contains(.session))
  }

  @Test func theFeedHasTheOrderOfTheWrites() {
    func row(_ seq: Int64, _ id: DocumentID) -> ChangesRow {
      ChangesRow(seq: .integer(seq), id: id, deleted: false, leaves: [Leaf(rev: Self.first)])
    }
    let writes = [
      Self.op(1, 1, 2, .create(id: "d", body: ["w": 1]), Self.written(Self.first)),
      Self.op(1, 3, 4, .create(id: "e", body: ["w": 2]), .ok(.written(id: "e", rev: Self.first))),
    ]
    func page(_ ids: DocumentID...) -> ClientOperation {
      let rows = ids.enumerated().map { row(Int64($0) + 1, $1) }
      return Self.op(
        2, 5, 6, .changes(), .ok(.changes(ChangesPage(rows: rows, last: .integer(2), more: false))))
    }
    #expect(Self.checks(writes + [page("d", "e")]).isEmpty)
    #expect(Self.checks(writes + [page("e", "d")]) == [.feed])
    #expect(Self.checks(writes + [page("e", "d")], without: [.feedOrder]).isEmpty)
    // A page without a document that was acknowledged before.
    #expect(Self.checks(writes + [page("d")]) == [.order])
    #expect(Self.checks(writes + [page("d")], without: [.feed]).isEmpty)
  }

  @Test func aReaderThatContinuesSkipsNothing() {
    func page(
      _ call: Int64, since: Int64?, _ rows: [ChangesRow], last: Int64
    ) -> ClientOperation {
      Self.op(
        2, call, call + 1, .changes(since: since.map { .integer($0) }),
        .ok(.changes(ChangesPage(rows: rows, last: .integer(last), more: false))))
    }
    let row = ChangesRow(
      seq: .integer(1), id: "d", deleted: false, leaves: [Leaf(rev: Self.first)])
    let next = ChangesRow(seq: .integer(3), id: "d", deleted: false, leaves: [Leaf(rev: "2-b")])
    let base = [
      Self.create(1, 2), page(3, since: nil, [row], last: 1), Self.update(1, 5, 6, to: "2-b"),
    ]
    #expect(Self.checks(base + [page(7, since: 1, [next], last: 3)]).isEmpty)
    #expect(Self.checks(base + [page(7, since: 1, [], last: 3)]) == [.order])
  }

  @Test func countsAndListsShowOneMoment() {
    let writes = [
      Self.op(1, 1, 2, .create(id: "d", body: ["w": 1]), Self.written(Self.first)),
      Self.op(1, 4, 5, .create(id: "e", body: ["w": 2]), .ok(.written(id: "e", rev: Self.first))),
    ]
    func info(_ call: Int64, _ end: Int64, _ count: Int64) -> ClientOperation {
      Self.op(
        2, call, end, .info,
        .ok(
          .info(
            StoreInfo(documents: count, deletedDocuments: 0, last: .integer(1), incarnation: "i"))))
    }
    #expect(Self.checks(writes + [info(3, 6, 1)]).isEmpty)
    #expect(Self.checks(writes + [info(3, 6, 2)]).isEmpty)
    #expect(Self.checks(writes + [info(3, 6, 0)]) == [.order])
    #expect(Self.checks(writes + [info(3, 6, 0)], without: [.counts]).isEmpty)
    let list = Self.op(2, 3, 8, .list(), .ok(.list([ListRow(id: "e", rev: Self.first)])))
    #expect(Self.checks(writes + [list]) == [.order])
    // Each row alone is right at some moment.
    let gone = Self.op(
      3, 6, 7, .delete(id: "d", rev: Self.first), .ok(.written(id: "d", rev: "2-c")))
    let torn = Self.op(
      2, 3, 8, .list(),
      .ok(.list([ListRow(id: "d", rev: Self.first), ListRow(id: "e", rev: Self.first)])))
    #expect(Self.checks(writes + [gone, torn]).isEmpty)
    let never = Self.op(2, 3, 8, .list(), .ok(.list([])))
    #expect(Self.checks(writes + [gone, never]) == [.order])
    #expect(Self.checks(writes + [gone, never], without: [.lists]).isEmpty)
  }

  @Test func aResolutionInPieces() {
    func insert(_ call: Int64, _ rev: RevisionID) -> ClientOperation {
      Self.op(
        1, call, call + 1,
        .insertRevisions([RevisionRecord(id: "d", path: [rev], body: ["w": 5])]),
        .ok(.inserted([nil])))
    }
    let resolve = Self.op(
      1, 7, 10, .resolve(id: "d", leaves: ["1-c", "1-b", "1-a"], keep: "1-c"),
      .ok(.resolved(rev: "1-c", tombstones: ["2-x", "2-y"])))
    let between = Self.leaves(
      8, 9, Leaf(rev: "1-c"), Leaf(rev: "1-b"), Leaf(rev: "2-y", deleted: true))
    let history = [insert(1, "1-a"), insert(3, "1-b"), insert(5, "1-c"), resolve, between]
    #expect(Self.checks(history) == [.order])
    let paths = Self.op(
      1, 11, 12, .getRevisions([RevisionQuery(id: "d", revs: ["2-x", "2-y"])]),
      .ok(
        .revisions([
          RevisionAnswer(
            id: "d", rev: "2-x",
            found: .records([
              RevisionRecord(id: "d", path: ["2-x", "1-b"], deleted: true, body: [:])
            ])),
          RevisionAnswer(
            id: "d", rev: "2-y",
            found: .records([
              RevisionRecord(id: "d", path: ["2-y", "1-a"], deleted: true, body: [:])
            ])),
        ])))
    #expect(Self.checks(history + [paths], without: [.resolutions, .reads]).isEmpty)
    #expect(!Self.checks(history + [paths], without: [.resolutions]).contains(.order))
  }

  @Test func wrongResponses() {
    let corrupt = Self.op(
      2, 3, 4, .readAttachment(id: "d", name: "a"),
      .error(DatastoreError(.storage(.corrupt))))
    #expect(Self.checks([Self.create(1, 2), corrupt]).contains(.response))
    let busy = Self.op(2, 3, 4, .delete(id: "d", rev: Self.first), .error(DatastoreError(.busy)))
    #expect(Self.checks([Self.create(1, 2), busy]).isEmpty)
  }

  @Test func aSearchThatEndsEarlyIsUnknown() {
    var operations = [Self.create(1, 2)]
    for number in 0..<12 {
      operations.append(
        Self.update(number + 2, Int64(number) + 3, nil, to: "2-b", body: Int64(number)))
    }
    operations.append(
      Self.op(20, 30, 31, .read(id: "d"), .error(DatastoreError(.notFound(.missing)))))
    let verdict = HistoryChecker(stepsMax: 3).check(ClientHistory(operations))
    #expect(verdict.unknown > 0 && !verdict.findings.contains { $0.check == .order })
    #expect(Self.checks(operations) == [.order])
  }

  @Test func theWitnessIsSmall() throws {
    var operations = [Self.create(1, 2)]
    for number in 0..<40 {
      let call = Int64(number) * 2 + 3
      operations.append(Self.read(call, call + 1, Self.first, body: 1))
    }
    operations += [
      Self.update(1, 101, 106, to: "2-b"), Self.update(2, 102, 105, to: "2-c", body: 3),
      Self.op(4, 103, 104, .leaves(id: "e"), .error(DatastoreError(.notFound(.missing)))),
    ]
    let history = ClientHistory(operations)
    let finding = try #require(HistoryChecker().check(history).findings.first)
    let witness = try #require(
      OrderWitness(finding, in: history, Set(ConsistencyPromise.allCases)))
    #expect(witness.items.map(\.operation).suffix(2) == [41, 42])
    #expect(witness.items.count <= 3)
    #expect(witness.stages.last?.states == [])
    #expect(witness.beginnings == ["d: 1-a"])
  }
}

/// A purge of a tombstone removes the leaf that it deleted, and the response does not tell which one.
@Test func aPurgeAfterAResolution() {
  func op(_ call: Int64, _ action: StoreAction, _ outcome: Outcome) -> ClientOperation {
    ClientOperation(
      connection: 1, StoreOperation("a", action), call: call, end: call + 1, outcome: outcome)
  }
  func insert(_ call: Int64, _ rev: RevisionID) -> ClientOperation {
    op(
      call, .insertRevisions([RevisionRecord(id: "d", path: [rev], body: ["w": 5])]),
      .ok(.inserted([nil])))
  }
  for (tombstone, other) in [("2-x", "2-y"), ("2-y", "2-x")] as [(RevisionID, RevisionID)] {
    let history = [
      insert(1, "1-a"), insert(3, "1-b"), insert(5, "1-c"),
      op(
        7, .resolve(id: "d", leaves: ["1-c", "1-b", "1-a"], keep: "1-c"),
        .ok(.resolved(rev: "1-c", tombstones: ["2-x", "2-y"]))),
      op(9, .purge(id: "d", revs: [tombstone]), .ok(.purged([tombstone]))),
      // The purged branch arrives again.
      insert(11, "1-a"),
      op(
        13, .leaves(id: "d"),
        .ok(
          .leaves([Leaf(rev: "1-c"), Leaf(rev: "1-a"), Leaf(rev: other, deleted: true)]))),
    ]
    let verdict = HistoryChecker().check(ClientHistory(history))
    #expect(!verdict.findings.contains { $0.check == .order })
  }
}
