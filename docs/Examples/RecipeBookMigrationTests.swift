import Testing
import TouchstoneKit

/// Migrates the recipe book to a shared backend, queries it and removes a recipe.
struct RecipeBookMigrationTests {
  /// The local store of one device, a backend, and the application between them.
  struct World {
    let book: IncrementalStore
    let backend: CollectionBackend
    var device = MigrationRunner.Device()
    let environment = RunEnvironment(seed: 1)

    init() throws {
      let datastore = ReferenceDatastore()
      for store in ["book", "cloud"] as [StoreName] {
        _ = try datastore.perform(StoreOperation(store, .open()), environment)
      }
      book = try IncrementalStore(
        "book", try RecipeBookTests.model(), host: ObjectHost(datastore, environment),
        options: IncrementalStoreOptions())
      let objects = [RecipeBookTests.pancakes] + RecipeBookTests.ingredients
      _ = try book.save(SaveRequest(inserted: objects))
      backend = CollectionBackend(datastore, store: "cloud")
      // An entity becomes a collection, an attribute a field, a relationship a list of ids.
      let collections = try CollectionDescription.derived(
        from: book.model, overrides: ["Ingredient": CollectionOverride(left: ["recipe"])])
      for collection in collections { device.session.client.open(collection) }
    }

    /// Migrates the local store.
    ///
    /// - Returns: the requests that the backend received.
    mutating func migrate() throws -> [String] {
      let collections = ["Recipe", "Ingredient"].compactMap {
        device.session.client.description(of: $0)
      }
      let runner = MigrationRunner(
        MigrationPlan(collections, deletesLocally: true, keepsIDs: true), from: book,
        ManagedObjectContext(.coordinator(StoreCoordinatorCache(book))))
      runner.begin()
      while try runner.step(&device, backend, environment: environment) != nil {}
      return runner.exchanges.map { $0.request.description }
    }

    mutating func perform(_ call: CollectionCall, on collection: JSONString) throws -> [String] {
      let report = try device.session.perform(
        call, on: collection, backend, environment: environment)
      return report.requests.map { $0.request.description }
    }
  }

  @Test func migratesAndQueriesAndRemoves() throws {
    var world = try World()
    var requests = try world.migrate()
    // The second migration finds the flag of the first one and sends no request.
    requests += try world.migrate()
    var query = QueryBuilder()
    try query.add("rating", .greater, value: 4)
    try query.sort(by: "title")
    requests += try world.perform(.query(query.query, depth: 1), on: "Recipe")
    requests += try world.perform(.remove(.ids(["CDTIS-Recipe-1"]), .cascading), on: "Recipe")
    #expect(
      requests.joined(separator: "\n") == #"""
        PUT Ingredient/CDTIS-Ingredient-1 {"_id":"CDTIS-Ingredient-1","name":"flour","grams":"250.5"}
        PUT Ingredient/CDTIS-Ingredient-2 {"_id":"CDTIS-Ingredient-2","name":"sugar","grams":"30"}
        PUT Recipe/CDTIS-Recipe-1 {"_id":"CDTIS-Recipe-1","title":"Pancakes","rating":4.5,\#
        "made":1700000000.0,"ingredients":["CDTIS-Ingredient-1","CDTIS-Ingredient-2"]}
        GET Recipe?query={"rating":{"$gt":4}}&sort={"title":1}
        GET Ingredient?query={"_id":{"$in":["CDTIS-Ingredient-1","CDTIS-Ingredient-2"]}}
        GET Recipe?query={"_id":{"$in":["CDTIS-Recipe-1"]}}
        DELETE Ingredient?query={"_id":{"$in":["CDTIS-Ingredient-1","CDTIS-Ingredient-2"]}}
        DELETE Recipe/CDTIS-Recipe-1
        """#)
    #expect(try world.book.objects(of: "Recipe").isEmpty)
    #expect(world.device.settings == ["migrated.Ingredient+Recipe": true])
  }
}
