import TouchstoneKit

/// A recipe in a context. The context stores its values, tracks its changes and saves them.
final class ManagedRecipe {
  let id: ObjectID
  private let context: ManagedObjectContext

  init(_ id: ObjectID, in context: ManagedObjectContext) {
    self.id = id
    self.context = context
  }

  func name() throws -> JSONString? {
    guard case .attribute(.text(let name))? = try context.object(id).properties["name"] else {
      return nil
    }
    return name
  }

  func rename(_ name: JSONString) throws {
    try context.set(["name": .attribute(.text(name))], of: id)
  }

  func ingredients() throws -> [ObjectID] {
    guard case .toMany(let ids)? = try context.object(id).properties["ingredients"] else {
      return []
    }
    return ids
  }
}
