public import Datastore
public import JSON

/// A query of a collection: filter, order and page.
///
/// Fields are those of the backend, not properties of objects. Two queries are equal if all their
/// parts are: a query is the key of cached results.
///
/// Source: the guide, "Fetching".
public struct CollectionQuery: Hashable, Sendable {
  /// The condition on the objects.
  public var filter: CollectionFilter
  /// The sort keys, the most significant first.
  public var sort: [SortKey]
  /// The maximum number of objects.
  public var limit: Int64?
  /// The number of objects to skip.
  public var skip: Int64?

  /// Creates a query; by default it matches all objects.
  public init(
    _ filter: CollectionFilter = CollectionFilter(), sort: [SortKey] = [], limit: Int64? = nil,
    skip: Int64? = nil
  ) {
    self.filter = filter
    self.sort = sort
    self.limit = limit
    self.skip = skip
  }

  /// The query for objects with these ids; each is found once, unsorted.
  public static func ids(_ ids: [JSONString]) -> CollectionQuery {
    let values = ids.map { JSONValue.string($0) }
    return CollectionQuery(
      CollectionFilter([.field(EntityField.id, .meets([.isIn(values)]))]))
  }
}

/// Terms that must all hold; without terms, every object matches.
public struct CollectionFilter: Hashable, Sendable {
  /// The terms in the order in which they were added; several may concern one field.
  public var terms: [Term]

  /// Creates a filter; without terms it matches every object.
  public init(_ terms: [Term] = []) { self.terms = terms }

  /// A term of a filter.
  public indirect enum Term: Hashable, Sendable {
    /// A condition on the value of a field.
    case field(JSONString, FieldTest)
    /// At least one of these, `$or`.
    case any([CollectionFilter])
    /// Each of these, `$and`.
    case all([CollectionFilter])
  }
}

/// A condition on the value of a field.
public enum FieldTest: Hashable, Sendable {
  /// `{"f": value}`: the value, or an element of it, equals this one; for null, the value may also
  /// be missing.
  case equals(JSONValue)
  /// `{"f": {"$type": 10}}`: the value exists and is null.
  case isNull
  /// `{"f": {"$gt": 18, "$lt": 65}}`: all of these hold.
  case meets([FieldOperator])
  /// `{"f": {"$not": {…}}}`: at least one of these does not hold, or the value is missing.
  case fails([FieldOperator])
}

/// One operator on a field.
public enum FieldOperator: Hashable, Sendable {
  /// `$lt`, `$lte`, `$gt`, `$gte`: values of another kind are not comparable and do not match.
  case compares(Comparison, JSONValue)
  /// `$ne`: the value is not this one.
  case differs(JSONValue)
  /// `$in`: the value is one of these.
  case isIn([JSONValue])
  /// `$nin`: the value is not one of these.
  case notIn([JSONValue])
  /// `$regex`: the value is a string with a match.
  case matches(RegularExpression)
  /// `$exists`: the object has the field, or lacks it.
  case exists(Bool)
  /// `$nearSphere`, the nearest first; with a distance in metres, at most that far.
  case near(GeographicPoint, maxDistance: Double?)
  /// `$within`
  case within(GeographicShape)
}

/// The reserved fields of a backend.
public enum EntityField {
  /// The id of an object.
  public static let id: JSONString = "_id"
  /// A text that identifies the state of an object, in responses with versions.
  public static let version: JSONString = "_version"
  /// The place of an object: the only field for conditions on places.
  public static let location: JSONString = "_geoloc"
}
