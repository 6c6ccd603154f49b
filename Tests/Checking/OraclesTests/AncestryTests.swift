import Datastore
import JSON
import Oracles
import Testing

/// Revisions that clients import with their history, and revisions that a history limit cuts, are
/// neither strangers nor lost; all others still are.
@Suite struct AncestryTests {
  private static func record(
    _ path: [RevisionID], _ number: Int64 = 1, deleted: Bool = false
  ) -> RevisionRecord {
    RevisionRecord(
      id: "d", path: path, deleted: deleted, body: deleted ? [:] : ["n": .integer(number)])
  }

  private static func bring(_ witness: inout Witness, _ record: RevisionRecord, at replica: Int = 0)
  {
    witness.client(replica, .insertRevisions([record]), .ok(.inserted([nil])))
  }

  private static func update(
    _ witness: inout Witness, _ parent: RevisionID, _ rev: RevisionID, at replica: Int = 0,
    _ number: Int64 = 1
  ) {
    witness.client(
      replica, .update(id: "d", rev: parent, body: ["n": .integer(number)]),
      .ok(.written(id: "d", rev: rev)))
  }

  // MARK: Imported revisions

  @Test func aBroughtPathIsNoStranger() {
    var witness = Witness()
    Self.bring(&witness, Self.record(["3-c", "2-b", "1-a"]))
    witness.end([FinalDocument("d", Self.record(["3-c", "2-b", "1-a"]))])
    #expect(witness.kinds == [])
  }

  /// A successful import is a write like any other.
  @Test(
    arguments: [
      ([], "fate/lost write"), ([AncestryTests.record(["3-c", "2-b", "1-a"], 2)], "fate/altered"),
      ([AncestryTests.record(["3-c", "2-b", "1-a"], deleted: true)], "fate/turned"),
      ([AncestryTests.record(["2-b", "1-a"])], "fate/lost write"),
      ([AncestryTests.record(["4-d", "3-c", "2-b", "1-a"])], "fate/stranger"),
      (
        [AncestryTests.record(["3-c", "2-b", "1-a"]), AncestryTests.record(["1-z"])],
        "fate/stranger"
      ),
    ] as [([RevisionRecord], String)])
  func whatBecameOfABroughtRevision(records: [RevisionRecord], kind: String) {
    var witness = Witness()
    Self.bring(&witness, Self.record(["3-c", "2-b", "1-a"]))
    let leaves = records.map { Leaf(rev: $0.path[0], deleted: $0.deleted) }
    let winner = leaves.first.flatMap { $0.deleted ? nil : $0.rev }
    witness.end(
      records.isEmpty
        ? [] : [FinalDocument(id: "d", winner: winner, leaves: leaves, records: records)])
    #expect(witness.kinds.contains(kind))
  }

  /// An ancestor that an import only names has no body, so it must never be a leaf.
  @Test func anAncestorThatBecameALeaf() {
    var witness = Witness()
    Self.bring(&witness, Self.record(["2-b", "1-a"]))
    witness.end([FinalDocument("d", Self.record(["2-b"]), Self.record(["1-a"]))])
    #expect(witness.kinds == ["fate/stranger"])
  }

  @Test(arguments: [(1, []), (2, ["fate/stranger"])] as [(Int64, [String])])
  func aBroughtRevisionOfUnknownOutcome(number: Int64, kinds: [String]) {
    var witness = Witness()
    witness.client(0, .insertRevisions([Self.record(["2-b", "1-a"])]), .unknown)
    witness.end([FinalDocument("d", Self.record(["2-b", "1-a"], number))])
    #expect(witness.kinds == kinds)
  }

  @Test func aRecordThatWasRefusedIsAStranger() {
    var witness = Witness()
    witness.client(
      0, .insertRevisions([Self.record(["2-b"])]),
      .ok(.inserted([DatastoreError(.badRevision, "no")])))
    witness.end([FinalDocument("d", Self.record(["2-b"]))])
    #expect(witness.kinds == ["fate/stranger"])
  }

  // MARK: History limits

  private static func edited(limit: Int64?, at replica: Int = 0) -> Witness {
    var witness = Witness()
    if let limit { witness.client(replica, .historyLimit(limit), .ok(.done)) }
    witness.create(0, "d", "1-a", ["n": 1])
    update(&witness, "1-a", "2-b")
    update(&witness, "2-b", "3-c")
    return witness
  }

  /// A limit of 2 at the writing replica cuts the first of three revisions, and no other.
  @Test(
    arguments: [
      (nil, ["3-c", "2-b"], ["fate/lost write"]), (2, ["3-c", "2-b"], []),
      (2, ["3-c"], ["fate/lost write"]), (1, ["3-c"], []),
      (3, ["3-c", "2-b"], ["fate/lost write"]),
      // The leaf itself is never cut.
      (1, ["2-b", "1-a"], ["fate/lost write"]),
    ] as [(Int64?, [RevisionID], [String])])
  func whatALimitCuts(limit: Int64?, path: [RevisionID], kinds: [String]) {
    var witness = Self.edited(limit: limit)
    witness.end([FinalDocument("d", Self.record(path))])
    #expect(witness.kinds == kinds)
  }

