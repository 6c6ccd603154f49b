import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Two objects with equal names and a uniqueness constraint on names.
struct ConstraintTests {
  private func named(_ a: Int64) -> [JSONString: PropertyValue] {
    ["name": .attribute(.text("one")), "a": .attribute(.integer(a))]
  }

  private func caches() throws -> [StoreCoordinatorCache] {
    try Fixtures.both(try Fixtures.model(unique: [["name"]]))
  }

  @Test func anErrorByDefault() throws {
    for cache in try caches() {
      let context = cache.context()
      try context.insert("Thing", id: "t", named(1))
      try context.save()
      try context.insert("Thing", id: "u", named(2))
      let error = context.failure { try context.save() }
      #expect(error?.code == 133021)
      guard case .constraintConflicts(let conflicts)? = error?.reason else {
        throw Fixtures.Missing()
      }
      #expect(
        conflicts == [ConstraintConflict("Thing", ["name"], objects: ["u"], row: "t")])
      #expect(context.insertedIDs == ["u"])
      #expect(try cache.store.rows(of: "Thing").map { $0.id } == ["t"])
    }
  }

  @Test(arguments: [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback])
  func theStoredObjectLivesOn(_ policy: MergePolicy) throws {
    for cache in try caches() {
      let first = cache.context()
      try first.insert("Thing", id: "t", named(1))
      try first.save()
      let second = cache.context(policy)
      try second.insert("Thing", id: "u", named(2))
      try second.save()
      #expect(second.registered("u") == nil && !second.hasChanges)
      let rows = try cache.store.rows(of: "Thing")
      #expect(rows.map { $0.id } == ["t"])
      let expected: Int64 = policy == .objectTrump || policy == .overwrite ? 2 : 1
      #expect(rows.first?.properties["a"] == .attribute(.integer(expected)))
      #expect(try second.number("a", of: "t") == expected)
    }
  }

  @Test func twoInOneSave() throws {
    for cache in try caches() {
      let context = cache.context(.objectTrump)
      try context.insert("Thing", id: "t", named(1))
      try context.insert("Thing", id: "u", named(2))
      try context.save()
      #expect(try cache.store.rows(of: "Thing").count == 1)
    }
  }

  @Test func anUpdateThatCollides() throws {
    for cache in try caches() {
      let context = cache.context(.storeTrump)
      try context.insert("Thing", id: "t", named(1))
      try context.insert("Thing", id: "u", ["name": .attribute(.text("two"))])
      try context.save()
      try context.set(named(5), of: "u")
      try context.save()
      #expect(try context.object("u").properties["name"] == .attribute(.text("two")))
      #expect(try context.number("a", of: "u") == 5)
    }
  }

  @Test func nilCollidesWithNothing() throws {
    for cache in try caches() {
      let context = cache.context()
      try context.insert("Thing", id: "t")
      try context.insert("Thing", id: "u")
      try context.save()
      #expect(try cache.store.rows(of: "Thing").count == 2)
    }
  }

  @Test func aNameThatIsGivenUpIsFree() throws {
    for cache in try caches() {
      let context = cache.context()
      try context.insert("Thing", id: "t", named(1))
      try context.save()
      try context.delete("t")
      try context.insert("Thing", id: "u", named(2))
      try context.save()
      #expect(try cache.store.rows(of: "Thing").map { $0.id } == ["u"])
    }
  }

  @Test func whoLedToTheOtherLeadsToTheSurvivor() throws {
    let model = try ManagedObjectModel([
      EntityDescription(
        "Tag", attributes: [AttributeDescription("name", .utf8)],
        relationships: [
          RelationshipDescription("notes", to: "Note", inverse: "tags", isToMany: true)
        ], uniquenessConstraints: [["name"]]),
      EntityDescription(
        "Note",
        relationships: [
          RelationshipDescription("tags", to: "Tag", inverse: "notes", isToMany: true)
        ]),
    ])
    for cache in try Fixtures.both(model) {
      let context = cache.context(.objectTrump)
      try context.insert("Tag", id: "a", ["name": .attribute(.text("red"))])
      try context.save()
      try context.insert("Tag", id: "b", ["name": .attribute(.text("red"))])
      try context.insert("Note", id: "n", ["tags": .toMany(["b"])])
      try context.save()
      #expect(try cache.store.row("n")?.properties["tags"] == .toMany(["a"]))
      #expect(try cache.store.row("a")?.properties["notes"] == .toMany(["n"]))
      #expect(try cache.store.row("b") == nil)
    }
  }
}
