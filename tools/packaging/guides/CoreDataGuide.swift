import TouchstoneSQLite

/// The model of the samples: recipes with ingredients.
func recipeModel() throws -> ManagedObjectModel {
  try ManagedObjectModel([
    EntityDescription(
      "Recipe",
      attributes: [
        AttributeDescription("name", .utf8), AttributeDescription("rating", .double),
        AttributeDescription("price", .decimal),
      ],
      relationships: [
        RelationshipDescription(
          "ingredients", to: "Ingredient", inverse: "recipe", isToMany: true, deleteRule: .cascade)
      ]),
    EntityDescription(
      "Ingredient",
      attributes: [
        AttributeDescription("name", .utf8), AttributeDescription("units", .utf8),
        AttributeDescription("quantity", .double),
      ],
      relationships: [RelationshipDescription("recipe", to: "Recipe", inverse: "ingredients")]),
  ])
}

func text(_ value: JSONString) -> PropertyValue { .attribute(.text(value)) }

/// A coordinator whose stores are files.
func coordinator() throws -> StoreCoordinator {
  StoreCoordinator(
    try recipeModel(), types: .files(),
    host: ObjectHost(SQLiteDatastore(storage: MemoryStorage()), RunEnvironment(seed: 1)))
}

/// The guide of CDTIncrementalStore: stores and documents.
let coreDataGuide = [
  Sample("Core Data: initialize, and add a persistent store") { folder in
    var types = StoreTypeRegistry()
    types.registerIncrementalStore()
    types.registerIncrementalStore()
    try expect(types.names, ["CDTIncrementalStore"])

    let databaseURI = JSONString("file://\(folder)/recipes.sqlite3")
    let psc = try coordinator()
    let store = try psc.addStore(
      type: IncrementalStore.type, configuration: nil, url: databaseURI, options: nil)
    try expect(store.url, databaseURI)
  },
  Sample("Core Data: access the data store object") { folder in
    let psc = try coordinator()
    try expect(IncrementalStore.stores(of: psc).isEmpty, true)
    let urls = ["a.db", "b.db"].map { JSONString("file://\(folder)/\($0)") }
    for url in urls { _ = try psc.addStore(type: IncrementalStore.type, url: url) }
    let stores = IncrementalStore.stores(of: psc)
    try expect(stores.first?.url, urls[0])
    try expect(IncrementalStore.store(of: psc, at: urls[1]) === stores[1], true)
  },
  Sample("Core Data: changes are saved in the local image") { folder in
    let file = try SQLiteFile(folder + "/recipes.sqlite3")
    let context = ManagedObjectContext(try IncrementalStore(in: file, try recipeModel()))
    let id = try context.insert("Recipe", ["name": text("Pancakes")])
    try context.save()
    guard case .document(let document) = try file.perform(.read(id: id)) else {
      throw Unexpected(description: "the object has no document")
    }
    let body = document.body.objectValue
    try expect(body?["CDTISEntityName"], "Recipe")
    try expect(body?["CDTISObjectVersion"], "1")
    try expect(body?["name"], "Pancakes")
  },
  Sample("Core Data: the metadata document") { folder in
    let file = try SQLiteFile(folder + "/recipes.sqlite3")
    _ = try IncrementalStore(in: file, try recipeModel())
    guard case .document(let document) = try file.perform(.read(id: "CDTISMetaData")) else {
      throw Unexpected(description: "there is no metadata document")
    }
    let entities = document.body.objectValue?["objectModel"]?.objectValue
    try expect(entities?["Recipe"]?.objectValue?["versionHash"] == nil, false)
  },
  Sample("Core Data: numbers without loss") { folder in
    let file = try SQLiteFile(folder + "/recipes.sqlite3")
    let model = try recipeModel()
    let context = ManagedObjectContext(try IncrementalStore(in: file, model))
    let price = DecimalNumber(text: "12345678901234567890.12345678901234567".utf8) ?? .nan
    var ids: [ObjectID] = []
    for rating in [0.1, -0.0, .infinity, -.infinity, .nan, 5e-324] {
      ids.append(
        try context.insert(
          "Recipe",
          ["rating": .attribute(.double(rating)), "price": .attribute(.decimal(price))]))
    }
    try context.save()
    let again = ManagedObjectContext(
      try IncrementalStore(in: try SQLiteFile(file.path), model))
    for (id, rating) in zip(ids, [0.1, -0.0, .infinity, -.infinity, .nan, 5e-324]) {
      let object = try again.object(id)
      guard case .attribute(.double(let read))? = object.properties["rating"] else {
        throw Unexpected(description: "\(id) has no rating")
      }
      try expect(read.bitPattern, rating.bitPattern)
      try expect(object.properties["price"], .attribute(.decimal(price)))
    }
  },
]
