import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Two contexts save the same object, and the second save detects the conflict.
struct MergePolicyTests {
  /// Starts with {a: 1, b: 1}; the store gets `theirs`, and the returned context has the changes
  /// `ours`.
  private func race(
    _ cache: StoreCoordinatorCache, _ policy: MergePolicy, ours: [JSONString: PropertyValue]?,
    theirs: [JSONString: PropertyValue]?, isBelow: Bool = false,
    _ options: ContextOptions = ContextOptions()
  ) throws -> ManagedObjectContext {
    let first = cache.context()
    try first.insert("Thing", id: "t", Fixtures.numbers(1, 1))
    try first.save()
    let context = cache.context(policy, options)
    try context.object("t")
    // Below the cache, as in a pull, or through another context.
    let other = isBelow ? StoreCoordinatorCache(cache.store).context() : first
    if let theirs { try other.set(theirs, of: "t") } else { try other.delete("t") }
    try other.save()
    if let ours { try context.set(ours, of: "t") } else { try context.delete("t") }
    return context
  }

  struct Example: Sendable {
    let policy: MergePolicy
    let overlapping: [Int64]
    let disjoint: [Int64]
  }

  /// Worked example: base {1, 1}, ours {2, 1}, theirs {3, 9}, and disjoint theirs {1, 9}.
  static let examples = [
    Example(policy: .storeTrump, overlapping: [3, 9], disjoint: [2, 9]),
    Example(policy: .objectTrump, overlapping: [2, 9], disjoint: [2, 9]),
    Example(policy: .overwrite, overlapping: [2, 1], disjoint: [2, 1]),
    Example(policy: .rollback, overlapping: [3, 9], disjoint: [1, 9]),
  ]

  @Test(arguments: examples, [false, true])
  func bothUpdated(_ example: Example, isBelow: Bool) throws {
    for (theirs, expected) in [([3, 9], example.overlapping), ([1, 9], example.disjoint)] {
      for cache in try Fixtures.both(try Fixtures.model()) {
        let context = try race(
          cache, example.policy, ours: Fixtures.numbers(2, 1),
          theirs: Fixtures.numbers(Int64(theirs[0]), Int64(theirs[1])), isBelow: isBelow)
        try context.save()
        #expect(try context.numbers("t") == expected)
        #expect(!context.hasChanges)
        #expect(context.changedValues("t").isEmpty)
        let reader = StoreCoordinatorCache(cache.store).context()
        #expect(try reader.numbers("t") == expected)
      }
    }
  }

  @Test(arguments: [false, true])
  func errorWritesNothing(isBelow: Bool) throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = try race(
        cache, .error, ours: Fixtures.numbers(2, 1), theirs: Fixtures.numbers(3, 9),
        isBelow: isBelow)
      let before = context.state.objects
      let error = context.failure { try context.save() }
      #expect(error?.code == 133020)
      #expect(context.state.objects == before)
      #expect(context.hasChanges)
      guard case .mergeConflicts(let conflicts)? = error?.reason, let conflict = conflicts.first
      else {
        Issue.record("no conflicts: \(String(describing: error))")
        return
      }
      #expect(conflicts.count == 1)
      #expect(conflict.id == "t" && conflict.oldVersion == 1 && conflict.newVersion == 2)
      // Context against cache, or cache against store.
      #expect((conflict.objectSnapshot != nil) == !isBelow)
      #expect((conflict.persistedSnapshot != nil) == isBelow)
      #expect(conflict.cachedSnapshot?["a"] == .attribute(.integer(isBelow ? 1 : 3)))
      #expect(context.state.events.map { $0.name }.last == "conflictsDetected")

