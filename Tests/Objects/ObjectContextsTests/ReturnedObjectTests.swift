import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Relationships of objects that were deleted on one side, and of conflicts resolved before all
/// related objects had arrived.
struct ReturnedObjectTests {
  /// Two replicas that start with e in d.
  private func pair() throws -> (here: Replica, there: Replica) {
    let model = try RandomContextTests.model()
    let there = try Replica(model, seed: 1)
    try there.context.insert("Dept", id: "d")
    try there.context.insert("Emp", id: "e", ["dept": .toOne("d")])
    try there.context.insert("Tag", id: "t")
    try there.context.save()
    let here = try Replica(model, seed: 2, from: there)
    for id: ObjectID in ["d", "e", "t"] { try here.context.object(id) }
    return (here, there)
  }

  private func faults(_ replica: Replica) throws -> [String] {
    var rows: [ObjectID: RowSnapshot] = [:]
    for entity in RandomContextTests.entities {
      for row in try replica.cache.store.rows(of: entity) { rows[row.id] = RowSnapshot(row) }
    }
    return RandomContextTests.faults(rows, replica.cache.model)
  }

  @Test func theEndToOneIsGivenBack() throws {
    let (here, there) = try pair()
    try here.context.delete("e")
    try here.context.save()
    try there.context.set("age", 7, of: "e")
    try there.context.save()
    try here.pull(from: there)
    #expect(try !faults(here).isEmpty)
    #expect(here.cache.tally.returned == [])
    #expect(try here.context.processConflicts() == [])
    // Its leaf from there is live, and its leaf from here is deleted.
    #expect(here.cache.tally.returned == ["e"])
    #expect(here.context.updatedIDs == ["d"])
    // A discarded repair is repeated.
    here.context.rollback()
    #expect(try here.context.processConflicts() == [])
    try here.context.save()
    #expect(try faults(here) == [])
    #expect(try here.cache.store.row("d")?.properties["emps"] == .toMany(["e"]))
    #expect(try here.context.processConflicts() == [] && !here.context.hasChanges)
  }

  @Test func theListIsCleared() throws {
    let (here, there) = try pair()
    try here.context.delete("d")
    try here.context.save()
    try there.context.set("age", 7, of: "d")
    try there.context.save()
    try here.pull(from: there)
    #expect(try here.context.processConflicts() == [])
    try here.context.save()
    #expect(try faults(here) == [])
    #expect(try here.cache.store.row("d")?.properties["emps"] == .toMany([]))
  }

  /// A program that starts after the pull repairs the relationship too.
  @Test func aProgramThatStartsLaterRepairsItAsWell() throws {
    let (here, there) = try pair()
    try here.context.delete("e")
    try here.context.save()
    try there.context.set("age", 7, of: "e")
    try there.context.save()
    try here.pull(from: there)
    let cache = StoreCoordinatorCache(here.cache.store)
    try cache.tallyConflicts()
    let context = cache.context()
    #expect(try context.processConflicts() == [])
    try context.save()
    #expect(try faults(here) == [])
  }

  /// A third leaf ends, and its partners are updated.
  @Test func leavesThatEndLeaveNobodyBehind() throws {
    let (here, there) = try pair()
    let third = try Replica(here.cache.model, seed: 3, from: there)
    try here.context.set("age", 2, of: "e")
    try here.context.save()
    try there.context.set("age", 3, of: "e")
    try there.context.save()
    try third.context.set(["tags": .toMany(["t"])], of: "e")
    try third.context.save()
    try here.pull(from: there)
    try here.pull(from: third)
    for policy: MergePolicy in [.overwrite, .rollback] {
      try here.context.resolve(try here.context.processConflicts(), by: policy)
      if policy == .overwrite { here.context.rollback() }
    }
    try here.context.save()
    #expect(try faults(here) == [])
  }

  /// Deleted on both sides, but not yet saved here: its delete rules are applied now.
  @Test func aDeletionThatMeetsAnotherLetsGo() throws {
    let (here, there) = try pair()
    try here.context.set("age", 2, of: "d")
    try here.context.save()
    try there.context.delete("d")
    try there.context.save()
    try here.pull(from: there)
    // The effect of the deletion on e arrives later.
    try here.context.delete("d")
    try here.context.resolve(try here.context.processConflicts(), by: .storeTrump)
    try here.context.save()
    #expect(try faults(here) == [])
  }

