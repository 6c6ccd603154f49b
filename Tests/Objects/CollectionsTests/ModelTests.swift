import Collections
import Datastore
import JSON
import ObjectMapping
import Testing

/// Collections derived from a model, and rules that agree with it.
struct ModelTests {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel([
      EntityDescription(
        "Recipe",
        attributes: [
          AttributeDescription("name", .utf8),
          AttributeDescription("draft", .bool, isTransient: true),
        ],
        relationships: [
          RelationshipDescription(
            "ingredients", to: "Ingredient", inverse: "recipe", isToMany: true, deleteRule: .cascade
          )
        ]),
      EntityDescription(
        "Ingredient",
        attributes: [
          AttributeDescription(
            "name", .utf8, isOptional: false,
            validation: AttributeValidation(pattern: "[a-z]+( [a-z]+)*")),
          AttributeDescription(
            "quantity", .int32, defaultValue: .integer(1),
            validation: AttributeValidation(minimum: .integer(1), maximum: .integer(100))),
          AttributeDescription(
            "price", .double,
            validation: AttributeValidation(minimum: .double(0.5), maximum: .double(9.5))),
        ], relationships: [RelationshipDescription("recipe", to: "Recipe", inverse: "ingredients")]),
    ])
  }

  @Test func collections() throws {
    let collections = try CollectionDescription.derived(from: try Self.model())
    #expect(collections.map { $0.name } == ["Recipe", "Ingredient"])
    #expect(collections.map { $0.idProperty } == ["objId", "objId"])
    #expect(
      collections[0].properties == [
        MappedProperty("name"),
        MappedProperty("ingredients", to: "Ingredient", isToMany: true, cascades: true),
      ])
    #expect(
      collections[1].properties == [
        MappedProperty("name"), MappedProperty("quantity", defaultValue: 1),
        MappedProperty("price"),
        MappedProperty("recipe", to: "Recipe", isToMany: false),
      ])
  }

  /// The mapping of the guide: `objId` to `_id`, `name`, `ingredientIds` to `ingredients`.
  @Test func mappingOfTheGuide() throws {
    let collections = try CollectionDescription.derived(
      from: try Self.model(),
      overrides: [
        "Recipe": CollectionOverride(idProperties: ["ingredients": "ingredientIds"]),
        "Ingredient": CollectionOverride(
          collection: "Ingredients", fields: ["quantity": "qty"], left: ["recipe"]),
      ])
    let recipe = collections[0]
    #expect(
      ([recipe.idProperty] + recipe.properties.map { $0.name }) == [
        "objId", "name", "ingredientIds",
      ])
    #expect(recipe.properties.map { $0.field } == ["name", "ingredients"])
    #expect(recipe.reference("ingredients")?.isComputed == true)
    #expect(recipe.reference("ingredients")?.collection == "Ingredients")
    #expect(collections[1].objectType == "Ingredient")
    #expect(collections[1].properties.map { $0.field } == ["name", "qty", "price"])
  }

  @Test func unsoundCollections() {
    let unsound: [(JSONString, [MappedProperty])] = [
      ("", []), ("1st", []), ("a/b", []), ("a", [MappedProperty("objId")]),
      ("a", [MappedProperty("x"), MappedProperty("x", field: "y")]),
      ("a", [MappedProperty("x"), MappedProperty("y", field: "x")]),
      ("a", [MappedProperty("x", field: "_id")]), ("a", [MappedProperty("x", field: "$x")]),
      ("a", [MappedProperty("x", field: "a.b")]), ("a", [MappedProperty("x", field: "")]),
      (
        "a",
        [
          MappedProperty("x"), MappedProperty("ids", to: "a", isToMany: true, relation: "x"),
        ]
      ),
    ]
    for (name, properties) in unsound {
      #expect(throws: CollectionError.self) {
        try CollectionDescription(name, properties: properties)
      }
    }
  }

  // MARK: Rules

  private static func kitchen() throws -> Kitchen {
    var kitchen = try Kitchen()
    let entity = try #require(try model()["Ingredient"])
    let collection = try CollectionDescription(
      "Ingredient",
      properties: [MappedProperty("name"), MappedProperty("quantity"), MappedProperty("price")])
    kitchen.session.client.open(collection)
    kitchen.backend.rules["Ingredient"] = FieldRule.derived(from: entity, of: collection)
    return kitchen
  }

  static let bad: [(JSONObject, JSONString, JSONValue)] = [
    ([:], "name", "required"), (["name": .null], "name", "required"),
    (["name": 1], "name", "type"), (["name": "Salt"], "name", "pattern"),
    (["name": "salt", "quantity": 0], "quantity", "minimum"),
    (["name": "salt", "quantity": 101], "quantity", "maximum"),
    (["name": "salt", "quantity": 1.5], "quantity", "type"),
    (["name": "salt", "quantity": "1"], "quantity", "type"),
    (["name": "salt", "price": 0.25], "price", "minimum"),
  ]

  /// An invalid save returns an error with the field, and stores nothing.
  @Test(arguments: bad)
  func badSaves(fields: JSONObject, field: JSONString, rule: JSONValue) throws {
    var kitchen = try Self.kitchen()
    try kitchen.store("Ingredient", "1", ["name": "salt"])
    let request = BackendRequest(
      1, .put, collection: "Ingredient", path: "1", body: .object(fields))
    let response = try #require(try kitchen.backend.answer(request, kitchen.environment))
    #expect(response.status == 400)
    #expect(response.body.objectValue?["rule"] == rule)
    try kitchen.perform("Ingredient", .save([CollectionObject(fields)]))
    #expect(
      try kitchen.error().reason == .backend(status: 400, name: "ValidationError", field: field))
    #expect(try kitchen.stored("Ingredient") == [#"{"_id":"1","name":"salt"}"#])
  }

  /// Rules and queries have the expression limit of `find`, and the backend rejects both in the
  /// same way.
  @Test func expressionsAreBounded() throws {
    var kitchen = try Self.kitchen()
    let pattern = "^(a{250}){3}a{249}"
    kitchen.backend.rules["Ingredient"] = [FieldRule("name", pattern: JSONString(pattern))]
    let query = BackendRequest(
      1, .get, collection: "Ingredient", parameters: ["query": ["name": ["$regex": .text(pattern)]]]
    )
    for count in [67_108, 67_109] {
      let name = JSONValue.text(String(repeating: "b", count: count))
      let entity: JSONValue = ["name": name]
      let rule = try kitchen.backend.answer(
        BackendRequest(1, .put, collection: "Ingredient", path: "1", body: entity),
        kitchen.environment)
      let rules = kitchen.backend.rules
      kitchen.backend.rules = [:]
      try kitchen.store("Ingredient", "1", ["name": name])
      kitchen.backend.rules = rules
      let found = try kitchen.backend.answer(query, kitchen.environment)
      let isTooLong = count == 67_109
      #expect(rule?.body.objectValue?["error"] == (isTooLong ? "BadRequest" : "ValidationError"))
      #expect(found?.status == (isTooLong ? 400 : 200))
      for response in [rule, found] {
        let text = response?.body.objectValue?["description"]?.textValue?.string ?? ""
        #expect(text.contains("tooLarge(67108864)") == isTooLong, "\(text)")
      }
    }
  }

  /// For random values, the backend accepts exactly what the model would save.
  @Test func rulesAgreeWithTheModel() throws {
    let kitchen = try Self.kitchen()
    let entity = try #require(try Self.model()["Ingredient"])
    let names: [JSONString?] = [nil, "", "salt", "sea salt", "Salt", "salt ", "9"]
    let quantities: [Int64?] = [nil, .min, -1, 0, 1, 50, 100, 101, .max]
    let prices: [Double?] = [nil, -1, 0, 0.5, 0.75, 9.5, 9.75, 1e300]
    var refused = 0
    for name in names {
      for quantity in quantities {
        for price in prices {
          var properties: [JSONString: PropertyValue] = [:]
          properties["name"] = name.map { .attribute(.text($0)) }
          properties["quantity"] = quantity.map { .attribute(.integer($0)) }
          properties["price"] = price.map { .attribute(.double($0)) }
          var fields = JSONObject()
          fields["name"] = name.map { .string($0) }
          fields["quantity"] = quantity.map { .integer($0) }
          fields["price"] = price.map { .double($0) }
          let failures = try entity.failures(of: properties)
          let request = BackendRequest(
            1, .put, collection: "Ingredient", path: "x", body: .object(fields))
          let response = try kitchen.backend.answer(request, kitchen.environment)
          #expect((response?.status == 200) == failures.isEmpty)
          if let failure = failures.first {
            refused += 1
            #expect(response?.body.objectValue?["field"] == .string(failure.property))
          }
        }
      }
    }
    #expect(refused > 300)
  }
}
