#if HTTP
  import CollectionsInterface
  import HTTPClient
  import HTTPServer
  import Testing
  import TouchstoneKit

  /// Saves a recipe in collections of a server with Kinvey's REST interface.
  struct ServerRecipeTests {
    @Test func savesAndQueries() throws {
      let datastore = ReferenceDatastore()
      let environment = RunEnvironment(seed: 1)
      _ = datastore.perform(StoreOperation("cloud", .open()), environment)

      var options = CollectionService.Options()
      options.appKey = "kid_book"
      options.appSecret = "secret"
      options.users = [("ann", "pass")]
      let service = CollectionService(CollectionBackend(datastore, store: "cloud"), options)
      let server = try HTTPServer { service.response(to: $0) }

      let backend = try ServerBackend(
        url: "http://127.0.0.1:\(server.port)", appKey: "kid_book",
        credentials: Credentials(user: "ann", password: "pass"))
      let device = CollectionDevice(backend, environment)
      let recipes = try device.collection(of: Recipe.self)
      try device.collection(of: Ingredient.self)
      let saved = try recipes.save(Recipe("Pancakes", [Ingredient("flour"), Ingredient("sugar")]))
      #expect(saved.objId != nil)
      #expect(try recipes.query().map { $0.ingredients.count } == [2])
      server.stop()
    }
  }
#endif
