public import JSON

/// A type of an application whose objects are stored in a collection.
///
/// A value keeps its id: without it, the next save stores a second object.
///
/// Source: the guide, "NSManagedObjects": `KCSPersistable`.
public protocol CollectionPersistable {
  /// The collection, and the properties with the fields in which they are stored.
  ///
  /// Source: `hostToKinveyPropertyMapping`.
  static func collectionDescription() throws(CollectionError) -> CollectionDescription

  /// A loaded or saved object. Its relations contain the loaded objects.
  init(_ object: CollectionObject)

  /// The object to save.
  var collectionObject: CollectionObject { get }
}

extension CollectionObject {
  /// The loaded objects of a relation, in order.
  public func objects<Object: CollectionPersistable>(
    _ relation: JSONString, as type: Object.Type = Object.self
  ) -> [Object] {
    related[relation, default: []].compactMap { end in
      if case .object(let object) = end { Object(object) } else { nil }
    }
  }

  /// Sets the objects of a relation.
  public mutating func set<Object: CollectionPersistable>(
    _ relation: JSONString, to objects: [Object]
  ) {
    related[relation] = objects.map { .object($0.collectionObject) }
  }
}
