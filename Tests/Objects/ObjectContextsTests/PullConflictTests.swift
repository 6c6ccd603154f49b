import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Conflicts between pulled revisions and local edits.
struct PullConflictTests {
  private func edit(_ replica: Replica, _ values: [JSONString: PropertyValue]) throws {
    try replica.context.set(values, of: "t")
    try replica.context.save()
  }

  @Test func withoutConflictThereIsNone() throws {
    let (here, there) = try Replica.pair()
    try edit(there, Fixtures.numbers(2, 2))
    try here.pull(from: there)
    #expect(try here.context.processConflicts() == [])
    #expect(!here.context.hasChanges)
  }

  @Test(arguments: MergePolicyTests.examples)
  func bothEdited(_ example: MergePolicyTests.Example) throws {
    for (theirs, expected) in [([3, 9], example.overlapping), ([1, 9], example.disjoint)] {
      let (here, there) = try Replica.pair()
      try edit(here, Fixtures.numbers(2, 1))
      try edit(there, Fixtures.numbers(Int64(theirs[0]), Int64(theirs[1])))
      try here.pull(from: there)
      let conflicts = try here.context.processConflicts()
      #expect(conflicts.map { $0.id } == ["t"])
      #expect(conflicts[0].cachedSnapshot?["a"] == .attribute(.integer(2)))
      #expect(conflicts[0].persistedSnapshot?["b"] == .attribute(.integer(9)))
      #expect(conflicts[0].oldVersion == 2 && conflicts[0].newVersion == 2)
      #expect(conflicts[0].objectSnapshot == nil)
      // No data is lost before a policy has decided, and a conflict is reported once.
      #expect(try here.live("t") == 2)
      #expect(try here.context.processConflicts() == [])
      #expect(try here.context.numbers("t") == [2, 1])
      try here.context.resolve(conflicts, by: example.policy)
      #expect(try here.live("t") == 2)
      #expect(try here.context.numbers("t") == expected)
      try here.context.save()
      #expect(try here.live("t") == 1)
      #expect(try here.stored("t") == expected)
      #expect(!here.context.hasChanges)
      #expect(try here.context.processConflicts() == [])
      #expect(try here.cache.context().processConflicts() == [])
      // The other replica has the same state after a pull.
      try there.pull(from: here)
      #expect(try there.live("t") == 1)
      #expect(try there.stored("t") == expected)
    }
  }

  @Test func theErrorPolicyChangesNothing() throws {
    let (here, there) = try Replica.pair()
    try edit(here, Fixtures.numbers(2, 1))
    try edit(there, Fixtures.numbers(3, 1))
    try here.pull(from: there)
    let conflicts = try here.context.processConflicts()
    let before = here.context.state
    let error = here.context.failure { try here.context.resolve(conflicts, by: .error) }
    #expect(error?.code == 133020)
    #expect(here.context.state.objects == before.objects)
    #expect(here.context.state.settlements == before.settlements)
    #expect(here.context.state.conflicts == conflicts)
    #expect(try here.live("t") == 2)
  }

  @Test func whatWasDroppedIsHandedOverAgain() throws {
    let (here, there) = try Replica.pair()
    try edit(here, Fixtures.numbers(2, 1))
    try edit(there, Fixtures.numbers(3, 1))
    try here.pull(from: there)
    let conflicts = try here.context.processConflicts()
    try here.context.resolve(conflicts, by: .storeTrump)
    here.context.rollback()
    #expect(try here.context.processConflicts().count == 1)
    here.context.reset()
    #expect(try here.context.processConflicts().count == 1)
    #expect(try here.cache.context().processConflicts().count == 1)
  }

  @Test func unsavedEditsConflictAtTheSave() throws {
    let (here, there) = try Replica.pair()
    try edit(there, Fixtures.numbers(2, 1))
    try here.context.set("a", 3, of: "t")
    try here.pull(from: there)
    #expect(try here.context.processConflicts() == [])
    #expect(here.context.failure { try here.context.save() }?.code == 133020)
    try here.context.resolve(here.context.state.conflicts, by: .objectTrump)
    try here.context.save()
    #expect(try here.stored("t") == [3, 1])
  }

