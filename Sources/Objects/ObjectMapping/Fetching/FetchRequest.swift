public import JSON

/// Which objects of a store are wanted, in which order, and how many of them.
public struct FetchRequest: Hashable, Sendable {
  public var entity: JSONString
  /// Nil is all objects of the entity.
  public var predicate: Predicate?
  /// The first key counts most; the id of the document comes last in any case.
  public var sort: [SortDescriptor]
  /// How many in front are left out.
  public var offset: Int64
  /// At most so many; nil is all.
  public var limit: Int64?

  public init(
    _ entity: JSONString, where predicate: Predicate? = nil, sort: [SortDescriptor] = [],
    offset: Int64 = 0, limit: Int64? = nil
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sort = sort
    self.offset = offset
    self.limit = limit
  }
}

/// One key of an order: nil comes first, then NaN, then the values in their order.
public struct SortDescriptor: Hashable, Sendable {
  public var key: JSONString
  public var ascending: Bool

  public init(_ key: JSONString, ascending: Bool = true) {
    self.key = key
    self.ascending = ascending
  }
}

/// Dictionaries instead of objects: properties, and what is reckoned over groups.
public struct GroupRequest: Hashable, Sendable {
  public enum Function: String, CaseIterable, Sendable {
    case count
    case sum
    case min
    case max
    case average
  }

  /// One member of the dictionaries.
  public enum Column: Hashable, Sendable {
    /// An attribute; of a group, one that it is grouped by.
    case attribute(JSONString)
    /// What a function makes of an attribute, nil not counting, under a name.
    case reckoned(Function, of: JSONString, as: JSONString)
  }

  public var columns: [Column]
  /// Objects that agree in these are one group; empty for a dictionary of each object, or of all
  /// objects when every column is reckoned.
  public var groupBy: [JSONString]

  public init(_ columns: [Column], groupBy: [JSONString] = []) {
    self.columns = columns
    self.groupBy = groupBy
  }
}
