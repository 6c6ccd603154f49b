public import Datastore
public import JSON

/// Which objects of a collection are meant, in which order, and how many of them.
///
/// Fields are those of the backend, never the properties of an object. Two queries are equal when all
/// of this is: it is the key under which results are cached.
///
/// Source: the guide, "Fetching".
public struct CollectionQuery: Hashable, Sendable {
  public var filter: CollectionFilter
  /// The first key counts most.
  public var sort: [SortKey]
  /// How many objects there are at most.
  public var limit: Int64?
  /// How many of the objects in front are left out.
  public var skip: Int64?

  /// The query for everything, unless it is told more.
  public init(
    _ filter: CollectionFilter = CollectionFilter(), sort: [SortKey] = [], limit: Int64? = nil,
    skip: Int64? = nil
  ) {
    self.filter = filter
    self.sort = sort
    self.limit = limit
    self.skip = skip
  }

  /// The query for objects of these ids; each is found once, in no order.
  public static func ids(_ ids: [JSONString]) -> CollectionQuery {
    let values = ids.map { JSONValue.string($0) }
    return CollectionQuery(
      CollectionFilter([.field(EntityField.id, .meets([.isIn(values)]))]))
  }
}

/// Terms that all have to hold; without any, everything is meant.
public struct CollectionFilter: Hashable, Sendable {
  /// In the order in which they were added; several may be about one field.
  public var terms: [Term]

  public init(_ terms: [Term] = []) { self.terms = terms }

  public indirect enum Term: Hashable, Sendable {
    /// What is asked of the value of a field.
    case field(JSONString, FieldTest)
    /// At least one of these, `$or`.
    case any([CollectionFilter])
    /// Each of these, `$and`.
    case all([CollectionFilter])
  }
}

/// What is asked of the value of a field.
public enum FieldTest: Hashable, Sendable {
  /// `{"f": value}`: the value, or an element of it, is this one; for null, there may be none as well.
  case equals(JSONValue)
  /// `{"f": {"$type": 10}}`: the value is there and null.
  case isNull
  /// `{"f": {"$gt": 18, "$lt": 65}}`: all of these.
  case meets([FieldOperator])
  /// `{"f": {"$not": {…}}}`: not all of these, or there is no value.
  case fails([FieldOperator])
}

/// One operator on a field.
public enum FieldOperator: Hashable, Sendable {
  /// `$lt`, `$lte`, `$gt`, `$gte`: values of another kind stand in no order to this one.
  case compares(Comparison, JSONValue)
  case differs(JSONValue)
  case isIn([JSONValue])
  case notIn([JSONValue])
  case matches(RegularExpression)
  case exists(Bool)
  /// `$nearSphere`, the nearest first; with a distance in metres, no farther than that.
  case near(GeographicPoint, maxDistance: Double?)
  /// `$within`
  case within(GeographicShape)
}

/// The fields that mean something to a backend.
public enum EntityField {
  /// The id of an object.
  public static let id: JSONString = "_id"
  /// A text for each state of an object, where versions are asked for.
  public static let version: JSONString = "_version"
  /// Where an object is: the only field that is asked for places.
  public static let location: JSONString = "_geoloc"
}
