import Collections
import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import ReferenceDatastore
import Testing

/// Migrations of a local store to the backend, with all kinds of interruptions.
struct MigrationTests {
  /// A device with a local store, and a backend that outlives it.
  final class World {
    let backend: CollectionBackend
    let store: IncrementalStore
    let cache: StoreCoordinatorCache
    var device = MigrationRunner.Device()
    var environment = RunEnvironment(seed: 3)
    var plan: MigrationPlan
    var requests: [String] = []

    /// Creates a world.
    ///
    /// - Parameter backend: a backend that another device already uses.
    init(
      model: ManagedObjectModel? = nil, backend: CollectionBackend? = nil,
      local: any ImplementationUnderTest = ReferenceDatastore(),
      _ plan: (inout MigrationPlan) -> Void = { _ in }
    ) throws {
      let model = try model ?? ModelTests.model()
      let host = ObjectHost(local, RunEnvironment(seed: 7))
      let coordinator = StoreCoordinator(
        model, types: StoreTypeRegistry(registersAutomatically: true), host: host)
      let store = try coordinator.addStore(type: IncrementalStore.type, url: "file:///objects")
      self.store = try #require(store as? IncrementalStore)
      cache = StoreCoordinatorCache(self.store)
      if let backend {
        self.backend = backend
      } else {
        let remote = ReferenceDatastore()
        _ = try remote.perform(StoreOperation("backend", .open()), environment)
        self.backend = CollectionBackend(remote, store: "backend")
      }
      self.plan = MigrationPlan(
        try CollectionDescription.derived(
          from: model, overrides: ["Ingredient": CollectionOverride(left: ["recipe"])]))
      plan(&self.plan)
      for collection in self.plan.collections { device.session.client.open(collection) }
    }

    func context() -> ManagedObjectContext { ManagedObjectContext(.coordinator(cache)) }

    /// Adds recipes with two ingredients each to the local store.
    func fill(_ names: [String] = ["stew", "soup", "cake"]) throws {
      let context = context()
      for name in names {
        let parts = ["salt", "water"].map { ObjectID(JSONString("\(name) \($0)")) }
        try context.insert(
          "Recipe", id: ObjectID(JSONString(name)), ["name": .attribute(.text(JSONString(name)))])
        for (number, part) in parts.enumerated() {
          try context.insert(
            "Ingredient", id: part,
            [
              "name": .attribute(.text(part.text)), "recipe": .toOne(ObjectID(JSONString(name))),
              "quantity": .attribute(.integer(Int64(number) + 1)),
            ])
        }
      }
      try context.save()
    }

    func runner() -> MigrationRunner { MigrationRunner(plan, from: store, context()) }

    /// Runs a migration to its end, or for a number of steps; returns false if it was stopped.
    @discardableResult
    func run(_ runner: MigrationRunner, steps: Int = .max) throws -> Bool {
      runner.begin()
      var count = 0
      while count < steps {
        guard try runner.step(&device, backend, environment: environment) != nil else {
          return true
        }
        count += 1
      }
      return false
    }

    func migrate() throws -> CollectionMigration.State {
      let runner = runner()
      try run(runner)
      return runner.migration.state
    }

    /// The application crashes and restarts; the network is available again.
    func crash() {
      device.session.client.crash()
      device.session.next = []
      device.session.standing = .answered
    }

    func stored(_ collection: JSONString) throws -> [JSONObject] {
      let response = try backend.answer(
        BackendRequest(0, .get, collection: collection), environment)
      return response?.body.arrayValue?.compactMap { $0.objectValue } ?? []
    }

    /// The recipes at the backend with the names of their ingredients.
    func recipes() throws -> [String] {
      let ingredients = try stored("Ingredient")
      return try stored("Recipe").map { recipe in
        let ids = recipe["ingredients"]?.arrayValue ?? []
        let names = ids.map { id in
          ingredients.first { $0["_id"] == id }?["name"]?.textValue?.string ?? "nothing"
        }
        let name = recipe["name"]?.textValue?.string ?? "?"
        return "\(name): \(names.sorted().joined(separator: ", "))"
      }.sorted()
    }

