import Datastore
import JSON
import Oracles
import Testing

/// design: a checkpoint never exceeds what the target has stored.
@Suite struct SessionObligationsTests {
  private static let record = RevisionRecord(id: "d", path: ["1-a"], body: [:])
  private static let leaf: [(DocumentID, Leaf)] = [("d", Leaf(rev: "1-a"))]

  @Test func whatTheTargetHoldsMaySaved() {
    var witness = Witness()
    witness.begin()
    witness.page(Self.leaf, last: 1)
    witness.insert(Self.record)
    witness.save(1)
    #expect(witness.kinds == [])
  }

  @Test func whatItLacksMayNot() {
    var witness = Witness()
    witness.begin()
    witness.page(Self.leaf, last: 1)
    witness.save(1)
    #expect(witness.kinds == ["checkpoint/ahead"])
    #expect(witness.findings.first?.document == "d")
  }

  /// An unacknowledged write may have been stored, so it counts as stored.
  @Test func aSaveOfWhichNobodyKnowsIsChecked() {
    var witness = Witness()
    witness.begin()
    witness.page(Self.leaf, last: 1)
    witness.session(
      false,
      .writeLocal(id: "c", body: ["history": [["session": "x", "recorded": 1]]]), .unknown)
    #expect(witness.kinds == ["checkpoint/ahead"])
  }

  @Test func aSequenceThatEndsNoPage() {
    var witness = Witness()
    witness.begin()
    witness.page(Self.leaf, last: 1)
    witness.insert(Self.record)
    witness.save(7)
    #expect(witness.kinds == ["checkpoint/unseen"])
  }

  /// A checkpoint may cover a record that validation rejects, but no other failure.
  @Test(arguments: [
    (DatastoreError.Kind.forbidden, [String]()), (.badBody, ["checkpoint/ahead"]),
  ])
  func aRecordThatIsRefused(kind: DatastoreError.Kind, kinds: [String]) {
    var witness = Witness()
    witness.begin()
    witness.page(Self.leaf, last: 1)
    witness.insert(Self.record, error: DatastoreError(kind, "no"))
    witness.save(1)
    #expect(witness.kinds == kinds)
  }

  @Test func aRevisionThatIsGoneFromTheSource() {
    var witness = Witness()
    witness.begin()
    witness.page(Self.leaf, last: 1)
    let query = RevisionQuery(id: "d", revs: ["1-a"], latest: true)
    witness.session(
      true, .getRevisions([query]),
      .ok(.revisions([RevisionAnswer(id: "d", rev: "1-a", found: .missing)])))
    witness.save(1)
    #expect(witness.kinds == [])
  }

  @Test(arguments: [
    (Filter.documentIDs(["d"]), ["checkpoint/ahead"]), (.documentIDs(["e"]), []),
    (.live, ["checkpoint/ahead"]),
  ])
  func onlyWhatTheFilterDescribes(filter: Filter, kinds: [String]) {
    var witness = Witness()
    witness.begin(filter: filter)
    witness.page(Self.leaf, last: 1)
    witness.save(1)
    #expect(witness.kinds == kinds)
  }

  @Test func aStartWhereNoCheckpointHasBeen() {
    var witness = Witness()
    witness.begin()
    witness.page(Self.leaf, last: 9, since: 5)
    #expect(witness.kinds == ["checkpoint/start"])
  }

  /// After a restore of the target from a copy, checkpoints saved since the copy are invalid.
  @Test(arguments: [(true, [String]()), (false, ["checkpoint/start"])])
  func aStartAfterACopyCameBack(isCopiedAfterwards: Bool, kinds: [String]) {
    var witness = Witness()
    if !isCopiedAfterwards { witness.tell(.copied(replica: 1)) }
    witness.begin()
    witness.page(Self.leaf, last: 1)
    witness.insert(Self.record)
    witness.save(1)
    witness.tell(.sessionEnded(0, SessionEnd(isComplete: true, saysUnsaved: true)))
    if isCopiedAfterwards { witness.tell(.copied(replica: 1)) }
    witness.tell(.restored(replica: 1))
    witness.begin()
    witness.page([], last: 1, since: 1)
    #expect(witness.kinds == kinds)
  }

  /// A complete session has copied all changes, also those that no checkpoint covers.
  @Test(arguments: [
    (true, false, [String]()), (false, false, ["completion/copy"]),
    (true, true, ["completion/feed"]),
  ])
  func theEndOfACompleteSession(isStored: Bool, hasMore: Bool, kinds: [String]) {
    var witness = Witness()
    witness.begin()
    witness.page(Self.leaf, last: 1, more: hasMore)
    if isStored { witness.insert(Self.record) }
    witness.tell(.sessionEnded(0, SessionEnd(isComplete: true, saysUnsaved: true)))
    #expect(witness.kinds == kinds)
  }

  /// A stopped session saves a checkpoint of complete pages, unless something failed.
  @Test(
    arguments: [
      (3, false, true, ["waste/stop"]), (2, false, true, []), (3, true, true, []),
      (3, false, false, []),
    ] as [(Int, Bool, Bool, [String])])
  func theEndOfAStoppedSession(pages: Int, isSaved: Bool, isClean: Bool, kinds: [String]) {
    var witness = Witness()
    witness.begin()
    for page in 1...Int64(pages) {
      witness.page(
        [(DocumentID(JSONString("d\(page)")), Leaf(rev: "1-a"))], last: page,
        since: page == 1 ? nil : page - 1, more: true)
      witness.insert(
        RevisionRecord(id: DocumentID(JSONString("d\(page)")), path: ["1-a"], body: [:]))
    }
    if isSaved { witness.save(1) }
    let end = SessionEnd(isComplete: false, saysUnsaved: false, isStoppedCleanly: isClean)
    witness.tell(.sessionEnded(0, end))
    #expect(witness.kinds == kinds)
  }

  /// What a destroyed store lacks is no finding.
  @Test func aDestroyedTarget() {
    var witness = Witness()
    witness.begin()
    witness.page(Self.leaf, last: 1)
    witness.client(1, .destroy, .ok(.done))
    witness.tell(.sessionEnded(0, SessionEnd(isComplete: true, saysUnsaved: true)))
    #expect(witness.kinds == [])
  }
}
