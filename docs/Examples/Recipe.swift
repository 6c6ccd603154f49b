import TouchstoneKit

/// A recipe that stores its own values. A change is local until the recipe is saved.
struct Recipe {
  var objId: JSONString?
  var name: JSONString?
  var ingredients: [Ingredient] = []

  /// The properties and the fields in which they are stored.
  static func mapping() throws -> CollectionDescription {
    try CollectionDescription(
      "Recipe", idProperty: "objId",
      properties: [
        MappedProperty("name"),
        MappedProperty(
          "ingredientIds", field: "ingredients", to: "Ingredient", isToMany: true,
          relation: "ingredients", isComputed: true),
      ])
  }

  /// The object to save. The ingredients are stored as their ids.
  var saved: CollectionObject {
    var object = CollectionObject(id: objId)
    object.values["name"] = name.map { .string($0) }
    object.related["ingredients"] = ingredients.map { .object($0.saved) }
    return object
  }

  init(_ name: JSONString, _ ingredients: [Ingredient]) {
    self.name = name
    self.ingredients = ingredients
  }

  /// A loaded recipe. `fill(_:)` adds its ingredients when they have been loaded.
  init(_ object: CollectionObject) {
    objId = object.id
    name = object.values["name"]?.textValue
  }

  /// Adds the loaded ingredients.
  mutating func fill(_ relation: FilledRelation) {
    ingredients = relation.objects.map { Ingredient($0) }
  }
}

struct Ingredient {
  var objId: JSONString?
  var name: JSONString?

  static func mapping() throws -> CollectionDescription {
    try CollectionDescription("Ingredient", properties: [MappedProperty("name")])
  }

  var saved: CollectionObject {
    var object = CollectionObject(id: objId)
    object.values["name"] = name.map { .string($0) }
    return object
  }

  init(_ name: JSONString) { self.name = name }

  init(_ object: CollectionObject) {
    objId = object.id
    name = object.values["name"]?.textValue
  }
}
