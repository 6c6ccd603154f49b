import Datastore
import JSON
import Oracles
import Testing

@Suite struct WinnerAgreementTests {
  /// TREE: live before deleted, then the number, then the bytes of the suffix.
  @Test(arguments: [
    ([Leaf(rev: "2-a"), Leaf(rev: "9-a", deleted: true)], true),
    ([Leaf(rev: "9-a", deleted: true), Leaf(rev: "2-a")], false),
    ([Leaf(rev: "10-a"), Leaf(rev: "9-b")], true), ([Leaf(rev: "9-b"), Leaf(rev: "10-a")], false),
    ([Leaf(rev: "2-b"), Leaf(rev: "2-a")], true), ([Leaf(rev: "2-a"), Leaf(rev: "2-b")], false),
    ([Leaf(rev: "2-ab"), Leaf(rev: "2-a")], true), ([Leaf(rev: "2-é"), Leaf(rev: "2-z")], true),
  ])
  func theFirstLeafWins(leaves: [Leaf], isRight: Bool) {
    var witness = Witness()
    witness.client(0, .leaves(id: "d"), .ok(.leaves(leaves)))
    #expect(witness.kinds == (isRight ? [] : ["winner/leaves"]))
  }

  @Test func aRowThatIsCalledDeleted() {
    var witness = Witness()
    let row = ChangesRow(seq: .integer(1), id: "d", deleted: true, leaves: [Leaf(rev: "1-a")])
    let page = ChangesPage(rows: [row], last: .integer(1), more: false)
    witness.client(0, .changes(), .ok(.changes(page)))
    #expect(witness.kinds == ["winner/deleted"])
  }

  @Test func anotherIsRead() {
    var witness = Witness()
    witness.create(0, "d", "1-a")
    var document = FinalDocument("d", RevisionRecord(id: "d", path: ["1-a"], body: [:]))
    document.winner = nil
    witness.end([document])
    #expect(witness.kinds.contains("winner/read"))
  }
}

@Suite struct ConvergenceTests {
  private static func document(_ rev: RevisionID, _ number: Int64 = 1) -> FinalDocument {
    FinalDocument("d", RevisionRecord(id: "d", path: [rev], body: ["n": .integer(number)]))
  }

  @Test func leavesThatDiffer() {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.create(1, "d", "1-b", ["n": 1])
    witness.end([Self.document("1-a")], [Self.document("1-b")])
    #expect(witness.kinds.contains("convergence/leaves"))
  }

  @Test func bodiesThatDiffer() {
    var witness = Witness()
    witness.client(
      0, .insertRevisions([RevisionRecord(id: "d", path: ["1-a"], body: ["n": 1])]),
      .ok(.inserted([nil])))
    witness.end([Self.document("1-a", 1)], [Self.document("1-a", 2)])
    #expect(witness.kinds.contains("convergence/bodies"))
  }

  /// A replica that rejected or purged a document need not have it.
  @Test func aDocumentWithoutPromise() {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.client(1, .purge(id: "d", revs: ["1-a"]), .ok(.purged(["1-a"])))
    witness.end([Self.document("1-a")], [])
    #expect(witness.kinds == [])
  }
}

@Suite struct WasteTests {
  private static let history = Outcome.ok(
    .local(body: ["history": [["session": "x", "recorded": 3]]]))

  /// Both sides have the checkpoint, but the session starts from the beginning.
  @Test(arguments: [(nil, ["waste/rescan"]), (Int64(3), [])] as [(Int64?, [String])])
  func aStartFromTheBeginning(since: Int64?, kinds: [String]) {
    var witness = Witness()
    witness.begin()
    for isSource in [true, false] {
      witness.session(isSource, .readLocal(id: "c"), Self.history)
    }
    let since = since.map { UpdateSequence.integer($0) }
    let page = ChangesPage(rows: [], last: .integer(3), more: false)
    witness.session(true, .changes(since: since, limit: nil), .ok(.changes(page)))
    #expect(witness.kinds == kinds)
  }

  @Test(arguments: [
    (true, false, [String]()), (false, true, []), (false, false, ["waste/unsaved"]),
  ])
  func anEndWithoutCheckpoint(isSaved: Bool, isSaid: Bool, kinds: [String]) {
    var witness = Witness()
    witness.begin()
    witness.page([], last: 4)
    if isSaved { for isSource in [false, true] { witness.save(4, isSource: isSource) } }
    witness.tell(.sessionEnded(0, SessionEnd(isComplete: true, saysUnsaved: isSaid)))
    #expect(witness.kinds == kinds)
  }
}

@Suite struct StoreIdentityTests {
  private static func info(_ incarnation: JSONString) -> Outcome {
    .ok(
      .info(
        StoreInfo(
          documents: 0, deletedDocuments: 0, last: .integer(0), incarnation: incarnation)))
  }

  /// The target's responses before the session begins and at its end, in addition to the first,
  /// `ib`.
  @Test(
    arguments: [
      ([], ["ib"], true, []), ([], ["new"], true, ["identity/replaced"]),
      ([], ["new"], false, []),
      // Either response may have arrived, and one of them was correct.
      (["new"], ["new"], true, []), ([], ["ib", "new"], true, []),
      (["new"], ["newest"], true, ["identity/replaced"]),
      // Another replicator may detect this in other ways.
      ([], [], true, []),
    ] as [([JSONString], [JSONString], Bool, [String])])
  func aStoreThatBecameAnother(
    before: [JSONString], after: [JSONString], isComplete: Bool, kinds: [String]
  ) {
    var witness = Witness()
    witness.begin()
    for incarnation in before { witness.session(false, .info, Self.info(incarnation)) }
    witness.page([], last: 4)
    for isSource in [false, true] { witness.save(4, isSource: isSource) }
    witness.session(true, .info, Self.info("ia"))
    for incarnation in after { witness.session(false, .info, Self.info(incarnation)) }
    witness.tell(.sessionEnded(0, SessionEnd(isComplete: isComplete, saysUnsaved: false)))
    #expect(witness.kinds == kinds)
  }
}