    func local() throws -> Int64 {
      try context().count(ObjectFetchRequest("Recipe"))
        + context().count(ObjectFetchRequest("Ingredient"))
    }
  }

  static let whole = [
    "cake: cake salt, cake water", "soup: soup salt, soup water", "stew: stew salt, stew water",
  ]

  @Test func movesOnce() throws {
    let world = try World { $0.deletesLocally = true }
    try world.fill()
    #expect(try world.migrate() == .done)
    #expect(try world.recipes() == Self.whole)
    #expect(try world.stored("Ingredient").count == 6)
    #expect(try world.local() == 0)
    #expect(world.device.settings == ["migrated.Ingredient+Recipe": true])
    // The next migration sends no request.
    world.device.session.standing = .failed(.notConnected)
    #expect(try world.migrate() == .skipped)
  }

  @Test func anEmptyStoreIsMoved() throws {
    let world = try World()
    world.device.session.standing = .failed(.notConnected)
    let runner = world.runner()
    try world.run(runner)
    #expect(runner.migration.state == .done)
    #expect(runner.migration.progress == CollectionProgress(done: 1, total: 1))
  }

  static let flags: [MigrationPlan.Flag?] = [nil, .settings, .store]

  /// The flag and the deletion are alternatives, and can be combined.
  @Test(arguments: flags, [false, true])
  func ends(flag: MigrationPlan.Flag?, deletesLocally: Bool) throws {
    let world = try World {
      $0.flag = flag
      $0.deletesLocally = deletesLocally
    }
    try world.fill()
    #expect(try world.migrate() == .done)
    #expect(try world.local() == (deletesLocally ? 0 : 9))
    #expect(world.device.settings.isEmpty == (flag != .settings))
    world.crash()
    #expect(try world.migrate() == (flag == nil ? .done : .skipped))
    // With neither, and without local ids, every object is duplicated.
    let isTwice = flag == nil && !deletesLocally
    #expect(try world.stored("Recipe").count == (isTwice ? 6 : 3))
  }

  @Test func childrenAreSavedFirst() throws {
    let world = try World { $0.batch = 2 }
    try world.fill()
    let runner = world.runner()
    runner.begin()
    var collections: [JSONString] = []
    var steps: [Int64] = []
    while true {
      let requests = world.device.session.client.lastCall
      guard try runner.step(&world.device, world.backend, environment: world.environment) != nil
      else { break }
      if world.device.session.client.lastCall > requests {
        collections.append(try world.stored("Recipe").isEmpty ? "Ingredient" : "Recipe")
      }
      steps.append(runner.migration.progress.done)
    }
    #expect(collections == ["Ingredient", "Ingredient", "Ingredient", "Recipe", "Recipe"])
    #expect(steps == steps.sorted())
    #expect(steps.last == 9)
    #expect(runner.migration.progress.total == 9)
  }

