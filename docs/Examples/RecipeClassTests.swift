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
    let device = CollectionDevice(CollectionBackend(datastore, store: "cloud"), environment)
    let recipes = try device.collection(of: Recipe.self)
    try device.collection(of: Ingredient.self)
    let saved = try recipes.save(Recipe("Pancakes", [Ingredient("flour"), Ingredient("sugar")]))
    var named = QueryBuilder()
    try named.add("name", exactly: "Pancakes")
    let found = try recipes.query(named.query)
    #expect(found.map { $0.objId } == [saved.objId])
    #expect(saved.objId != nil)
    #expect(found.first?.ingredients.map { $0.name } == ["flour", "sugar"])
    #expect(found.first?.ingredients.allSatisfy { $0.objId != nil } == true)

    // A saved object that is saved again is updated.
    var recipe = try #require(found.first)
    recipe.name = "Blini"
    try recipes.save(recipe)
    #expect(try recipes.query().map { $0.name } == ["Blini"])
    #expect(try recipes.count() == 1)
    try recipes.remove([recipe], .cascading)
    #expect(try recipes.count() == 0)
    #expect(throws: CollectionError.self) { try recipes.load([saved.objId ?? ""]) }
  }
}
