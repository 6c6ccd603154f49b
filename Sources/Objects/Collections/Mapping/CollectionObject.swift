public import JSON

/// An object of an application as it goes into a call, or comes out of a callback.
///
/// It is a value: changing it sends nothing, and nothing changes it.
///
/// Source: the guide, "Managed Objects".
public struct CollectionObject: Hashable, Sendable {
  /// The id at the backend; nil for an object that was never saved.
  public var id: JSONString?
  /// Whose objects of one tag in one call are one object.
  public var tag: JSONString?
  /// What the plain properties hold, mapped or not.
  public var values: JSONObject
  /// What the relations lead to, in order; to one object it is a list of one.
  public var related: [JSONString: [RelatedObject]]
  /// Fields that no property is mapped to; they are saved as they came.
  public var unknownFields: JSONObject
  /// Whether the backend has removed it.
  public var isDeleted: Bool

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
  /// An object that is not here.
  case id(JSONString)
  case object(CollectionObject)
  /// An object that stands elsewhere in the same call.
  case tag(JSONString)
}

extension CollectionObject {
  /// The properties by which two states of an object differ, in byte order: what an observer of the
  /// first is told of when the second takes its place.
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
  /// Each once, at its first place.
  var distinct: [JSONString] {
    var seen: Set<JSONString> = []
    return filter { seen.insert($0).inserted }
  }
}
