import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Faults, refreshes, and rollbacks.
struct RefreshTests {
  /// A context that has read an object which was then changed below it.
  private func stale() throws -> [(ManagedObjectContext, StoreCoordinatorCache)] {
    try Fixtures.both(try Fixtures.model()).map { cache in
      let context = cache.context()
      try context.insert("Thing", id: "t", Fixtures.numbers(1, 1))
      try context.save()
      let below = StoreCoordinatorCache(cache.store).context()
      try below.set(Fixtures.numbers(3, 9), of: "t")
      try below.save()
      return (context, cache)
    }
  }

  @Test func contextsAreStaleUntilTheyAreRefreshed() throws {
    for (context, cache) in try stale() {
      #expect(try context.numbers("t") == [1, 1])
      // Another context on the same cache returns the cached row.
      #expect(try cache.context().numbers("t") == [1, 1])
      try context.set("a", 2, of: "t")
      try context.refresh("t", merging: true)
      #expect(try context.numbers("t") == [2, 9])
      #expect(context.changedValues("t") == ["a": .attribute(.integer(2))])
      try context.save()
      #expect(try StoreCoordinatorCache(cache.store).context().numbers("t") == [2, 9])
    }
  }

  @Test func withoutMergingAnObjectIsAFault() throws {
    for (context, _) in try stale() {
      try context.set("a", 2, of: "t")
      try context.refresh("t", merging: false)
      #expect(context.registered("t")?.isFault == true && !context.hasChanges)
      #expect(try context.numbers("t") == [3, 9])
      #expect(context.registered("t")?.isFault == false)
    }
  }

  @Test func aFaultOfNothing() throws {
    let context = Fixtures.memory(try Fixtures.model()).context()
    try context.fault("gone", of: "Thing")
    #expect(context.registered("gone")?.isFault == true)
    #expect(context.failure { try context.object("gone") }?.reason == .faultUnfulfilled("gone"))
    #expect(
      context.failure { try context.refresh("gone", merging: true) }?.reason
        == .faultUnfulfilled("gone"))
    #expect(
      context.failure { try context.refresh("unknown", merging: true) }?.reason
        == .faultUnfulfilled("unknown"))
  }

  /// A refresh without merging drops the change at one end of a relationship only.
  @Test func aReferenceToAnObjectThatWasDeletedBelowIsNotSaved() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = cache.context()
      try context.insert("Emp", id: "e")
      try context.insert("Dept", id: "d")
      try context.save()
      try context.set(["emps": .toMany(["e"])], of: "d")
      try context.refresh("e", merging: false)
      let other = cache.context()
      try other.delete("e")
      try other.save()
      try context.save()
      let emps = try #require(try cache.store.row("d")).properties["emps"]
      #expect(emps == .toMany([]) || emps == nil, "\(String(describing: emps))")
    }
  }

  /// The other end was read before another client removed the link.
  @Test func aNewLinkToAStaleEndIsSavedAtBothEnds() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = cache.context()
      try context.insert("Dept", id: "d")
      try context.insert("Emp", id: "e", ["dept": .toOne("d")])
      try context.save()
      let below = StoreCoordinatorCache(cache.store).context()
      try below.set(["dept": .none], of: "e")
      try below.save()
      try context.refresh("e", merging: true)
      try context.set(["dept": .toOne("d")], of: "e")
      try context.save()
      #expect(try cache.store.row("e")?.properties["dept"] == .toOne("d"))
      #expect(try cache.store.row("d")?.properties["emps"] == .toMany(["e"]))
    }
  }

  @Test func rollback() throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let context = cache.context()
    try context.insert("Thing", id: "t", Fixtures.numbers(1, 1))
    try context.insert("Thing", id: "u", Fixtures.numbers(1, 1))
    try context.save()
    let clean = context.state.objects
    try context.set("a", 2, of: "t")
    try context.delete("u")
    try context.insert("Thing", id: "v")
    context.rollback()
    #expect(context.state.objects == clean && !context.hasChanges)
  }

  @Test func reset() throws {
    let context = Fixtures.memory(try Fixtures.model()).context()
    try context.insert("Thing", id: "t")
    try context.save()
    try context.insert("Thing", id: "u")
    context.reset()
    #expect(context.state == ContextState())
    #expect(try context.object("t").id == "t")
  }

  @Test func anInsertedObjectIsNotRefreshed() throws {
    let context = Fixtures.memory(try Fixtures.model()).context()
    try context.insert("Thing", id: "t", Fixtures.numbers(1, 2))
    try context.refresh("t", merging: false)
    #expect(try context.numbers("t") == [1, 2])
  }

  /// A fetch reads the rows again; registered objects keep their values.
  @Test func aFetchReadsRowsOfObjectsThatAreNotRegistered() throws {
    for (context, cache) in try stale() {
      let other = cache.context()
      #expect(try other.fetch(ObjectFetchRequest("Thing")).map { $0.id } == ["t"])
      #expect(try other.numbers("t") == [3, 9])
      #expect(try context.numbers("t") == [1, 1])
    }
  }

  @Test func aRefreshedListHasTheAdditionsOfBothSides() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = cache.context()
      for id: ObjectID in ["e", "f", "g"] { try context.insert("Emp", id: id) }
      try context.insert("Dept", id: "d", ["emps": .toMany(["e"])])
      try context.save()
      let below = StoreCoordinatorCache(cache.store).context()
      try below.set(["emps": .toMany(["e", "g"])], of: "d")
      try below.save()
      try context.set(["emps": .toMany(["e", "f"])], of: "d")
      try context.refresh("d", merging: true)
      guard case .toMany(let emps)? = try context.object("d").properties["emps"] else {
        throw Fixtures.Missing()
      }
      #expect(emps.count == 3 && Set(emps) == ["e", "f", "g"])
    }
  }
}
