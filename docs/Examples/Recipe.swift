import TouchstoneKit

/// A recipe that stores its own values. A change is local until the recipe is saved.
struct Recipe: CollectionPersistable {
  var objId: JSONString?
  var name: JSONString?
  var ingredients: [Ingredient] = []

  /// The properties and the fields in which they are stored.
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

  /// The object to save. The ingredients are stored as their ids.
  var collectionObject: CollectionObject {
    var object = CollectionObject(id: objId)
    object.values["name"] = name.map { .string($0) }
    object.set("ingredients", to: ingredients)
    return object
  }

  init(_ name: JSONString, _ ingredients: [Ingredient]) {
    self.name = name
    self.ingredients = ingredients
  }

  /// A loaded recipe, with its ingredients.
  init(_ object: CollectionObject) {
    objId = object.id
    name = object.values["name"]?.textValue
    ingredients = object.objects("ingredients")
  }
}

struct Ingredient: CollectionPersistable {
  var objId: JSONString?
  var name: JSONString?

  static func collectionDescription() throws(CollectionError) -> CollectionDescription {
    try CollectionDescription("Ingredient", properties: [MappedProperty("name")])
  }

  var collectionObject: CollectionObject {
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