  /// An insertion under an id that was pulled as well is not replaced before a decision.
  @Test func anInsertionStaysWhatItIs() throws {
    let (here, there) = try pair()
    let third = try Replica(here.cache.model, seed: 3, from: there)
    for (number, other) in [there, third].enumerated() {
      try other.context.insert(
        "Tag", id: "x", ["age": .attribute(.integer(Int64(number)))])
      try other.context.save()
    }
    try here.context.insert("Tag", id: "x", ["age": .attribute(.integer(9))])
    try here.pull(from: there)
    try here.pull(from: third)
    #expect(try here.context.processConflicts() == [])
    #expect(try here.context.number("age", of: "x") == 9)
    #expect(here.context.failure { try here.context.save() } != nil)
    here.context.rollback()
    #expect(try here.context.processConflicts().map { $0.id } == ["x"])
  }

  // MARK: Children

  /// The resolution of a child preserves changes that its parent has made meanwhile.
  @Test func aDecisionOfAChildKeepsWhatItsParentChanged() throws {
    let (here, there) = try Replica.pair()
    try here.context.set("a", 2, of: "t")
    try here.context.save()
    try there.context.set("a", 3, of: "t")
    try there.context.save()
    try here.pull(from: there)
    let child = here.context.child()
    let conflicts = try child.processConflicts()
    try here.context.set("b", 9, of: "t")
    try child.resolve(conflicts, by: .storeTrump)
    try child.save()
    #expect(try here.context.numbers("t") == [3, 9])
    try here.context.save()
    #expect(try here.stored("t") == [3, 9])
  }