  @Test(arguments: [MergePolicy.storeTrump, .objectTrump])
  func deletedThereAndEditedHere(_ policy: MergePolicy) throws {
    let (here, there) = try Replica.pair()
    try edit(here, Fixtures.numbers(2, 1))
    try there.context.delete("t")
    try there.context.save()
    try here.pull(from: there)
    let conflicts = try here.context.processConflicts()
    #expect(conflicts.map { $0.newVersion } == [0])
    #expect(conflicts[0].persistedSnapshot == nil)
    #expect(try here.context.processConflicts() == [])
    try here.context.resolve(conflicts, by: policy)
    try here.context.save()
    #expect(try here.stored("t") == (policy == .storeTrump ? nil : [2, 1]))
    #expect(try here.context.processConflicts() == [])
    #expect(try here.cache.context().processConflicts() == [])
  }

  @Test func deletedHereAndEditedThere() throws {
    let (here, there) = try Replica.pair()
    try here.context.delete("t")
    try here.context.save()
    try edit(there, Fixtures.numbers(3, 1))
    try here.pull(from: there)
    #expect(try here.context.processConflicts() == [])
    #expect(try here.stored("t") == [3, 1])
  }

  @Test func anyNumberOfLeaves() throws {
    let (here, there) = try Replica.pair()
    let third = try Replica(try Fixtures.model(), seed: 3, from: there)
    try edit(here, Fixtures.numbers(2, 1))
    try edit(there, Fixtures.numbers(3, 1))
    try edit(third, Fixtures.numbers(4, 1))
    try here.pull(from: there)
    try here.pull(from: third)
    #expect(try here.live("t") == 3)
    let conflicts = try here.context.processConflicts()
    #expect(conflicts.count == 1)
    #expect(conflicts[0].cachedSnapshot?["a"] == .attribute(.integer(2)))
    #expect(conflicts[0].others.count == 1)
    try here.context.resolve(conflicts, by: .objectTrump)
    try here.context.save()
    #expect(try here.live("t") == 1)
    #expect(try here.stored("t") == [2, 1])
    #expect(try here.context.processConflicts() == [])
  }

  @Test func unknownEntitiesAreLeftAlone() throws {
    let (here, there) = try Replica.pair()
    let record = { (rev: RevisionID) in
      RevisionRecord(
        id: "x", path: [rev, "1-a"], body: ["CDTISEntityName": "Missing", "n": 1])
    }
    _ = try here.ask(.insertRevisions([record("2-b"), record("2-c")]))
    #expect(try here.context.processConflicts() == [])
    #expect(try here.live("x") == 2)
    _ = there
  }

  @Test func theMetadataIsSettledSilently() throws {
    let model = try Fixtures.model()
    let there = try Replica(model, seed: 1)
    let here = try Replica(model, seed: 2)
    try here.pull(from: there)
    #expect(try here.live(MetadataDocument.id) == 2)
    #expect(try here.context.processConflicts() == [])
    #expect(try here.live(MetadataDocument.id) == 1)
  }

  @Test func aLeafThatComesMeanwhileIsAnotherConflict() throws {
    let (here, there) = try Replica.pair()
    let third = try Replica(try Fixtures.model(), seed: 3, from: there)
    try edit(here, Fixtures.numbers(2, 1))
    try edit(there, Fixtures.numbers(3, 1))
    try edit(third, Fixtures.numbers(4, 1))
    try here.pull(from: there)
    let conflicts = try here.context.processConflicts()
    try here.context.resolve(conflicts, by: .storeTrump)
    try here.pull(from: third)
    let error = here.context.failure { try here.context.save() }
    guard case .store? = error?.reason else { throw Fixtures.Missing() }
    #expect(try here.live("t") == 3)
    let again = try here.context.processConflicts()
    #expect(again.map { $0.others.count } == [1])
    try here.context.resolve(again, by: .rollback)
    try here.context.save()
    #expect(try here.live("t") == 1)
  }

