import Testing
import TouchstoneKit

/// The class of `docs/managed-object-class.md`, before and after the migration.
struct RecipeClassTests {
  @Test func before() throws {
    let model = try ManagedObjectModel([
      EntityDescription(
        "Recipe", attributes: [AttributeDescription("name", .utf8)],
        relationships: [RelationshipDescription("ingredients", to: "Ingredient", isToMany: true)]),
      EntityDescription("Ingredient", attributes: [AttributeDescription("name", .utf8)]),
    ])
    let datastore = ReferenceDatastore()
    let environment = RunEnvironment(seed: 1)
    _ = try datastore.perform(StoreOperation("book", .open()), environment)
    let store = try IncrementalStore(
      "book", model, host: ObjectHost(datastore, environment), options: IncrementalStoreOptions())
    let context = ManagedObjectContext(.coordinator(StoreCoordinatorCache(store)))
    try context.insert("Ingredient", id: "flour")
    try context.insert("Recipe", id: "1", ["ingredients": .toMany(["flour"])])
    let recipe = ManagedRecipe("1", in: context)
    try recipe.rename("Pancakes")
    #expect(context.hasChanges)
    try context.save()
    #expect(try recipe.name() == "Pancakes")
    #expect(try recipe.ingredients() == ["flour"])
  }

  @Test func after() throws {
    let datastore = ReferenceDatastore()
    let environment = RunEnvironment(seed: 1)
    _ = try datastore.perform(StoreOperation("cloud", .open()), environment)
    let backend = CollectionBackend(datastore, store: "cloud")
    var session = CollectionSession()
    session.client.open(try Recipe.mapping())
    session.client.open(try Ingredient.mapping())
    let recipe = Recipe("Pancakes", [Ingredient("flour"), Ingredient("sugar")])
    var report = try session.perform(
      .save([recipe.saved]), on: "Recipe", backend, environment: environment)
    #expect(
      report.requests.map { $0.request.collection } == ["Ingredient", "Ingredient", "Recipe"])

    report = try session.perform(
      .query(CollectionQuery()), on: "Recipe", backend, environment: environment)
    guard case .objects(let objects)? = report.callbacks.last?.result else {
      Issue.record("\(report.callbacks)")
      return
    }
    var loaded = objects.map { Recipe($0) }
    #expect(loaded.map { $0.name } == ["Pancakes"])
    #expect(loaded[0].ingredients.isEmpty)
    loaded[0].fill(try #require(report.fills.first))
    #expect(loaded[0].ingredients.map { $0.name } == ["flour", "sugar"])
    #expect(loaded[0].objId != nil && loaded[0].ingredients.allSatisfy { $0.objId != nil })
  }
}
