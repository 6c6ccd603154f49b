import Datastore
import JSON
import ModelFiles
import ObjectMapping
import ReferenceDatastore
import Testing

/// Objects of one version of a model file, opened with the next version.
@Suite struct ModelMigrationTests {
  private static func store(
    _ host: ObjectHost, _ model: ManagedObjectModel
  ) throws(StoreError) -> IncrementalStore {
    try IncrementalStore(
      "recipes", model, host: host, options: IncrementalStoreOptions(migratesAutomatically: true))
  }

  private static func host() throws -> ObjectHost {
    let host = ObjectHost(ReferenceDatastore(), RunEnvironment(seed: 1))
    _ = try host.datastore.perform(StoreOperation("recipes", .open()), host.environment)
    return host
  }

  @Test func objectsOfTheFirstVersionAreReadWithTheSecond() throws {
    let host = try Self.host()
    let first = try ModelFile(contentsOf: Fixtures.recipes, version: "Recipes")
    let second = try ModelFile(contentsOf: Fixtures.recipes)
    let flour = ManagedObject(
      "flour", of: "Ingredient",
      ["name": .attribute(.text("flour")), "recipe": .toOne("pancakes")])
    let pancakes = ManagedObject(
      "pancakes", of: "Recipe",
      [
        "title": .attribute(.text("Pancakes")), "rating": .attribute(.double(4.5)),
        "ingredients": .toMany(["flour"]),
      ])
    _ = try Self.store(host, first.model).save(SaveRequest(inserted: [flour, pancakes]))

    let store = try Self.store(host, try second.model(migratingFrom: first))
    #expect(
      try store.object("pancakes").properties == [
        "name": .attribute(.text("Pancakes")), "rating": .attribute(.double(4.5)),
        "servings": .attribute(.integer(2)), "ingredients": .toMany(["flour"]),
      ])
    let component = try store.object("flour")
    #expect(component.entity == "Component")
    #expect(component.properties["recipe"] == .toOne("pancakes"))
    #expect(try store.objects(of: "Component").map(\.id) == ["flour"])
  }

  /// A name changed twice: both versions have the identifier of the first one.
  @Test func aSecondRenamingIsFoundByTheIdentifier() throws {
    func file(_ name: String, _ more: String) throws -> ModelFile {
      try Fixtures.read(
        """
        <entity name="E"><attribute name="\(name)" attributeType="String" \(more)/></entity>
        """)
    }
    let versions = [
      try file("a", ""), try file("b", "elementID=\"a\""), try file("c", "elementID=\"a\""),
    ]
    #expect(versions[2].model["E"]?.attribute("c")?.renamedFrom == "a")
    let last = try versions[2].model(migratingFrom: versions[1])
    #expect(last["E"]?.attribute("c")?.renamedFrom == "b")

    let host = try Self.host()
    let object = ManagedObject("o", of: "E", ["a": .attribute(.text("x"))])
    _ = try Self.store(host, versions[0].model).save(SaveRequest(inserted: [object]))
    _ = try Self.store(host, try versions[1].model(migratingFrom: versions[0]))
    let store = try Self.store(host, last)
    #expect(try store.object("o").properties == ["c": .attribute(.text("x"))])
  }

  @Test func inheritedAndRenamedPropertiesKeepTheirIdentifiers() throws {
    let first = try Fixtures.read(
      """
      <entity name="P"><attribute name="a" attributeType="String"/></entity>
      <entity name="C" parentEntity="P"/>
      """)
    let second = try Fixtures.read(
      """
      <entity name="P"><attribute name="b" attributeType="String" elementID="a"/></entity>
      <entity name="D" parentEntity="P" elementID="C"/>
      """)
    let model = try second.model(migratingFrom: first)
    #expect(model["D"]?.renamedFrom == "C")
    #expect(model["D"]?.attribute("b")?.renamedFrom == "a")
    #expect(model["P"]?.renamedFrom == nil)
    // The JSON form has the previous names.
    let json = try ModelFile(Array(model.json.serialized().utf8), path: "model.json")
    #expect(try json.model(migratingFrom: first) == model)
  }

  @Test func aChangedTypeCannotMigrate() throws {
    let host = try Self.host()
    func model(_ type: String) throws -> ManagedObjectModel {
      try Fixtures.read(
        "<entity name=\"E\"><attribute name=\"a\" attributeType=\"\(type)\"/></entity>"
      ).model
    }
    _ = try Self.store(host, try model("String"))
    let error = #expect(throws: StoreError.self) {
      try Self.store(host, try model("Double"))
    }
    #expect(error?.reason == .cannotMigrate(entity: "E", property: "a"))
  }
}
