import Testing
import TouchstoneKit

/// A recipe is written in the kitchen, travels over a bad network, and is read on a tablet.
struct RecipeBookTests {
  let pancakes: ObjectID = "CDTIS-Recipe-1"
  let flour: ObjectID = "CDTIS-Ingredient-1"

  func model() throws -> ManagedObjectModel {
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

  @Test func travels() throws {
    let model = try model()
    let recipe = ManagedObject(
      pancakes, of: "Recipe",
      [
        "title": .attribute(.text("Pancakes")), "rating": .attribute(.double(4.5)),
        "made": .attribute(.date(1_700_000_000)), "ingredients": .toMany([flour]),
      ], identifier: "x-coredata://book/Recipe/p1")
    let ingredient = ManagedObject(
      flour, of: "Ingredient",
      [
        "name": .attribute(.text("flour")), "recipe": .toOne(pancakes),
        "grams": .attribute(.decimal(DecimalNumber(text: "250.5".utf8) ?? .nan)),
      ], identifier: "x-coredata://book/Ingredient/p1")

    func step(_ name: StepID, at time: Int64, on device: ReplicaName, _ action: Action)
      -> ScenarioStep
    {
      ScenarioStep(name, when: time, .perform(at: device, ClientOperation(action)))
    }
    let open = Action.objects(.open(model: model.json))
    let save = Action.objects(
      .save(inserted: [recipe.json, ingredient.json], updated: [], deleted: []))
    let push = Replicate(source: "kitchen", target: "tablet", by: "kitchen")
    // One message in three is lost, and some come twice.
    var network = Conditions()
    (network.lost, network.twice) = (333, 100)
    let scenario = Scenario(
      seed: 1, replicas: ["kitchen", "tablet"], store: "recipes", conditions: network,
      steps: [
        step("open", at: 0, on: "kitchen", open), step("save", at: 1000, on: "kitchen", save),
        ScenarioStep("push", when: 2000, .replicate(push)),
        ScenarioStep("wait", when: 3000, .settle),
        step("turn on", at: 4000, on: "tablet", open),
        step("read", at: 5000, on: "tablet", .objects(.load(.id(pancakes)))),
        step("look", at: 6000, on: "tablet", .read(id: pancakes)),
        step("look closer", at: 7000, on: "tablet", .read(id: flour)),
      ])

    var world = try World(scenario, .model, records: true)
    let run = try world.run()
    #expect(run.findings.isEmpty)
    let trace = try #require(run.trace)

    // The object on the tablet is the one from the kitchen.
    guard case .ok(.objects(.object(let read, _, _)))? = trace.outcome(of: "read") else {
      throw Missing()
    }
    #expect(try ManagedObject(read, model) == recipe)

    // What is stored, for clients on any platform.
    #expect(
      body(trace.outcome(of: "look")) == [
        "CDTISEntityName": "Recipe", "CDTISObjectVersion": "1",
        "CDTISIdentifier": "x-coredata://book/Recipe/p1",
        "title": "Pancakes",
        "rating": 4.5, "CDTISMeta_rating": ["ieee754_double": 4_616_752_568_008_179_712],
        "made": 1_700_000_000, "ingredients": ["CDTIS-Ingredient-1"],
      ])
    #expect(
      body(trace.outcome(of: "look closer")) == [
        "CDTISEntityName": "Ingredient", "CDTISObjectVersion": "1",
        "CDTISIdentifier": "x-coredata://book/Ingredient/p1",
        "name": "flour",
        "grams": "250.5", "CDTISMeta_grams": ["nsdecimal": "/yEAAMkJAAAAAAAAAAAAAAAAAAA="],
        "recipe": "CDTIS-Recipe-1",
      ])
  }

  func body(_ outcome: Outcome?) -> JSONValue? {
    guard case .ok(.document(let document))? = outcome else { return nil }
    return document.body
  }

  struct Missing: Error {}
}
