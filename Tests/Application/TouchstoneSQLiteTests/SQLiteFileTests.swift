import Foundation
import Testing
import TouchstoneSQLite

/// Stores in files at paths of the application's choice.
struct SQLiteFileTests {
  /// Calls `body` with the path of a new folder, and removes it afterwards.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private func people() throws -> ManagedObjectModel {
    try ManagedObjectModel([
      EntityDescription("Person", attributes: [AttributeDescription("firstName", .utf8)])
    ])
  }

  private func names(_ context: ManagedObjectContext) throws -> [PropertyValue?] {
    try context.fetch(ObjectFetchRequest("Person")).map { $0.properties["firstName"] }
  }

  @Test func documentsAreInTheFileAfterReopening() throws {
    try withFolder { folder in
      let path = folder + "/Größe %1.sqlite3"
      var file: SQLiteFile? = try SQLiteFile(path)
      try file?.perform(.create(id: "a", body: ["n": 1]))
      // The release of the last reference closes the database, and moves its log into it.
      file = nil
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["Größe %1.sqlite3"])
      let again = try SQLiteFile(path)
      guard case .document(let document) = try again.perform(.read(id: "a")) else {
        Issue.record("no document")
        return
      }
      #expect(document.body == ["n": 1])
      again.close()
      let error = #expect(throws: StoreError.self) { try again.perform(.read(id: "a")) }
      guard case .datastore(_, let refusal)? = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.kind == .noSuchStore)
    }
  }

  @Test func twoConnectionsShareAFile() throws {
    try withFolder { folder in
      let files = try (0..<2).map { _ in try SQLiteFile(folder + "/shared.db") }
      try files[0].perform(.create(id: "a", body: ["n": 1]))
      guard case .document(let document) = try files[1].perform(.read(id: "a")) else {
        Issue.record("no document")
        return
      }
      #expect(document.body == ["n": 1])
    }
  }

  /// Ids of objects and stores come from the system unless a test names a seed.
  @Test func idsAreRandom() throws {
    try withFolder { folder in
      let stores = try (0..<2).map {
        try IncrementalStore(in: SQLiteFile("\(folder)/\($0).db"), people())
      }
      #expect(stores[0].identifier != stores[1].identifier)
      #expect(!stores[0].identifier.isEmpty)
    }
  }

  @Test func aFileThatIsNoDatabaseIsAnError() throws {
    try withFolder { folder in
      let path = folder + "/text.db"
      let text = Data(String(repeating: "This is not a database. ", count: 400).utf8)
      try text.write(to: URL(filePath: path))
      let error = #expect(throws: StoreError.self) { try SQLiteFile(path) }
      #expect(error?.message.contains(path) == true)
      #expect(try Data(contentsOf: URL(filePath: path)) == text)
      let missing = #expect(throws: StoreError.self) { try SQLiteFile(folder + "/x/y.db") }
      #expect(missing?.message.contains("its folder does not exist") == true)
    }
  }

  /// A coordinator whose stores are files.
  @Test func aCoordinatorHasFiles() throws {
    try withFolder { folder in
      let coordinator = StoreCoordinator(
        try people(), types: .files(),
        host: ObjectHost(
          SQLiteDatastore(storage: MemoryStorage()), RunEnvironment(seed: 1)))
      let urls: [JSONString] = ["One%20two.db", "three.db"].map {
        JSONString("file://\(folder)/\($0)")
      }
      for url in urls {
        _ = try coordinator.addStore(type: IncrementalStore.type, url: url)
      }
      #expect(
        Set(try FileManager.default.contentsOfDirectory(atPath: folder)).isSuperset(
          of: ["One two.db", "three.db"]))
      let stores = IncrementalStore.stores(of: coordinator)
      #expect(stores.map { $0.url } == urls)
      let context = ManagedObjectContext(stores[1])
      try context.insert("Person", ["firstName": .attribute(.text("Jad"))])
      try context.save()
      #expect(try names(ManagedObjectContext(stores[1])) == [.attribute(.text("Jad"))])
      #expect(try names(ManagedObjectContext(stores[0])) == [])
      let remote = #expect(throws: StoreError.self) {
        try coordinator.addStore(type: IncrementalStore.type, url: "https://example.com/a")
      }
      #expect(remote?.reason == .badURL)
    }
  }

  @Test func aStackIsOnAFile() throws {
    try withFolder { folder in
      for path in [nil, ""] {
        let error = #expect(throws: ContextError.self) {
          try ThreeContextStack(model: people(), storePath: path)
        }
        #expect(error?.reason == .missingStorePath)
      }
      let path = folder + "/Library.sqlite3"
      for expected in 1...2 {
        let stack = try ThreeContextStack(model: people(), storePath: path)
        #expect(stack.persistentStoreURL == JSONString("file://\(path)"))
        try stack.performBackgroundClosureWaitAndSave { context in
          try context.insertObject(entityName: "Person")
        }
        var count = 0
        try stack.performClosureAndWait { count = try $0.findAll(entityName: "Person").count }
        #expect(count == expected)
      }
    }
  }

  @Test func filesReplicate() throws {
    try withFolder { folder in
      let files = try ["here", "there"].map { try SQLiteFile("\(folder)/\($0).db") }
      let stores = try files.map { try IncrementalStore(in: $0, people()) }
      let context = ManagedObjectContext(stores[0])
      try context.insert("Person", ["firstName": .attribute(.text("Jad"))])
      try context.save()
      let report = try stores[0].replicatorThatPushes(to: files[1].replicationTarget).run()
      #expect(report.failures.isEmpty && report.processed > 0)
      #expect(try names(ManagedObjectContext(stores[1])) == [.attribute(.text("Jad"))])
    }
  }

  @Test func aBackendIsInAFile() throws {
    try withFolder { folder in
      let file = try SQLiteFile(folder + "/backend.db")
      var session = CollectionSession()
      session.client.open(try CollectionDescription("Recipe", properties: [MappedProperty("name")]))
      var object = CollectionObject(id: nil)
      object.values["name"] = "Pancakes"
      let backend = CollectionBackend(in: file)
      let saved = try session.perform(
        .save([object]), on: "Recipe", backend, environment: file.environment)
      #expect(saved.requests.count == 1)
      let found = try session.perform(
        .query(CollectionQuery()), on: "Recipe", backend, environment: file.environment)
      guard case .objects(let objects)? = found.callbacks.last?.result else {
        Issue.record("\(found)")
        return
      }
      #expect(objects.map { $0.values["name"] } == ["Pancakes"])
    }
  }
}
