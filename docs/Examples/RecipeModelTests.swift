import Foundation
import ModelFiles
import Testing
import TouchstoneKit

/// Reads the model of a recipe book from the files of an Xcode project, and migrates its objects.
struct RecipeModelTests {
  static let path = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Recipes.xcdatamodeld").path

  @Test func theSecondVersionReadsObjectsOfTheFirst() throws {
    let path = Self.path
    let first = try ModelFile(contentsOf: path, version: "Recipes")
    let second = try ModelFile(contentsOf: path)
    let host = ObjectHost(ReferenceDatastore(), RunEnvironment(seed: 1))
    _ = try host.datastore.perform(StoreOperation("book", .open()), host.environment)
    let old = try IncrementalStore(
      "book", first.model, host: host, options: IncrementalStoreOptions())
    let pancakes = ManagedObject(
      "CDTIS-Recipe-1", of: "Recipe", ["title": .attribute(.text("Pancakes"))])
    _ = try old.save(SaveRequest(inserted: [pancakes]))

    let model = try second.model(migratingFrom: first)
    let store = try IncrementalStore(
      "book", model, host: host, options: IncrementalStoreOptions(migratesAutomatically: true))
    let migrated = try store.object("CDTIS-Recipe-1")
    #expect(migrated.properties["name"] == .attribute(.text("Pancakes")))
    #expect(migrated.properties["servings"] == .attribute(.integer(2)))
    #expect(
      second.warnings.map { "\($0.element) \($0.reason)" } == [
        "Recipe.id storedAsText", "Recipe.ingredients ordered",
      ])
  }
}
