import Datastore
import JSON
import Oracles
import Testing

/// design: every acknowledged write ends as live, superseded, conflict-kept, deleted or purged.
@Suite struct FateLedgerTests {
  private static func live(_ path: [RevisionID], _ number: Int64 = 1) -> RevisionRecord {
    RevisionRecord(id: "d", path: path, body: ["n": .integer(number)])
  }

  @Test func everyFateThatSomebodyWanted() {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.client(
      0, .update(id: "d", rev: "1-a", body: ["n": 2]), .ok(.written(id: "d", rev: "2-b")))
    witness.client(
      1, .update(id: "d", rev: "1-a", body: ["n": 3]), .ok(.written(id: "d", rev: "2-a")))
    witness.client(0, .delete(id: "d", rev: "2-a", body: nil), .ok(.written(id: "d", rev: "3-x")))
    let document = FinalDocument(
      "d", Self.live(["2-b", "1-a"], 2),
      RevisionRecord(id: "d", path: ["3-x", "2-a", "1-a"], deleted: true, body: [:]))
    witness.end([document])
    #expect(witness.kinds == [])
    let store = FinalStore(documents: [document])
    let fates = witness.oracles.ledger([store, store]).map(\.fate)
    #expect(fates == [.superseded, .winning, .deleted, .deleted])
  }

  @Test func aWriteThatIsNowhere() {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.create(0, "e", "1-b")
    witness.end([FinalDocument("d", Self.live(["1-a"]))])
    #expect(witness.kinds == ["fate/lost write"])
    #expect(witness.findings.first?.document == "e")
  }

  @Test func aWriteThatIsAtOneReplicaOnly() {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.end([FinalDocument("d", Self.live(["1-a"]))], [])
    #expect(witness.kinds == ["fate/lost write", "convergence/leaves"])
    #expect(
      witness.findings == [
        .lostWrite("d", "1-a", isDeletion: false, step: "s1", origin: "a", replica: "b"),
        .differentLeaves(
          "d", left: "a", onlyLeft: [Leaf(rev: "1-a", deleted: false)], right: "b", onlyRight: []),
      ])
  }

  @Test func aDeletionThatIsLost() {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.client(0, .delete(id: "d", rev: "1-a", body: nil), .ok(.written(id: "d", rev: "2-x")))
    witness.end([FinalDocument("d", Self.live(["1-a"]))])
    #expect(witness.kinds == ["fate/lost deletion"])
  }

  @Test func aTombstoneThatLives() {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.client(0, .delete(id: "d", rev: "1-a", body: nil), .ok(.written(id: "d", rev: "2-x")))
    witness.end([FinalDocument("d", Self.live(["2-x", "1-a"]))])
    #expect(witness.kinds == ["fate/turned"])
  }

  @Test func anotherBodyThanWasWritten() {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.end([FinalDocument("d", Self.live(["1-a"], 2))])
    #expect(witness.kinds == ["fate/altered"])
  }

  @Test func whatNobodyWrote() {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.end([FinalDocument("d", Self.live(["2-q", "1-a"]))])
    #expect(witness.kinds == ["fate/stranger"])
  }

  /// A write whose response was lost may have happened, but only with the requested content.
  @Test(arguments: [(2, []), (3, ["fate/stranger"])] as [(Int64, [String])])
  func aWriteOfWhichNobodyKnows(number: Int64, kinds: [String]) {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.client(0, .update(id: "d", rev: "1-a", body: ["n": 2]), .unknown)
    witness.end([FinalDocument("d", Self.live(["2-q", "1-a"], number))])
    #expect(witness.kinds == kinds)
  }

  /// A destroyed store loses the revisions that no other replica received, and no others.
  @Test(arguments: [(false, [String]()), (true, ["fate/lost write"])])
  func aReplicaThatWasDestroyed(isKnownElsewhere: Bool, kinds: [String]) {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    if isKnownElsewhere {
      witness.begin()
      witness.insert(Self.live(["1-a"]))
    }
    witness.client(0, .destroy, .ok(.done))
    witness.end([])
    #expect(witness.kinds == kinds)
  }

  @Test func aDocumentThatWasPurged() {
    var witness = Witness()
    witness.create(0, "d", "1-a", ["n": 1])
    witness.client(0, .purge(id: "d", revs: ["1-a"]), .ok(.purged(["1-a"])))
    witness.end([])
    #expect(witness.kinds == [])
  }
}
