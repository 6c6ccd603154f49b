import Foundation
import JSON
import ObjectMapping
import Testing

@testable import touchstone

/// `touchstone model`, and `touchstone objects` with a model of the user.
@Suite struct ModelCommandTests {
  private static var recipes: String {
    var top = URL(filePath: #filePath)
    for _ in 0..<4 { top.deleteLastPathComponent() }
    return top.appending(path: "docs/Examples/Recipes.xcdatamodeld").path
  }

  @Test func aModelIsPrintedAsJSON() throws {
    let world = TestWorld()
    #expect(world.run("model", Self.recipes) == .success)
    let model = try ManagedObjectModel(JSONValue.parse(world.output))
    #expect(model.entities.map(\.name) == ["Component", "Recipe"])
    #expect(
      world.error == """
        \(Self.recipes): version 'Recipes 2' of 2, 2 entities, 7 attributes, 2 relationships
        2 differences from Core Data
          a UUID is stored as utf8, because the document format has no type for it: convert it to its 36
          characters
            Recipe.id (line 9)
          the order of the objects is not kept: documents list them without order
            Recipe.ingredients (line 14)
        1 portability warning
          other clients read a decimal as a text, which does not compare as a number
            Component.grams

        """)
  }

  @Test func theJSONIsAModelFile() throws {
    let world = TestWorld()
    world.run("model", "\(Self.recipes)/Recipes.xcdatamodel")
    let json = world.output
    let folder = try TemporaryFolder([("model.json", json)])
    #expect(world.run("model", "\(folder.path)/model.json") == .success)
    #expect(world.output == json)
    #expect(world.error.contains("version 'model.json', 2 entities, 6 attributes"))
    #expect(world.error.contains("\n0 differences from Core Data\n"))
  }

  @Test func equalDifferencesAreListedOnce() throws {
    let folder = try TemporaryFolder([
      (
        "contents",
        """
        <model><entity name="E"><attribute name="a" attributeType="UUID"/>
        <attribute name="b" attributeType="UUID"/></entity></model>
        """
      )
    ])
    let world = TestWorld()
    #expect(world.run("model", "\(folder.path)/contents") == .success)
    #expect(world.error.contains("\n    E.a (line 1), E.b (line 2)\n"))
  }

  @Test(arguments: [["model"], ["objects", "--seeds", "1", "--model"]])
  func whatIsNotAModelIsWrongUsage(_ words: [String]) throws {
    let folder = try TemporaryFolder([("a.mom", "bplist00"), ("b", "<model>\n<entity/></model>")])
    let world = TestWorld()
    #expect(world.run(all: words + ["\(folder.path)/a.mom"]) == .usage)
    #expect(world.error.contains("a.mom: the model is compiled"))
    #expect(world.run(all: words + ["\(folder.path)/b"]) == .usage)
    #expect(world.error.contains("/b:2: the entity has no name; expected the attribute 'name'"))
  }

  // MARK: Objects

  @Test(arguments: ["reference", "sqlite"])
  func objectsOfAModelAreStored(_ implementation: String) {
    let world = TestWorld()
    #expect(
      world.run(
        "objects", "--model", Self.recipes, "--seeds", "1..3", "--objects", "6",
        "--implementation", implementation) == .success)
    #expect(world.output.contains("3 journeys, 18 objects"))
  }

  /// The model is part of the command that repeats a journey, and of its operations.
  @Test func aLossIsFoundInTheModel() throws {
    let world = TestWorld()
    #expect(
      world.run(
        "objects", "--model", Self.recipes, "--seeds", "1..3", "--implementation",
        "mutant:dates-since-2001") == .failure)
    #expect(world.error.contains("--model \(Self.recipes)"), "\(world.error)")
    #expect(world.output.contains("servings"), "\(world.output)")
  }

  @Test func aModelWithoutEntitiesIsRefused() throws {
    let folder = try TemporaryFolder([("model.json", #"{"entities": {}}"#)])
    let world = TestWorld()
    #expect(world.run("objects", "--model", "\(folder.path)/model.json") == .usage)
    #expect(world.error.contains("the model has no entities"))
  }
}
