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
      var session = CollectionSession()
      session.client.open(try Recipe.mapping())
      session.client.open(try Ingredient.mapping())
      let recipe = Recipe("Pancakes", [Ingredient("flour"), Ingredient("sugar")])
      let saved = try session.perform(
        .save([recipe.saved]), on: "Recipe", backend, environment: environment)
      #expect(saved.requests.count == 3)

      let found = try session.perform(
        .query(CollectionQuery(), depth: 1), on: "Recipe", backend, environment: environment)
      guard case .objects(let objects)? = found.callbacks.last?.result else {
        Issue.record("\(found.callbacks)")
        return
      }
      #expect(objects.map { $0.values["name"] } == ["Pancakes"])
      server.stop()
    }
  }
#endif
