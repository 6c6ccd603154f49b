public import JSON

/// An object of an application, as passed to a call or a callback.
///
/// It is a value: changes are local until it is saved.
///
/// Source: the guide, "Managed Objects".
public struct CollectionObject: Hashable, Sendable {
  /// The id at the backend; nil for an object that was never saved.
  public var id: JSONString?
  /// The identity within a call: objects with equal tags in one call are one object.
  public var tag: JSONString?
  /// The values of plain properties, mapped or not.
  public var values: JSONObject
  /// The objects of the relations, in order; a to-one relation is a list of one.
  public var related: [JSONString: [RelatedObject]]
  /// Fields without a mapped property; they are saved unchanged.
  public var unknownFields: JSONObject
  /// Whether the backend has removed it.
  public var isDeleted: Bool

  /// Creates an object.
  public init(
    id: JSONString? = nil, tag: JSONString? = nil, _ values: JSONObject = JSONObject(),
    related: [JSONString: [RelatedObject]] = [:], unknownFields: JSONObject = JSONObject(),
    isDeleted: Bool = false
  ) {
    self.id = id
    self.tag = tag
    self.values = values
    self.related = related
    self.unknownFields = unknownFields
    self.isDeleted = isDeleted
  }
}

/// One end of a relation.
public indirect enum RelatedObject: Hashable, Sendable {
  /// An object that is not loaded.
  case id(JSONString)
  /// An object that is loaded, or new.
  case object(CollectionObject)
  /// An object elsewhere in the same call.
  case tag(JSONString)
}

extension CollectionObject {
  /// The properties that differ between two states of an object, in byte order: the notifications
  /// of an observer when the second state replaces the first.
  ///
  /// Source: the guide, "Notifications".
  public func changedProperties(to other: CollectionObject, of description: CollectionDescription)
    -> [JSONString]
  {
    var names: Set<JSONString> = []
    if id != other.id { names.insert(description.idProperty) }
    for name in (values.members + other.values.members).map({ $0.name })
    where values[name] != other.values[name] {
      names.insert(name)
    }
    for name in related.keys where related[name] != other.related[name] { names.insert(name) }
    for name in other.related.keys where related[name] == nil { names.insert(name) }
    return names.inByteOrder
  }
}

extension Sequence where Element == JSONString {
  /// The elements without duplicates, in the order of their first occurrence.
  var distinct: [JSONString] {
    var seen: Set<JSONString> = []
    return filter { seen.insert($0).inserted }
  }
}
