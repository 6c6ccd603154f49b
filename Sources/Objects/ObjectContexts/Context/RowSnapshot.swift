public import JSON
public import ObjectMapping

/// The values of an object at one moment.
///
/// Values are in a normal form: nil values are absent, and to-many relationships are in byte order
/// without duplicates, absent if empty. So equal objects have equal snapshots.
public struct RowSnapshot: Hashable, Sendable {
  /// The name of the entity.
  public var entity: JSONString
  /// The values by property.
  public private(set) var values: [JSONString: PropertyValue]
  /// The number of saves of the row; 0 for an object without a row.
  public var version: Int64
  /// The URI of the object; nil until it is assigned.
  public var identifier: JSONString?

  /// Creates a snapshot, and brings its values into normal form.
  public init(
    of entity: JSONString, _ values: [JSONString: PropertyValue], version: Int64,
    identifier: JSONString? = nil
  ) {
    self.entity = entity
    self.values = values.compactMapValues { $0.inOneForm }
    self.version = version
    self.identifier = identifier
  }

  /// Creates the snapshot of a stored object.
  public init(_ object: ManagedObject) {
    self.init(
      of: object.entity, object.properties, version: object.version,
      identifier: object.identifier)
  }

  /// The value of a property, `.none` for nil.
  public subscript(name: JSONString) -> PropertyValue {
    get { values[name] ?? .none }
    set { values[name] = newValue.inOneForm }
  }

  /// The values compared by optimistic locking: stored attributes and to-one relationships.
  ///
  /// Source: Core Data, snapshots of managed objects; to-many relationships are not part of them.
  public func lockingValues(_ model: ManagedObjectModel) -> [JSONString: PropertyValue] {
    guard let entity = model[entity] else { return values }
    return values.filter { name, _ in
      entity.attribute(name).map { !$0.isTransient }
        ?? entity.relationship(name).map { !$0.isToMany && !$0.isTransient } ?? false
    }
  }

  /// The names of properties that differ from those of another snapshot, in byte order.
  public func differences(from other: RowSnapshot) -> [JSONString] {
    Set(values.keys).union(other.values.keys).filter { self[$0] != other[$0] }.inByteOrder
  }
}

extension RowSnapshot: CustomStringConvertible {
  /// The snapshot as JSON, its values in byte order of their names.
  public var description: String {
    let values = values.keys.inByteOrder.map { ($0, self[$0].json) }
    var json: JSONObject = ["entity": .string(entity), "version": .integer(version)]
    if let identifier { json["identifier"] = .string(identifier) }
    json["values"] = .object(JSONObject(values))
    return json.description
  }
}

extension PropertyValue {
  /// The normal form of a value; nil for nil and for an empty relationship.
  var inOneForm: PropertyValue? {
    switch self {
    case .none: nil
    case .attribute, .toOne: self
    case .toMany(let ids): ids.isEmpty ? nil : .toMany(Set(ids).inByteOrder)
    }
  }

  /// The objects of a relationship.
  var targets: [ObjectID] {
    switch self {
    case .none, .attribute: []
    case .toOne(let id): [id]
    case .toMany(let ids): ids
    }
  }
}
