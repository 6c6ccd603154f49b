import TouchstoneKit

/// A recipe of its own: nobody knows that it changed until it is saved to its collection.
struct Recipe {
  var objId: JSONString?
  var name: JSONString?
  var ingredients: [Ingredient] = []

  /// Properties, and the fields that they are stored in.
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

  /// What is saved: of the ingredients their ids.
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

  /// What was loaded; the ingredients come later.
  init(_ object: CollectionObject) {
    objId = object.id
    name = object.values["name"]?.textValue
  }

  /// The ingredients are there.
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
