import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Objects in a context, and the order of a save.
struct SavingTests {
  @Test func anInsertedObject() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = cache.context()
      try context.insert("Thing", id: "t", Fixtures.numbers(1, 2))
      #expect(context.isTemporary("t"))
      #expect(context.insertedIDs == ["t"] && context.hasChanges)
      let notification = try context.save()
      #expect(notification == SaveNotification(inserted: ["t"]))
      #expect(
        context.state.events
          == [
            .willSave, .deletePropagated([]), .validated, .permanentIDs(["t"]), .written, .didSave,
          ])
      #expect(!context.isTemporary("t") && !context.hasChanges)
      #expect(context.registered("t")?.changedNames == [])
      #expect(try context.object("t").version == 1)
      try context.set("a", 5, of: "t")
      #expect(context.changedValues("t") == ["a": .attribute(.integer(5))])
      #expect(context.registered("t")?.committed?["a"] == .attribute(.integer(1)))
      try context.save()
      #expect(try cache.context().object("t").version == 2)
    }
  }

  @Test func anEqualValueIsAChangeWithoutDifference() throws {
    let context = Fixtures.memory(try Fixtures.model()).context()
    try context.insert("Thing", id: "t", Fixtures.numbers(1, 2))
    try context.save()
    try context.set("a", 1, of: "t")
    #expect(context.hasChanges && context.updatedIDs == ["t"])
    #expect(context.changedValues("t").isEmpty)
    #expect(try context.save().updated == ["t"])
    #expect(try context.object("t").version == 2)
  }

  @Test func defaultsComeFirst() throws {
    let model = try ManagedObjectModel([
      EntityDescription(
        "Note",
        attributes: [
          AttributeDescription("title", .utf8, defaultValue: .text("untitled")),
          AttributeDescription("stars", .int16, defaultValue: .integer(3)),
        ])
    ])
    let context = Fixtures.memory(model).context()
    try context.insert("Note", id: "n", ["stars": .attribute(.integer(5))])
    let note = try context.object("n")
    #expect(note.properties["title"] == .attribute(.text("untitled")))
    #expect(note.properties["stars"] == .attribute(.integer(5)))
  }

  @Test(arguments: [true, false])
  func aSaveWithoutChanges(posts: Bool) throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let context = cache.context(.error, ContextOptions(postsOnEmptySave: posts))
    #expect(try context.save().isEmpty)
    #expect(context.state.events == (posts ? [.willSave, .didSave] : []))
    #expect((context.state.lastNotification != nil) == posts)
  }

  @Test func validation() throws {
    let model = try ManagedObjectModel([
      EntityDescription(
        "Note",
        attributes: [
          AttributeDescription("title", .utf8, isOptional: false),
          AttributeDescription(
            "stars", .int16,
            validation: AttributeValidation(minimum: .integer(1), maximum: .integer(10))),
        ])
    ])
    let cache = Fixtures.memory(model)
    let context = cache.context()
    try context.insert("Note", id: "n")
    #expect(context.failure { try context.save() }?.code == 1570)
    #expect(context.state.events == [.willSave, .deletePropagated([])])
    try context.set("stars", 11, of: "n")
    let error = context.failure { try context.save() }
    #expect(error?.code == 1560)
    guard case .validation(let objects)? = error?.reason else { throw Fixtures.Missing() }
    #expect(objects.map { $0.failures.map { $0.reason.rawValue } } == [[1570, 1610]])
    #expect(try cache.store.rows(of: "Note").isEmpty)
    try context.set(["title": .attribute(.text("")), "stars": .none], of: "n")
    try context.save()
    #expect(try cache.store.rows(of: "Note").count == 1)
  }

  @Test func inversesFollowAtOnce() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = cache.context()
      try context.insert("Dept", id: "d1")
      try context.insert("Dept", id: "d2")
      try context.insert("Emp", id: "e1", ["dept": .toOne("d1")])
      try context.insert("Emp", id: "e2")
      try context.set(["emps": .toMany(["e2", "e1"])], of: "d2")
      #expect(try context.object("d1").properties["emps"] == nil)
      #expect(try context.object("e1").properties["dept"] == .toOne("d2"))
      try context.save()
      let reader = cache.context()
      #expect(try reader.object("d2").properties["emps"] == .toMany(["e1", "e2"]))
      #expect(try reader.object("e2").properties["dept"] == .toOne("d2"))
      try context.set(["dept": .none], of: "e1")
      #expect(try context.object("d2").properties["emps"] == .toMany(["e2"]))
    }
  }

  @Test func twoWhoJoinOneListDoNotCollide() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let first = cache.context()
      try first.insert("Dept", id: "d")
      for id: ObjectID in ["e1", "e2", "e3"] { try first.insert("Emp", id: id) }
      try first.set(["dept": .toOne("d")], of: "e1")
      try first.save()
      let second = cache.context()
      try second.object("d")
      try first.set(["dept": .toOne("d")], of: "e2")
      try first.save()
      try second.set(["dept": .toOne("d")], of: "e3")
      try second.save()
      let reader = StoreCoordinatorCache(cache.store).context()
      #expect(try reader.object("d").properties["emps"] == .toMany(["e1", "e2", "e3"]))
    }
  }

  @Test func wrongNamesAndKinds() throws {
    let context = Fixtures.memory(try Fixtures.model()).context()
    #expect(
      context.failure { try context.insert("No", id: "x") }?.reason == .unknownEntity("No"))
    try context.insert("Emp", id: "e")
    #expect(
      context.failure { try context.insert("Emp", id: "e") }?.reason == .alreadyRegistered("e"))
    #expect(
      context.failure { try context.set("dept", 1, of: "e") }?.reason
        == .wrongKind(property: "dept", of: "Emp"))
    #expect(
      context.failure { try context.set("no", 1, of: "e") }?.reason
        == .unknownProperty("no", of: "Emp"))
    #expect(context.failure { try context.object("gone") }?.reason == .faultUnfulfilled("gone"))
  }
}
