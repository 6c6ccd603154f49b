import Testing
import TouchstoneKit

/// Saves a recipe on one device, replicates it over a lossy network and reads it on another device.
struct RecipeBookTests {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel([
      EntityDescription(
        "Recipe",
        attributes: [
          AttributeDescription("title", .utf8, isOptional: false),
          AttributeDescription("rating", .double), AttributeDescription("made", .date1970),
        ],
        relationships: [
          RelationshipDescription(
            "ingredients", to: "Ingredient", inverse: "recipe", isToMany: true,
            deleteRule: .cascade)
        ]),
      EntityDescription(
        "Ingredient",
        attributes: [AttributeDescription("name", .utf8), AttributeDescription("grams", .decimal)],
        relationships: [RelationshipDescription("recipe", to: "Recipe", inverse: "ingredients")]),
    ])
  }

  static let pancakes = ManagedObject(
    "CDTIS-Recipe-1", of: "Recipe",
    [
      "title": .attribute(.text("Pancakes")), "rating": .attribute(.double(4.5)),
      "made": .attribute(.date(1_700_000_000)),
      "ingredients": .toMany(["CDTIS-Ingredient-1", "CDTIS-Ingredient-2"]),
    ], identifier: "x-coredata://book/Recipe/p1")

  static func ingredient(_ number: Int, _ name: JSONString, grams: String) -> ManagedObject {
    ManagedObject(
      ObjectID(JSONString("CDTIS-Ingredient-\(number)")), of: "Ingredient",
      [
        "name": .attribute(.text(name)), "recipe": .toOne(pancakes.id),
        "grams": .attribute(.decimal(DecimalNumber(text: grams.utf8) ?? .nan)),
      ], identifier: JSONString("x-coredata://book/Ingredient/p\(number)"))
  }

  static let ingredients = [
    ingredient(1, "flour", grams: "250.5"), ingredient(2, "sugar", grams: "30"),
  ]

  /// Saves the objects in the kitchen, replicates them, and performs the actions on the tablet.
  ///
  /// - Returns: the outcome of each action.
  static func performOnTablet(_ actions: [StoreAction]) throws -> [Outcome?] {
    func step(_ name: StepID, at time: Int64, on device: ReplicaName, _ action: StoreAction)
      -> ScenarioStep
    {
      ScenarioStep(name, when: time, .perform(at: device, ClientOperation(action)))
    }
    let open = StoreAction.objects(.open(model: try model().json))
    let objects = ([pancakes] + ingredients).map { $0.json }
    let push = Replicate(source: "kitchen", target: "tablet", by: "kitchen")
    // 333 of 1,000 messages are lost, and 100 of 1,000 are delivered twice.
    var network = Conditions()
    (network.lost, network.twice) = (333, 100)
    let names = actions.indices.map { StepID(JSONString("read \($0)")) }
    let scenario = Scenario(
      seed: 1, replicas: ["kitchen", "tablet"], store: "recipes", conditions: network,
      steps: [
        step("open", at: 0, on: "kitchen", open),
        step(
          "save", at: 1000, on: "kitchen",
          .objects(.save(inserted: objects, updated: [], deleted: []))),
        ScenarioStep("push", when: 2000, .replicate(push)),
        ScenarioStep("wait", when: 3000, .settle),
        step("turn on", at: 4000, on: "tablet", open),
      ] + zip(names, actions).map { step($0, at: 5000, on: "tablet", $1) })
    var world = try World(scenario, .model.withContexts(), records: true)
    let run = try world.run()
    #expect(run.findings.isEmpty)
    return names.map { run.trace?.outcome(of: $0) }
  }

  @Test func replicates() throws {
    let outcomes = try Self.performOnTablet([
      .objects(.load(.id("CDTIS-Recipe-1"))), .read(id: "CDTIS-Recipe-1"),
      .read(id: "CDTIS-Ingredient-1"),
    ])
    guard case .object(let read, _, _)? = outcomes[0]?.objects else { throw Missing() }
    #expect(try ManagedObject(read, try Self.model()) == Self.pancakes)

    // The stored documents, which clients on other platforms read.
    #expect(
      body(outcomes[1]) == [
        "CDTISEntityName": "Recipe", "CDTISObjectVersion": "1",
        "CDTISIdentifier": "x-coredata://book/Recipe/p1",
        "title": "Pancakes",
        "rating": 4.5, "CDTISMeta_rating": ["ieee754_double": 4_616_752_568_008_179_712],
        "made": 1_700_000_000, "ingredients": ["CDTIS-Ingredient-1", "CDTIS-Ingredient-2"],
      ])
    #expect(
      body(outcomes[2]) == [
        "CDTISEntityName": "Ingredient", "CDTISObjectVersion": "1",
        "CDTISIdentifier": "x-coredata://book/Ingredient/p1",
        "name": "flour",
        "grams": "250.5", "CDTISMeta_grams": ["nsdecimal": "/yEAAMkJAAAAAAAAAAAAAAAAAAA="],
        "recipe": "CDTIS-Recipe-1",
      ])
  }

  @Test func fetches() throws {
    let outcomes = try Self.performOnTablet([
      .objects(
        .fetch(
          ObjectFetch("Ingredient", predicate: "recipe.title BEGINSWITH 'Pan' AND grams > 99.9"))),
      .objects(
        .fetch(
          ObjectFetch(
            "Ingredient", sort: [SortKey("grams", descending: false)], offset: 1, limit: 1,
            result: .ids))),
      .objects(
        .fetch(ObjectFetch("Recipe", predicate: "ANY ingredients.name == 'sugar'", result: .count))),
    ])
    #expect(outcomes[0] == .ok(.objects(.objects([Self.ingredients[0].json]))))
    #expect(outcomes[1] == .ok(.objects(.ids(["CDTIS-Ingredient-1"]))))
    #expect(outcomes[2] == .ok(.objects(.count(1))))
  }

  func body(_ outcome: Outcome?) -> JSONValue? {
    guard case .ok(.document(let document))? = outcome else { return nil }
    return document.body
  }

  struct Missing: Error {}
}