      // After a manual resolution, the next save succeeds.
      try context.resolve(conflicts, by: .objectTrump)
      #expect(try context.numbers("t") == [2, 9])
      try context.save()
      #expect(try StoreCoordinatorCache(cache.store).context().numbers("t") == [2, 9])
    }
  }

  @Test func errorPolicyResolvesNothing() throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let context = try race(
      cache, .error, ours: Fixtures.numbers(2, 1), theirs: Fixtures.numbers(3, 9))
    _ = context.failure { try context.save() }
    let conflicts = context.state.conflicts
    let before = context.state
    let error = context.failure { try context.resolve(conflicts, by: .error) }
    #expect(error?.code == 133020)
    #expect(context.state == before)
  }

  @Test(arguments: MergePolicy.allCases, [false, true])
  func deletedThere(_ policy: MergePolicy, isBelow: Bool) throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = try race(
        cache, policy, ours: Fixtures.numbers(2, 1), theirs: nil, isBelow: isBelow)
      guard policy != .error else {
        let error = context.failure { try context.save() }
        guard case .mergeConflicts(let conflicts)? = error?.reason else {
          Issue.record("no conflict")
          return
        }
        #expect(conflicts.map { $0.newVersion } == [0])
        #expect(conflicts[0].persistedSnapshot == nil)
        return
      }
      try context.save()
      let reader = StoreCoordinatorCache(cache.store).context()
      if policy == .objectTrump || policy == .overwrite {
        #expect(try reader.numbers("t") == [2, 1])
        #expect(try reader.object("t").version == 1)
        #expect(try context.numbers("t") == [2, 1])
      } else {
        #expect(context.registered("t") == nil)
        #expect(reader.failure { try reader.object("t") } != nil)
      }
      #expect(!context.hasChanges)
    }
  }

  @Test func nothingIsMadeAnewWhereThatIsNotWanted() throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let context = try race(
      cache, .objectTrump, ours: Fixtures.numbers(2, 1), theirs: nil,
      ContextOptions(recreatesDeleted: false))
    try context.save()
    #expect(context.registered("t") == nil)
  }

  @Test(arguments: MergePolicy.allCases, [false, true])
  func deletedHere(_ policy: MergePolicy, isBelow: Bool) throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = try race(
        cache, policy, ours: nil, theirs: Fixtures.numbers(3, 9), isBelow: isBelow)
      guard policy != .error else {
        #expect(context.failure { try context.save() }?.code == 133020)
        return
      }
      try context.save()
      let reader = StoreCoordinatorCache(cache.store).context()
      if policy == .objectTrump || policy == .overwrite {
        #expect(context.registered("t") == nil)
        #expect(reader.failure { try reader.object("t") } != nil)
      } else {
        #expect(try reader.numbers("t") == [3, 9])
        #expect(try context.numbers("t") == [3, 9])
      }
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: MergePolicy.allCases)
  func deletedOnBothSides(_ policy: MergePolicy) throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = try race(cache, policy, ours: nil, theirs: nil)
      if policy == .error {
        #expect(context.failure { try context.save() }?.code == 133020)
      } else {
        try context.save()
        #expect(context.registered("t") == nil && !context.hasChanges)
      }
    }
  }

  @Test func equalEditsAreNoDifference() throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let context = try race(
      cache, .storeTrump, ours: Fixtures.numbers(5, 1), theirs: Fixtures.numbers(5, 9))
    try context.save()
    #expect(try context.numbers("t") == [5, 9])
  }

  /// The winning value, by an independent implementation.
  private func expected(
    _ policy: MergePolicy, base: Int64?, ours: Int64?, theirs: Int64?
  ) -> Int64? {
    switch policy {
    case .overwrite: ours
    case .rollback, .error: theirs
    case .storeTrump: theirs == base ? ours : theirs
    case .objectTrump: ours == base ? theirs : ours
    }
  }

  @Test(arguments: [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback])
  func everyCombinationOfOneValue(_ policy: MergePolicy) throws {
    let values: [Int64?] = [nil, 1, 2, 3]
    func value(_ number: Int64?) -> PropertyValue {
      number.map { .attribute(.integer($0)) } ?? .none
    }
    for base in values {
      for ours in values {
        for theirs in values {
          let cache = Fixtures.memory(try Fixtures.model())
          let first = cache.context()
          try first.insert("Thing", id: "t", ["a": value(base)])
          try first.save()
          let context = cache.context(policy)
          try context.set(["a": value(ours), "b": value(7)], of: "t")
          try first.set(["a": value(theirs), "name": .attribute(.text("x"))], of: "t")
          try first.save()
          try context.save()
          let wanted = expected(policy, base: base, ours: ours, theirs: theirs)
          #expect(try context.number("a", of: "t") == wanted)
          #expect(try context.number("b", of: "t") == (policy == .rollback ? nil : 7))
          let name = try context.object("t").properties["name"]
          #expect((name == nil) == (policy == .overwrite))
        }
      }
    }
  }
}