  /// Cyclic references are complete at the end, although no order has all ids in time.
  @Test(arguments: [false, true], [nil, 1])
  func circles(keepsIDs: Bool, batch: Int64?) throws {
    let world = try World {
      $0.keepsIDs = keepsIDs
      $0.batch = batch
      $0.collections = (try? CollectionDescription.derived(from: ModelTests.model())) ?? []
    }
    try world.fill()
    #expect(try world.migrate() == .done)
    #expect(try world.recipes() == Self.whole)
    let recipes = Set(try world.stored("Recipe").compactMap { $0["_id"] })
    #expect(
      try world.stored("Ingredient").allSatisfy {
        $0["recipe"].map { recipes.contains($0) } ?? false
      })
  }

  /// A dangling local reference is dropped at the backend.
  @Test func danglingReferences() throws {
    let world = try World()
    try world.store.save(
      SaveRequest(inserted: [
        ManagedObject(
          "stew", of: "Recipe",
          ["name": .attribute(.text("stew")), "ingredients": .toMany(["gone"])])
      ]))
    #expect(try world.migrate() == .done)
    #expect(try world.recipes() == ["stew: "])
  }

  // MARK: Failures

  /// A failure leaves the flag unset; a second attempt in the same run moves the missing objects.
  @Test func failuresAreMadeGood() throws {
    let world = try World { $0.deletesLocally = true }
    try world.fill()
    world.device.session.next = [.answered, .failed(.connectionLost)]
    let runner = world.runner()
    try world.run(runner)
    guard case .failed(.saving(let error)) = runner.migration.state else {
      Issue.record("\(runner.migration.state)")
      return
    }
    #expect(error.code == -1005)
    #expect(world.device.settings.isEmpty)
    #expect(try world.local() == 9)
    let before = world.device.session.client.lastCall
    try world.run(runner)
    #expect(runner.migration.state == .done)
    #expect(world.device.session.client.lastCall == before + 2)
    #expect(try world.recipes() == Self.whole)
    #expect(try world.stored("Ingredient").count == 6)
    #expect(try world.local() == 0)
  }

  /// The application crashes between any two steps and restarts.
  @Test(arguments: [false, true], [nil, 2])
  func crashesBetweenSteps(keepsIDs: Bool, batch: Int64?) throws {
    var stop = 0
    while true {
      let world = try World {
        $0.keepsIDs = keepsIDs
        $0.batch = batch
        $0.deletesLocally = true
      }
      try world.fill()
      let isWhole = try world.run(world.runner(), steps: stop)
      let moved = try world.stored("Ingredient").count
      let isFlagged = !world.device.settings.isEmpty
      world.crash()
      #expect(try world.migrate() == (isFlagged ? .skipped : .done))
      try Self.check(world, mayRepeat: !keepsIDs && !isFlagged && moved > 0)
      if isWhole { break }
      stop += 1
    }
    #expect(stop > 5)
  }

  /// The application crashes after any number of requests, the last of them performed or not.
  @Test(arguments: [false, true], [false, true])
  func crashesBetweenRequests(keepsIDs: Bool, isLost: Bool) throws {
    for count in 0..<9 {
      let world = try World { $0.keepsIDs = keepsIDs }
      try world.fill()
      world.device.session.next =
        Array(repeating: .answered, count: count) + (isLost ? [.lost(.timedOut)] : [])
      world.device.session.standing = .failed(.timedOut)
      try world.run(world.runner())
      #expect(world.device.settings.isEmpty)
      let moved = count + (isLost ? 1 : 0)
      #expect(try world.stored("Ingredient").count + world.stored("Recipe").count == moved)
      world.crash()
      #expect(try world.migrate() == .done)
      try Self.check(world, mayRepeat: !keepsIDs && moved > 0)
    }
  }

  /// No object is lost in any case; duplicates exist exactly if the backend assigns the ids.
  private static func check(
    _ world: World, mayRepeat: Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let recipes = try world.recipes()
    #expect(Set(recipes) == Set(whole), sourceLocation: sourceLocation)
    let isTwice = try recipes.count + world.stored("Ingredient").count > 9
    #expect(isTwice == mayRepeat, sourceLocation: sourceLocation)
  }

  // MARK: Scenarios

  /// A second start during a migration, and after its end.
  @Test func triggers() throws {
    let world = try World()
    try world.fill()
    let runner = world.runner()
    for _ in 0..<5 { try world.run(runner, steps: 1) }
    #expect(runner.migration.state == .running)
    try world.run(runner)
    runner.begin()
    #expect(try runner.step(&world.device, world.backend, environment: world.environment) == nil)
    #expect(try world.recipes() == Self.whole)
  }

  /// Two devices from one backup: their objects are the same if they keep their local ids.
  @Test(arguments: [false, true])
  func twoDevices(keepsIDs: Bool) throws {
    let first = try World { $0.keepsIDs = keepsIDs }
    try first.fill()
    let second = try World(backend: first.backend) { $0.keepsIDs = keepsIDs }
    second.environment = RunEnvironment(seed: 4)
    try second.fill()
    #expect(try first.migrate() == .done)
    #expect(try second.migrate() == .done)
    #expect(try first.stored("Recipe").count == (keepsIDs ? 3 : 6))
  }

  /// A backup that restores the data without the flag, or the flag without the data.
  @Test func backups() throws {
    for flag in [MigrationPlan.Flag.settings, .store] {
      let world = try World { $0.flag = flag }
      try world.fill()
      #expect(try world.migrate() == .done)
      // The settings are lost; a flag in the store is kept with the data.
      world.device.settings = JSONObject()
      #expect(try world.migrate() == (flag == .store ? .skipped : .done))
      #expect(try world.stored("Recipe").count == (flag == .store ? 3 : 6))
    }
    let world = try World()
    world.device.settings = ["migrated.Ingredient+Recipe": true]
    #expect(try world.migrate() == .skipped)
  }

  /// Objects created or changed during the migration are moved as well, and never deleted before.
  @Test func changesMeanwhile() throws {
    var stop = 0
    var isLeft = 0
    while true {
      let world = try World {
        $0.deletesLocally = true
        $0.batch = 2
      }
      try world.fill()
      let runner = world.runner()
      let isOver = try world.run(runner, steps: stop)
      if try isOver || world.local() == 0 { break }
      let context = world.context()
      try context.set(["name": .attribute(.text("new stew"))], of: "stew")
      try context.insert("Recipe", id: "tea", ["name": .attribute(.text("tea"))])
      try context.save()
      try world.run(runner)
      #expect(runner.migration.state == .done)
      // Between the last check and the deletion, changes can occur that remain local.
      let left = try world.local()
      isLeft += left == 2 ? 1 : 0
      let expected =
        left == 2
        ? Self.whole
        : [Self.whole[0], "new stew: stew salt, stew water", Self.whole[1], "tea: "]
      #expect(try world.recipes() == expected, "after \(stop) steps")
      #expect(left == 0 || left == 2)
      stop += 1
    }
    #expect(stop > 8)
    #expect(isLeft == 2)
  }

  /// With background reads and batches, the main queue is blocked for one batch only.
  @Test func theMainQueueStaysFree() throws {
    var blocks: [UInt64] = []
    for (batch, isInBackground) in [(nil, false), (nil, true), (Int64(10), true)] {
      let world = try World { $0.batch = batch }
      try world.fill((1...16).map { String(repeating: "x", count: $0) })
      let runner = MigrationRunner(
        world.plan, from: world.store, world.context(),
        costs: MigrationRunner.Costs(readsInBackground: isInBackground))
      try world.run(runner)
      #expect(runner.migration.state == .done)
      blocks.append(runner.longestMainBlock)
    }
    #expect(blocks == [32_000, 16_000, 5_000])
  }

  /// A local store without batches that stops during the deletion.
  @Test(arguments: 1...5)
  func aDeletionIsInterrupted(_ last: Int) throws {
    let local = Stopping()
    let world = try World(local: local) { plan in
      plan.keepsIDs = true
      plan.deletesLocally = true
      plan.flag = nil
    }
    try world.fill(["stew"])
    local.deletions = last
    _ = try? world.migrate()
    local.deletions = .max
    world.crash()
    #expect(try world.migrate() == .done)
    let request = BackendRequest(0, .get, collection: "Recipe")
    let recipes = try world.backend.answer(request, world.environment)?.body.arrayValue
    #expect(
      recipes?.first?.objectValue?["ingredients"]?.arrayValue?.count == 2, "after \(last)")
  }

  /// The model without batches, which rejects deletions after a number of them.
  final class Stopping: ImplementationUnderTest {
    private let store = ReferenceDatastore()
    var deletions = Int.max

    var description: ImplementationDescription {
      var description = store.description
      description.capabilities.remove(.atomicBatch)
      return description
    }

    func reset() throws(HarnessError) { store.reset() }
    func crash(_ kind: CrashKind) throws(HarnessError) {}
    func shutdown() throws(HarnessError) {}

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      if case .delete = operation.action {
        guard deletions > 0 else { return .error(DatastoreError(.storage(.full))) }
        deletions -= 1
      }
      return store.perform(operation, environment)
    }
  }
}
