public import JSON

/// A fetch of objects: entity, predicate, order and page.
public struct ObjectFetchRequest: Hashable, Sendable {
  /// The name of the entity.
  public var entity: JSONString
  /// The predicate; nil selects all objects of the entity.
  public var predicate: FetchPredicate?
  /// The sort keys, the most significant first; the id of the document is always the last key.
  public var sort: [FetchSortDescriptor]
  /// The number of objects to skip.
  public var offset: Int64
  /// The maximum number of objects; nil for all.
  public var limit: Int64?

  /// Creates a request; by default for all objects of the entity.
  public init(
    _ entity: JSONString, where predicate: FetchPredicate? = nil, sort: [FetchSortDescriptor] = [],
    offset: Int64 = 0, limit: Int64? = nil
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sort = sort
    self.offset = offset
    self.limit = limit
  }
}

/// One sort key: nil comes first, then NaN, then the values in their order.
public struct FetchSortDescriptor: Hashable, Sendable {
  /// The key path of the compared value.
  public var key: JSONString
  /// True if the smallest value comes first.
  public var ascending: Bool

  /// Creates a sort key, ascending by default.
  public init(_ key: JSONString, ascending: Bool = true) {
    self.key = key
    self.ascending = ascending
  }
}

/// A request for dictionaries instead of objects: properties, and aggregates over groups.
public struct GroupRequest: Hashable, Sendable {
  /// The aggregate functions; all of them ignore nil.
  public enum Function: String, CaseIterable, Sendable {
    /// The number of values.
    case count
    /// The sum of the values.
    case sum
    /// The smallest value.
    case min
    /// The largest value.
    case max
    /// The mean of the values.
    case average
  }

  /// One column of the dictionaries.
  public enum Column: Hashable, Sendable {
    /// An attribute; in a group, one of the grouping attributes.
    case attribute(JSONString)
    /// An aggregate function of an attribute, ignoring nil, with a name.
    case reckoned(Function, of: JSONString, as: JSONString)
  }

  /// The columns of the dictionaries.
  public var columns: [Column]
  /// The grouping attributes. If empty, the result has a dictionary for each object, or a single
  /// one if every column is an aggregate.
  public var groupBy: [JSONString]

  /// Creates a request; by default without groups.
  public init(_ columns: [Column], groupBy: [JSONString] = []) {
    self.columns = columns
    self.groupBy = groupBy
  }
}
