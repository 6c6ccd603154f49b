public import JSON
public import ObjectMapping

/// An object of a context, to be read and changed where it is.
public struct LiveObject {
  public let id: ObjectID
  package let context: ManagedObjectContext

  init(_ id: ObjectID, in context: ManagedObjectContext) {
    self.id = id
    self.context = context
  }

  /// The value of a property, `.none` for nil.
  public func value(_ name: JSONString) throws(ContextError) -> PropertyValue {
    try context.object(id).properties[name] ?? .none
  }

  /// Changes properties, `.none` taking a value away.
  public func set(_ values: [JSONString: PropertyValue]) throws(ContextError) {
    try context.set(values, of: id)
  }

  public func delete() throws(ContextError) { try context.delete(id) }
}