  @Test func nobodyLeadsToWhatItsParentHasDropped() throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let parent = cache.context()
    try parent.insert("Emp", id: "e")
    try parent.save()
    let child = parent.child()
    try child.insert("Dept", id: "d")
    try child.save()
    parent.rollback()
    try child.set(["emps": .toMany(["e"])], of: "d")
    try child.save()
    #expect(try parent.object("e").properties["dept"] ?? PropertyValue.none == PropertyValue.none)
  }

  /// A child with a stale partner also updates the current partner.
  @Test func aChildOutOfDateLetsThePresentPartnerGo() throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let parent = cache.context()
    try parent.insert("Dept", id: "d")
    try parent.insert("Dept", id: "f")
    try parent.insert("Emp", id: "e", ["dept": .toOne("d")])
    try parent.save()
    let child = parent.child()
    for id: ObjectID in ["d", "e"] { try child.object(id) }
    try parent.set(["dept": .toOne("f")], of: "e")
    try child.set(["dept": .none], of: "e")
    try child.save()
    #expect(try parent.object("e").properties["dept"] ?? PropertyValue.none == PropertyValue.none)
    #expect(try parent.object("f").properties["emps"] ?? PropertyValue.none == PropertyValue.none)
  }

  /// Two replicas that each decide for the other side delete both leaves, although no client
  /// deleted the object; its referrers are updated.
  @Test func twoDecisionsThatEndAllLeavesLeaveNobodyBehind() throws {
    let (here, there) = try pair()
    try here.context.set("age", 2, of: "d")
    try here.context.save()
    try there.context.set("age", 3, of: "d")
    try there.context.save()
    try here.pull(from: there)
    try there.pull(from: here)
    for replica in [here, there] {
      try replica.context.resolve(try replica.context.processConflicts(), by: .rollback)
      try replica.context.save()
    }
    try here.pull(from: there)
    #expect(try here.live("d") == 0)
    #expect(try here.context.processConflicts() == [])
    try here.context.save()
    #expect(try faults(here) == [])
    #expect(try here.cache.store.row("e")?.properties["dept"] == nil)
  }

  /// A list was changed while half of a save had arrived: the later half is compared with it.
  @Test(arguments: [false, true], [false, true])
  func theOtherHalfOfASaveComesLater(isUnknown: Bool, beginsAnew: Bool) throws {
    let (here, there) = try pair()
    if isUnknown { try there.context.insert("Tag", id: "u") }
    let tag: ObjectID = isUnknown ? "u" : "t"
    try there.context.set(["tags": .toMany([tag])], of: "e")
    try there.context.save()
    try here.pull(["e"], from: there)
    try here.context.refresh("e", merging: true)
    try here.context.set(["tags": .toMany([])], of: "e")
    try here.context.save()
    var context = here.context
    if beginsAnew {
      let cache = StoreCoordinatorCache(here.cache.store)
      try cache.tallyConflicts()
      context = cache.context()
    }
    try here.pull(from: there)
    #expect(try context.processConflicts() == [])
    try context.save()
    #expect(try faults(here) == [])
    #expect(try here.cache.store.row("e")?.properties["tags"] == .toMany([]))
  }

  /// One object of a save has arrived without the other. A local save that does not concern their
  /// relationship must not write it: otherwise the other object would arrive without a conflict,
  /// and no policy could decide.
  @Test func halfOfASaveIsNotAnswered() throws {
    let (here, there) = try pair()
    try there.context.set(["tags": .toMany(["t"])], of: "e")
    try there.context.save()
    try here.pull(from: there)
    for tags: [ObjectID] in [["t"], []] {
      try there.context.set(["tags": .toMany(tags)], of: "e")
      try there.context.save()
    }
    try here.pull(["t"], from: there)
    // The context has an old version of e, and takes over the current state of the store.
    try here.context.set(["tags": .toMany([])], of: "e")
    try here.context.save()
    #expect(try here.cache.store.row("e")?.properties["tags"] == .toMany(["t"]))
    try here.pull(["e"], from: there)
    #expect(try here.context.processConflicts() == [])
    try here.context.save()
    #expect(try faults(here) == [])
    #expect(try here.cache.store.row("e")?.properties["tags"] == .toMany([]))
  }

  /// An object was recreated over a deletion, and arrives after the objects that it refers to.
  @Test func clearedReferencesOfARecreatedObjectAreRestored() throws {
    let (here, there) = try pair()
    let third = try Replica(here.cache.model, seed: 3, from: there)
    try third.context.delete("t")
    try third.context.save()
    try there.context.object("t")
    try there.pull(from: third)
    try there.context.set(["emps": .toMany(["e"])], of: "t")
    there.context.policy = .overwrite
    try there.context.save()
    try here.pull(from: third)
    try here.pull(["e"], from: there)
    #expect(try here.context.processConflicts() == [])
    try here.context.save()
    #expect(try here.cache.store.row("e")?.properties["tags"] == .toMany([]))
    try here.pull(["t"], from: there)
    #expect(try here.context.processConflicts() == [])
    try here.context.save()
    #expect(try faults(here) == [])
    #expect(try here.cache.store.row("e")?.properties["tags"] == .toMany(["t"]))
  }

  /// Both ends of a relationship can be the same object.
  @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
  func anObjectCanBeItsOwnPartner(_ policy: MergePolicy) throws {
    let cache = Fixtures.memory(try Self.couples())
    let first = cache.context()
    try first.insert("One", id: "a")
    try first.insert("One", id: "b")
    try first.save()
    let second = cache.context(policy)
    try second.object("a")
    try first.set(["next": .toOne("a")], of: "a")
    try first.save()
    try second.set(["next": .toOne("b")], of: "a")
    try second.save()
    var rows: [ObjectID: RowSnapshot] = [:]
    for row in try cache.store.rows(of: "One") { rows[row.id] = RowSnapshot(row) }
    #expect(RandomContextTests.faults(rows, cache.model) == [])
    #expect(rows["a"]?["next"] == .toOne(policy == .objectTrump ? "b" : "a"))
  }

  private static func couples() throws -> ManagedObjectModel {
    try ManagedObjectModel([
      EntityDescription(
        "One",
        relationships: [
          RelationshipDescription("next", to: "One", inverse: "last"),
          RelationshipDescription("last", to: "One", inverse: "next"),
        ])
    ])
  }
}
