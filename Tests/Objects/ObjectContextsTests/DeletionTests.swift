import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Delete rules, worked example: a department with two people.
struct DeletionTests {
  /// Another context linked the object to another department after it was changed and deleted here.
  @Test func rulesOfADeletionApplyToMergedReferences() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let (context, other) = (cache.context(), cache.context())
      for id in ["d1", "d2"] as [ObjectID] { try context.insert("Dept", id: id) }
      try context.insert("Emp", id: "e")
      try context.save()
      try context.set(["dept": .toOne("d1")], of: "e")
      try context.delete("e")
      try other.set(["dept": .toOne("d2")], of: "e")
      try context.merge(try other.save())
      try context.save()
      let emps = try #require(try cache.store.row("d2")).properties["emps"]
      #expect(emps == .toMany([]) || emps == nil, "\(String(describing: emps))")
    }
  }

  private func office(_ rule: DeleteRule) throws -> [StoreCoordinatorCache] {
    let caches = try Fixtures.both(try Fixtures.model(employees: rule))
    for cache in caches {
      let context = cache.context()
      try context.insert("Dept", id: "d")
      try context.insert("Emp", id: "e1", ["dept": .toOne("d")])
      try context.insert("Emp", id: "e2", ["dept": .toOne("d")])
      try context.save()
    }
    return caches
  }

  private func rows(_ cache: StoreCoordinatorCache) throws -> [ObjectID] {
    try ["Dept", "Emp"].flatMap { try cache.store.rows(of: $0).map { $0.id } }
  }

  @Test func nullify() throws {
    for cache in try office(.nullify) {
      let context = cache.context()
      try context.delete("d")
      try context.save()
      #expect(try rows(cache) == ["e1", "e2"])
      #expect(try cache.context().object("e1").properties["dept"] == nil)
      #expect(context.state.lastNotification?.deleted == ["d"])
      #expect(context.state.lastNotification?.updated == ["e1", "e2"])
      #expect(context.state.events.contains(.deletePropagated(["e1", "e2"])))
    }
  }

  @Test func cascade() throws {
    for cache in try office(.cascade) {
      let context = cache.context()
      try context.delete("d")
      try context.save()
      #expect(try rows(cache) == [])
      #expect(context.registeredIDs == [])
    }
  }

  @Test func denial() throws {
    for cache in try office(.deny) {
      let context = cache.context()
      try context.delete("d")
      let error = context.failure { try context.save() }
      #expect(error?.code == 1600)
      #expect(try rows(cache) == ["d", "e1", "e2"])
      #expect(context.deletedIDs == ["d"])
      // If the people are deleted as well, the deletion is not denied.
      try context.delete("e1")
      try context.delete("e2")
      try context.save()
      #expect(try rows(cache) == [])
    }
  }

  @Test func noAction() throws {
    for cache in try office(.noAction) {
      let context = cache.context()
      try context.delete("d")
      try context.save()
      let reader = cache.context()
      #expect(try reader.object("e1").properties["dept"] == .toOne("d"))
      #expect(reader.failure { try reader.object("d") }?.reason == .faultUnfulfilled("d"))
    }
  }

  @Test func aCircleIsFollowedOnce() throws {
    let model = try ManagedObjectModel([
      EntityDescription(
        "Node",
        relationships: [
          RelationshipDescription("next", to: "Node", inverse: "last", deleteRule: .cascade),
          RelationshipDescription("last", to: "Node", inverse: "next", deleteRule: .cascade),
        ])
    ])
    for cache in try Fixtures.both(model) {
      let context = cache.context()
      for id: ObjectID in ["a", "b", "c"] { try context.insert("Node", id: id) }
      try context.set(["next": .toOne("b")], of: "a")
      try context.set(["next": .toOne("c")], of: "b")
      try context.set(["next": .toOne("a")], of: "c")
      try context.save()
      let other = cache.context()
      try other.delete("b")
      try other.save()
      #expect(other.state.lastNotification?.deleted == ["a", "b", "c"])
      #expect(try cache.store.rows(of: "Node").isEmpty)
    }
  }

  @Test func aRequiredInverseKeepsItsObject() throws {
    let model = try Fixtures.model(employees: .nullify, department: false)
    let context = Fixtures.memory(model).context()
    try context.insert("Dept", id: "d")
    try context.insert("Emp", id: "e", ["dept": .toOne("d")])
    try context.save()
    try context.delete("d")
    #expect(context.failure { try context.save() }?.code == 1570)
  }

  @Test func whatWasNeverSavedIsSimplyGone() throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let context = cache.context()
    try context.insert("Dept", id: "d")
    try context.insert("Emp", id: "e", ["dept": .toOne("d")])
    try context.delete("d")
    #expect(context.registeredIDs == ["e"])
    #expect(try context.object("e").properties["dept"] == nil)
    try context.delete("e")
    #expect(!context.hasChanges)
    try context.save()
    #expect(try rows(cache).isEmpty)
  }

  @Test func whatIsDeletedCannotBeChanged() throws {
    let context = Fixtures.memory(try Fixtures.model()).context()
    try context.insert("Thing", id: "t")
    try context.save()
    try context.delete("t")
    let error = context.failure { try context.set("a", 1, of: "t") }
    #expect(error?.reason == .deletedObject("t"))
    context.rollback()
    try context.set("a", 1, of: "t")
    #expect(context.updatedIDs == ["t"])
  }

  /// A cancelled insertion denies nothing and leaves no references to it.
  @Test func anInsertionThatIsTakenBackLeavesNobodyBehind() throws {
    for cache in try office(.deny) {
      let context = cache.context()
      try context.insert("Dept", id: "x")
      try context.set(["emps": .toMany(["e1"])], of: "x")
      try context.delete("x")
      try context.save()
      #expect(try rows(cache) == ["d", "e1", "e2"])
      #expect(try cache.context().object("e1").properties["dept"] == nil)
    }
  }
}
