#if HTTP
  import CouchDBInterface
  import HTTPClient
  import HTTPPeer
  import HTTPServer
  import Testing
  import TouchstoneKit

  /// Two devices that edit one recipe, and synchronize through a server with CouchDB's interface.
  struct ServerBookTests {
    private struct Device {
      let store: IncrementalStore
      let context: ManagedObjectContext

      init(seed: UInt64) throws {
        let environment = RunEnvironment(seed: seed)
        let datastore = ReferenceDatastore()
        _ = datastore.perform(StoreOperation("book", .open()), environment)
        store = try IncrementalStore(
          "book", try RecipeBookTests.model(), host: ObjectHost(datastore, environment),
          options: IncrementalStoreOptions())
        context = ManagedObjectContext(.coordinator(StoreCoordinatorCache(store)))
      }

      func set(_ title: JSONString) throws {
        try context.set(["title": .attribute(.text(title))], of: "1")
        try context.save()
      }

      func replicate(_ direction: ReplicationTurn.Direction, _ url: JSONString) throws {
        let replicator = ObjectReplicator(
          direction, store, remote: url, pause: ServerPeer.pause, connect: ServerPeer.connect)
        try replicator.start()
        // A step sends one request, or waits before a failed one is repeated.
        while replicator.isActive { try replicator.step() }
        #expect(replicator.state == .complete)
      }

      func title() throws -> JSONString? {
        guard case .attribute(.text(let title))? = try context.object("1").properties["title"]
        else { return nil }
        return title
      }
    }

    @Test func synchronizes() throws {
      let service = try CouchDBService(ReferenceDatastore())
      let server = try HTTPServer { service.response(to: $0) }
      defer { server.stop() }
      let url = JSONString("http://127.0.0.1:\(server.port)/book")
      let address = try ServerAddress.reading(url.string).address
      _ = try HTTPClient(address).send(HTTPRequest("PUT", ""))

      let (kitchen, tablet) = (try Device(seed: 1), try Device(seed: 2))
      try kitchen.context.insert("Recipe", id: "1", ["title": .attribute(.text("Pancakes"))])
      try kitchen.context.save()
      try kitchen.replicate(.push, url)
      try tablet.replicate(.pull, url)

      try kitchen.set("Crêpes")
      try tablet.set("Blini")
      try kitchen.replicate(.push, url)

      try tablet.replicate(.pull, url)
      let conflicts = try tablet.context.processConflicts()
      try tablet.context.resolve(conflicts, by: .storeTrump)
      try tablet.context.save()
      try tablet.replicate(.push, url)
      #expect(conflicts.count == 1)
      #expect(try tablet.title() == "Crêpes")

      try kitchen.replicate(.pull, url)
      try kitchen.context.refresh("1", merging: true)
      #expect(try kitchen.title() == "Crêpes")
    }
  }
#endif