  @Test(arguments: [MergePolicy.storeTrump, .objectTrump])
  func aChildDecidesAndItsParentSettles(_ policy: MergePolicy) throws {
    let (here, there) = try Replica.pair()
    try edit(here, Fixtures.numbers(2, 1))
    try edit(there, Fixtures.numbers(3, 9))
    try here.pull(from: there)
    let child = here.context.child()
    try child.resolve(try child.processConflicts(), by: policy)
    try child.save()
    #expect(!child.hasChanges && here.context.hasChanges)
    #expect(try here.live("t") == 2)
    try here.context.save()
    #expect(try here.live("t") == 1)
    #expect(try here.stored("t") == (policy == .storeTrump ? [3, 9] : [2, 9]))
  }

  /// Without the common ancestor, every difference counts as a change on both sides.
  @Test(arguments: [MergePolicy.storeTrump, .objectTrump])
  func withoutCommonAncestor(_ policy: MergePolicy) throws {
    let (here, there) = try Replica.pair()
    try edit(here, Fixtures.numbers(2, 1))
    try edit(there, Fixtures.numbers(1, 9))
    try here.pull(from: there)
    _ = try here.ask(.compact)
    let conflicts = try here.context.processConflicts()
    #expect(conflicts.map { $0.origin } == [.pull(ancestor: nil)])
    try here.context.resolve(conflicts, by: policy)
    try here.context.save()
    #expect(try here.stored("t") == (policy == .storeTrump ? [1, 9] : [2, 1]))
  }

  /// The decision of a child includes unsaved changes of its parent.
  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func aChildDecidesOverPendingEditsOfItsParent(_ policy: MergePolicy) throws {
    let (here, there) = try Replica.pair()
    try edit(here, Fixtures.numbers(1, 2))
    try edit(there, Fixtures.numbers(3, 1))
    try here.pull(from: there)
    try here.context.set("a", 7, of: "t")
    let child = here.context.child()
    try child.resolve(try child.processConflicts(), by: policy)
    #expect(try child.numbers("t") == [7, 2])
    try child.save()
    try here.context.save()
    #expect(try here.stored("t") == [7, 2])
    #expect(try here.live("t") == 1)
  }

  /// A child resolves a conflict of an object that its parent deletes before the child saves.
  @Test(arguments: ContextOptions.DeletedInParent.allCases)
  func aChildDecidesOverADeletionInItsParent(_ rule: ContextOptions.DeletedInParent) throws {
    let (here, there) = try Replica.pair()
    try edit(here, Fixtures.numbers(2, 1))
    try edit(there, Fixtures.numbers(3, 1))
    try here.pull(from: there)
    let options = ContextOptions(deletedInParent: rule)
    let parent = here.cache.context(.error, options)
    let child = parent.child(.error, options)
    try child.resolve(try child.processConflicts(), by: .objectTrump)
    try parent.object("t")
    try parent.delete("t")
    try child.save()
    #expect(parent.deletedIDs == (rule == .staysDeleted ? ["t"] : []))
    try parent.save()
    #expect(try here.live("t") == (rule == .staysDeleted ? 0 : 1))
    #expect(try here.stored("t") == (rule == .staysDeleted ? nil : [2, 1]))
  }

  /// A list keeps what another cache saved and what is pending here. Which leaf is the local one is
  /// known because the context has checked the store since that save.
  @Test func aListInConflictHasSavedAndPendingAdditions() throws {
    let model = try Fixtures.model()
    let there = try Replica(model, seed: 1)
    for id: ObjectID in ["e", "f", "g"] { try there.context.insert("Emp", id: id) }
    try there.context.insert("Dept", id: "d", ["emps": .toMany(["e"])])
    try there.context.save()
    let here = try Replica(model, seed: 2, from: there)
    try here.context.set(["emps": .toMany(["e", "f"])], of: "d")
    let other = StoreCoordinatorCache(here.cache.store).context()
    try other.set(["emps": .toMany(["e", "g"])], of: "d")
    try other.save()
    #expect(try here.context.processConflicts() == [])
    try there.context.set(["name": .attribute(.text("x"))], of: "d")
    try there.context.save()
    try here.pull(from: there)
    #expect(try here.context.processConflicts().map { $0.id } == ["d"])
    guard case .toMany(let emps)? = try here.context.object("d").properties["emps"] else {
      throw Fixtures.Missing()
    }
    #expect(emps.count == 3 && Set(emps) == ["e", "f", "g"])
  }
}
