import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Parent contexts and sibling contexts.
struct FamilyTests {
  @Test func aChildSavesIntoItsParent() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let parent = cache.context()
      let child = parent.child()
      try child.insert("Dept", id: "d")
      try child.insert("Emp", id: "e", ["dept": .toOne("d")])
      #expect(!parent.hasChanges)
      #expect(try child.save() == SaveNotification(inserted: ["d", "e"]))
      #expect(!child.hasChanges)
      #expect(parent.insertedIDs == ["d", "e"])
      #expect(parent.isTemporary("d") && child.isTemporary("d"))
      #expect(try cache.store.rows(of: "Dept").isEmpty)
      #expect(!child.state.events.contains { $0.name == "permanentIDs" })
      let notification = try parent.save()
      #expect(!parent.isTemporary("d") && child.isTemporary("d"))
      try child.merge(notification)
      #expect(!child.isTemporary("d"))
      #expect(try cache.store.row("e")?.properties["dept"] == .toOne("d"))
    }
  }

  @Test func lastingIDsCanBeKnownAtOnce() throws {
    let parent = Fixtures.memory(try Fixtures.model()).context()
    let child = parent.child(.error, ContextOptions(childrenStayTemporary: false))
    try child.insert("Thing", id: "t")
    try child.save()
    #expect(child.isTemporary("t"))
    try parent.save()
    #expect(!child.isTemporary("t"))
  }

  @Test func aChildSeesWhatItsParentHasNotSaved() throws {
    let parent = Fixtures.memory(try Fixtures.model()).context()
    try parent.insert("Thing", id: "t", Fixtures.numbers(1, 2))
    let child = parent.child()
    #expect(try child.numbers("t") == [1, 2])
    #expect(try child.fetch(ObjectFetchRequest("Thing")).map { $0.id } == ["t"])
    try parent.set("a", 5, of: "t")
    #expect(try child.numbers("t") == [1, 2])
    try child.refresh("t", merging: true)
    #expect(try child.numbers("t") == [5, 2])
    try parent.delete("t")
    #expect(
      child.failure { try child.refresh("t", merging: true) }?.reason == .temporaryObject("t"))
  }

  @Test func whatTheChildChangedWins() throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let parent = cache.context()
    try parent.insert("Thing", id: "t", Fixtures.numbers(1, 1))
    try parent.save()
    let child = parent.child()
    try child.set("a", 2, of: "t")
    try parent.set(Fixtures.numbers(3, 9), of: "t")
    try child.save()
    #expect(try parent.numbers("t") == [2, 9])
    try parent.save()
    #expect(try cache.context().numbers("t") == [2, 9])
  }

  @Test func aChildCanBeHeldAgainstItsParent() throws {
    let parent = Fixtures.memory(try Fixtures.model()).context()
    try parent.insert("Thing", id: "t", Fixtures.numbers(1, 1))
    let child = parent.child(.error, ContextOptions(parentConflict: .conflict))
    try child.set("a", 2, of: "t")
    try parent.set("a", 3, of: "t")
    #expect(child.failure { try child.save() }?.code == 133020)
    #expect(try parent.numbers("t") == [3, 1])
    child.policy = .objectTrump
    try child.save()
    #expect(try parent.numbers("t") == [2, 1])
  }

  /// An object that the parent deleted has no version there. A rollback discards the conflict.
  @Test func aConflictWithADeletionInTheParent() throws {
    let parent = Fixtures.memory(try Fixtures.model()).context()
    try parent.insert("Thing", id: "t", Fixtures.numbers(1, 1))
    try parent.save()
    let child = parent.child(.error, ContextOptions(parentConflict: .conflict))
    try child.set("a", 2, of: "t")
    try parent.delete("t")
    try parent.save()
    guard case .mergeConflicts(let conflicts)? = child.failure({ try child.save() })?.reason else {
      throw Fixtures.Missing()
    }
    #expect(conflicts.map { $0.id } == ["t"])
    #expect(conflicts.map { $0.newVersion } == [0])
    child.rollback()
    #expect(child.state.conflicts.isEmpty)
  }

  @Test(arguments: ContextOptions.DeletedInParent.allCases)
  func theParentDeleted(_ rule: ContextOptions.DeletedInParent) throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let parent = cache.context()
    try parent.insert("Thing", id: "t", Fixtures.numbers(1, 1))
    try parent.save()
    let child = parent.child(.error, ContextOptions(deletedInParent: rule))
    try child.set("a", 2, of: "t")
    try parent.delete("t")
    try child.save()
    try parent.save()
    #expect((try cache.store.row("t") != nil) == (rule == .comesBack))
  }

  @Test func aDeletionGoesUp() throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let parent = cache.context()
    try parent.insert("Thing", id: "old")
    try parent.save()
    try parent.insert("Thing", id: "new")
    let child = parent.child()
    try child.delete("old")
    try child.delete("new")
    try child.save()
    #expect(parent.deletedIDs == ["old"] && parent.registered("new") == nil)
    try parent.save()
    #expect(try cache.store.rows(of: "Thing").isEmpty)
  }

  @Test func childrenAreValidatedAndTheParentIsNotTouched() throws {
    let model = try Fixtures.model(department: false)
    let parent = Fixtures.memory(model).context()
    let child = parent.child()
    try child.insert("Emp", id: "e")
    #expect(child.failure { try child.save() }?.code == 1570)
    #expect(!parent.hasChanges && child.insertedIDs == ["e"])
  }

  // MARK: Merging

  /// Two children of one context; the changes saved by the first one are merged into the second.
  @Test func siblings() throws {
    let root = Fixtures.memory(try Fixtures.model()).context()
    try root.insert("Thing", id: "t", Fixtures.numbers(1, 1))
    try root.insert("Thing", id: "u", Fixtures.numbers(1, 1))
    try root.insert("Thing", id: "w", Fixtures.numbers(1, 1))
    try root.save()
    let (first, second) = (root.child(), root.child())
    try second.object("t")
    try second.object("w")
    try second.set("b", 8, of: "t")
    try first.set(Fixtures.numbers(2, 7), of: "t")
    try first.set("a", 5, of: "u")
    try first.delete("w")
    try first.insert("Thing", id: "v", Fixtures.numbers(4, 4))
    let source = first.state
    let notification = try first.save()
    #expect(notification == SaveNotification(inserted: ["v"], updated: ["t", "u"], deleted: ["w"]))
    let saved = first.state
    #expect(saved != source)
    try second.merge(notification)
    #expect(first.state == saved)
    // Local edits survive for the edited properties; objects that are not registered are not
    // affected.
    #expect(try second.numbers("t") == [2, 8])
    #expect(second.registered("u") == nil)
    #expect(
      second.registered("v")?.isFault == false && !(second.registered("v")?.isInserted ?? true))
    #expect(second.registered("w")?.isDeleted == true)
    #expect(try second.numbers("w") == [1, 1])
    #expect(try second.fetch(ObjectFetchRequest("Thing")).map { $0.id } == ["t", "u", "v"])
    #expect(second.updatedIDs == ["t"] && second.deletedIDs == [])
    try second.save()
    #expect(try root.numbers("t") == [2, 8])
  }

  @Test(arguments: [false, true])
  func aMergedDeletion(isChange: Bool) throws {
    let root = Fixtures.memory(try Fixtures.model()).context()
    try root.insert("Thing", id: "t")
    try root.save()
    let first = root.child()
    let second = root.child(.error, ContextOptions(mergedDeletionsAreChanges: isChange))
    try second.object("t")
    try first.delete("t")
    try second.merge(try first.save())
    #expect(second.hasChanges == isChange)
    try second.save()
    #expect(!second.hasChanges)
  }

  @Test func anEmptyNotificationChangesNothing() throws {
    let root = Fixtures.memory(try Fixtures.model()).context()
    try root.insert("Thing", id: "t")
    let before = root.state
    try root.merge(SaveNotification())
    #expect(root.state == before)
  }

  /// The state table of the three-context arrangement, worked example.
  @Test func theTableOfThreeContexts() throws {
    let cache = try Fixtures.stored(try Fixtures.model())
    let c0 = cache.context()
    try c0.insert("Thing", id: "t", Fixtures.numbers(0, 0))
    try c0.save()
    let (c1, c2) = (c0.child(), c0.child())
    try c1.set("a", 1, of: "t")
    try c2.set("b", 2, of: "t")
    let first = try c1.save()
    #expect(!c1.hasChanges && c0.hasChanges)
    #expect(try c0.numbers("t") == [1, 0])
    try c2.merge(first)
    #expect(try c2.numbers("t") == [1, 2])
    #expect(c2.hasChanges)
    let second = try c2.save()
    #expect(!c2.hasChanges && c0.hasChanges)
    try c1.merge(second)
    #expect(try c1.numbers("t") == [1, 2])
    #expect(!c1.hasChanges)
    try c0.save()
    for context in [c0, c1, c2] {
      #expect(try context.numbers("t") == [1, 2])
      #expect(!context.hasChanges)
    }
    #expect(try StoreCoordinatorCache(cache.store).context().numbers("t") == [1, 2])
  }

  @Test func ofOnePropertyTheSecondValueCounts() throws {
    let c0 = Fixtures.memory(try Fixtures.model()).context()
    try c0.insert("Thing", id: "t", Fixtures.numbers(0, 0))
    try c0.save()
    let (c1, c2) = (c0.child(), c0.child())
    try c1.set("a", 1, of: "t")
    try c2.set("a", 2, of: "t")
    try c2.merge(try c1.save())
    #expect(try c2.numbers("t") == [2, 0])
    try c1.merge(try c2.save())
    try c0.save()
    for context in [c0, c1, c2] { #expect(try context.numbers("t") == [2, 0]) }
  }
}
