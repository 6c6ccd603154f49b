import TouchstoneSQLite

/// A class of the application after the four steps of the guide.
struct Recipe: CollectionPersistable {
  var objId: JSONString?
  var name: JSONString
  var ingredients: [Ingredient] = []

  static func collectionDescription() throws(CollectionError) -> CollectionDescription {
    try CollectionDescription(
      "Recipe", idProperty: "objId",
      properties: [
        MappedProperty("name"),
        MappedProperty(
          "ingredientIds", field: "ingredients", to: "Ingredient", isToMany: true,
          relation: "ingredients", isComputed: true, cascades: true),
      ])
  }

  init(_ name: JSONString, _ ingredients: [Ingredient] = []) {
    self.name = name
    self.ingredients = ingredients
  }

  init(_ object: CollectionObject) {
    objId = object.id
    name = object.values["name"]?.textValue ?? ""
    ingredients = object.objects("ingredients")
  }

  var collectionObject: CollectionObject {
    var object = CollectionObject(id: objId)
    object.values["name"] = .string(name)
    object.set("ingredients", to: ingredients)
    return object
  }
}

struct Ingredient: CollectionPersistable {
  var objId: JSONString?
  var name: JSONString
  var units: JSONString = "cup"
  var quantity: Int64 = 1

  static func collectionDescription() throws(CollectionError) -> CollectionDescription {
    try CollectionDescription(
      "Ingredient", idProperty: "objId",
      properties: [MappedProperty("name"), MappedProperty("units"), MappedProperty("quantity")])
  }

  init(_ name: JSONString, _ quantity: Int64 = 1, _ units: JSONString = "cup") {
    (self.name, self.quantity, self.units) = (name, quantity, units)
  }

  init(_ object: CollectionObject) {
    objId = object.id
    name = object.values["name"]?.textValue ?? ""
    units = object.values["units"]?.textValue ?? ""
    quantity = object.values["quantity"]?.integerValue ?? 0
  }

  var collectionObject: CollectionObject {
    CollectionObject(
      id: objId,
      ["name": .string(name), "units": .string(units), "quantity": .integer(quantity)])
  }
}

private struct Kitchen {
  let device: CollectionDevice
  let recipes: ObjectCollection<Recipe>
  let ingredients: ObjectCollection<Ingredient>

  init(_ folder: String) throws {
    let file = try SQLiteFile(folder + "/backend.db")
    device = CollectionDevice(CollectionBackend(in: file), file.environment)
    recipes = try device.collection(of: Recipe.self)
    ingredients = try device.collection(
      of: Ingredient.self, CollectionOptions(policy: .networkFirst))
  }
}

/// The guide of KinveyKit for developers who come from Core Data.
let kinveyGuide = [
  Sample("KinveyKit: save an object, or an array") { folder in
    let kitchen = try Kitchen(folder)
    let saved = try kitchen.recipes.save(Recipe("Pancakes"))
    try expect(saved.objId == nil, false)
    try expect(try kitchen.recipes.save([Recipe("Blini"), Recipe("Crêpes")]).count, 2)
    try expect(try kitchen.recipes.count(), 3)
  },
  Sample("KinveyKit: queries of the table") { folder in
    let kitchen = try Kitchen(folder)
    try kitchen.ingredients.save([
      Ingredient("beef", 2, "pound"), Ingredient("flour", 2), Ingredient("sugar", 1),
    ])
    try expect(try kitchen.ingredients.query().count, 3)
    var beef = QueryBuilder()
    try beef.add("name", exactly: "beef")
    try expect(try kitchen.ingredients.query(beef.query).map { $0.name }, ["beef"])
    var cups = QueryBuilder()
    try cups.add("units", exactly: "cup")
    try cups.add("quantity", .greater, value: 1)
    try expect(try kitchen.ingredients.query(cups.query).map { $0.name }, ["flour"])
  },
  Sample("KinveyKit: sort, and batches of 40") { folder in
    let kitchen = try Kitchen(folder)
    let names = (10..<95).map { JSONString("recipe \($0)") }
    try kitchen.recipes.save(names.reversed().map { Recipe($0) })
    var sorted = QueryBuilder()
    try sorted.sort(by: "name")
    var read: [JSONString] = []
    for batch in 0..<3 {
      var query = sorted.query
      (query.limit, query.skip) = (40, Int64(batch * 40))
      read += try kitchen.recipes.query(query).map { $0.name }
    }
    try expect(read, names)
  },
  Sample("KinveyKit: relationships are saved as ids, and loaded") { folder in
    let kitchen = try Kitchen(folder)
    let saved = try kitchen.recipes.save(
      Recipe("Pancakes", [Ingredient("flour"), Ingredient("sugar")]))
    let loaded = try kitchen.recipes.load([saved.objId ?? ""])
    try expect(loaded.first?.ingredients.map { $0.name }, ["flour", "sugar"])
    try expect(try kitchen.ingredients.count(), 2)
  },
  Sample("KinveyKit: nil-ing and cascading removals") { folder in
    let kitchen = try Kitchen(folder)
    var recipe = try kitchen.recipes.save(Recipe("Pancakes", [Ingredient("flour")]))
    recipe = try kitchen.recipes.query()[0]
    recipe.ingredients = []
    try kitchen.recipes.save(recipe)
    try expect(try kitchen.ingredients.count(), 1)
    recipe = try kitchen.recipes.save(Recipe("Blini", [Ingredient("buckwheat")]))
    recipe = try kitchen.recipes.load([recipe.objId ?? ""])[0]
    try kitchen.recipes.remove([recipe], .cascading)
    try expect(try kitchen.ingredients.query().map { $0.name }, ["flour"])
    try expect(try kitchen.recipes.query().map { $0.name }, ["Pancakes"])
  },
  Sample("KinveyKit: migrate a local store") { folder in
    let book = try IncrementalStore(in: try SQLiteFile(folder + "/book.db"), try recipeModel())
    let context = ManagedObjectContext(book)
    try context.insert("Ingredient", id: "flour", ["name": text("flour")])
    try context.insert(
      "Recipe", id: "1", ["name": text("Pancakes"), "ingredients": .toMany(["flour"])])
    try context.save()

    let cloud = try SQLiteFile(folder + "/cloud.db")
    let backend = CollectionBackend(in: cloud)
    var device = MigrationRunner.Device()
    let collections = try CollectionDescription.derived(
      from: book.model, overrides: ["Ingredient": CollectionOverride(left: ["recipe"])])
    for collection in collections { device.session.client.open(collection) }
    var requests: [Int] = []
    for _ in 1...2 {
      let runner = MigrationRunner(
        MigrationPlan(collections, deletesLocally: true, keepsIDs: true), from: book, context)
      runner.begin()
      while try runner.step(&device, backend, environment: cloud.environment) != nil {}
      requests.append(runner.exchanges.count)
    }
    // The second run finds the flag of the first one.
    try expect(requests, [2, 0])
  },
]