  /// The replica with the limit may cut 1-a; a replica without a limit that acknowledged 1-a must
  /// keep it.
  @Test(arguments: [(false, []), (true, ["fate/lost write"])] as [(Bool, [String])])
  func theLimitOfAnotherReplica(isKnown: Bool, kinds: [String]) {
    var witness = Self.edited(limit: 2)
    if isKnown {
      witness.begin()
      witness.insert(Self.record(["1-a"]))
    }
    witness.end([FinalDocument("d", Self.record(["3-c", "2-b"]))])
    #expect(witness.kinds == kinds)
  }

  /// A limit does not excuse the loss of a document.
  @Test func aLostDocumentBesideALimit() {
    var witness = Self.edited(limit: 1)
    witness.create(0, "e", "1-e")
    witness.end([FinalDocument("d", Self.record(["3-c"]))])
    #expect(witness.kinds == ["fate/lost write"])
    #expect(witness.findings.first?.document == "e")
  }

  /// A limit does not excuse the loss of a branch without descendants.
  @Test func aLostBranchBesideALimit() {
    var witness = Self.edited(limit: 1)
    Self.update(&witness, "1-a", "2-q", at: 1)
    witness.end([FinalDocument("d", Self.record(["3-c"]))])
    #expect(witness.kinds == ["fate/lost write"])
  }

  /// Tombstones of `resolve`, creations above tombstones and unacknowledged writes also link
  /// revisions.
  @Test func whatLiesBelowUnnamedParents() {
    var witness = Witness()
    for replica in 0...1 { witness.client(replica, .historyLimit(1), .ok(.done)) }
    witness.create(0, "d", "1-a", ["n": 1])
    witness.client(0, .delete(id: "d", rev: "1-a", body: nil), .unknown)
    // Above the tombstone of the deletion, whose revision id no client received.
    witness.create(0, "d", "3-c", ["n": 1])
    witness.client(
      1, .update(id: "d", rev: "1-a", body: ["n": 1]), .ok(.written(id: "d", rev: "2-q")))
    witness.client(
      1, .resolve(id: "d", leaves: ["3-c", "2-q"], keep: "3-c", body: nil),
      .ok(.resolved(rev: "3-c", tombstones: ["3-t"])))
    witness.end([
      FinalDocument("d", Self.record(["3-c"]), Self.record(["3-t"], deleted: true))
    ])
    #expect(witness.kinds == [])
  }

  /// A path that a limit cut does not show the parent of an unacknowledged write.
  @Test(arguments: [(nil, ["fate/lost write", "fate/stranger"]), (1, [])] as [(Int64?, [String])])
  func anUnansweredWriteWithACutPath(limit: Int64?, kinds: [String]) {
    var witness = Witness()
    if let limit { witness.client(1, .historyLimit(limit), .ok(.done)) }
    witness.create(1, "d", "1-a", ["n": 1])
    witness.client(1, .update(id: "d", rev: "1-a", body: ["n": 2]), .unknown)
    witness.end([FinalDocument("d", Self.record(["2-q"], 2))])
    #expect(witness.kinds == kinds)
  }

  // MARK: Convergence

  /// A replica with a limit of 1 sent 3-c to `b`, which cannot tell that 1-a is its ancestor.
  @Test(arguments: [(1, true), (2, true), (3, false), (nil, false)] as [(Int64?, Bool)])
  func aLeafThatIsHiddenByACut(limit: Int64?, isAccepted: Bool) {
    var witness = Self.edited(limit: limit)
    let here = FinalDocument("d", Self.record(["3-c", "2-b", "1-a"]))
    let there = FinalDocument("d", Self.record(["3-c"]), Self.record(["1-a"]))
    witness.end([here], [there])
    #expect(witness.kinds.contains("convergence/leaves") == !isAccepted)
  }

  /// A leaf has not arrived at a replica that stores neither the leaf nor a descendant.
  @Test func aLeafThatIsMissingBesideALimit() {
    var witness = Self.edited(limit: 1)
    Self.update(&witness, "1-a", "2-q")
    let here = FinalDocument("d", Self.record(["3-c"]), Self.record(["2-q"]))
    witness.end([here], [FinalDocument("d", Self.record(["3-c"]))])
    #expect(witness.kinds == ["fate/lost write", "convergence/leaves"])
  }

  /// Clients that import two contents under one revision id violate the basic rule of revisions.
  @Test func twoContentsUnderOneRevision() {
    var witness = Witness()
    Self.bring(&witness, Self.record(["1-a"], 1))
    Self.bring(&witness, Self.record(["1-a"], 2), at: 1)
    witness.end(
      [FinalDocument("d", Self.record(["1-a"], 1))], [FinalDocument("d", Self.record(["1-a"], 2))])
    #expect(witness.kinds == [])
  }
}
