public import JSON
public import ObjectMapping

/// A reference to an object of a context, for reading and changing it.
public struct LiveObject {
  /// The id of the object.
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

  /// Changes properties; `.none` removes a value.
  public func set(_ values: [JSONString: PropertyValue]) throws(ContextError) {
    try context.set(values, of: id)
  }

  /// Deletes the object in its context.
  public func delete() throws(ContextError) { try context.delete(id) }
}
