#if HTTP
  import CouchDBInterface
  import Foundation
  import HTTPClient
  import HTTPPeer
  import HTTPServer
  import ReferenceDatastore
  import Testing
  import TouchstoneSQLite

  /// Two devices that edit one recipe in a file each, and synchronize through a server with
  /// CouchDB's interface.
  struct ServerBookTests {
    @Test func synchronizes() throws {
      let service = try CouchDBService(ReferenceDatastore())
      let server = try HTTPServer { service.response(to: $0) }
      defer { server.stop() }
      let url = JSONString("http://127.0.0.1:\(server.port)/book")
      _ = try HTTPClient(try ServerAddress.reading(url.string).address)
        .send(HTTPRequest("PUT", ""))

      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(at: folder) }
      let tablet = try SQLiteFile(folder.appending(path: "Tablet.sqlite3").path)
      let kitchen = try SQLiteFile(folder.appending(path: "Kitchen.sqlite3").path)

      let there = try IncrementalStore(in: kitchen, try RecipeBookTests.model())
      let kitchenContext = ManagedObjectContext(there)
      try kitchenContext.insert("Recipe", id: "1", ["title": .attribute(.text("Pancakes"))])
      try kitchenContext.save()
      try there.replicatorThatPushes(to: .server(url)).run()

      let store = try IncrementalStore(in: tablet, try RecipeBookTests.model())
      let context = ManagedObjectContext(store)
      try store.replicatorThatPulls(from: .server(url)).run()
      try kitchenContext.set(["title": .attribute(.text("Crêpes"))], of: "1")
      try kitchenContext.save()
      try there.replicatorThatPushes(to: .server(url)).run()
      try context.set(["title": .attribute(.text("Blini"))], of: "1")
      try context.save()

      let puller = store.replicatorThatPulls(from: .server(url))
      try puller.start()
      // A step sends one request, or waits before a failed one is repeated.
      while puller.isActive { try puller.step() }
      let conflicts = try puller.processConflicts(with: context)
      try context.resolve(conflicts, by: .storeTrump)
      try context.save()
      try store.replicatorThatPushes(to: .server(url)).run()

      #expect(conflicts.count == 1)
      #expect(try context.object("1").properties["title"] == .attribute(.text("Crêpes")))
      try there.replicatorThatPulls(from: .server(url)).run()
      try kitchenContext.refresh("1", merging: true)
      #expect(try kitchenContext.object("1").properties["title"] == .attribute(.text("Crêpes")))
    }
  }
#endif
