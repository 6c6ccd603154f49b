internal import Datastore
public import JSON

/// Builds a query step by step.
///
///     var builder = QueryBuilder()
///     try builder.add("units", exactly: "cup")
///     try builder.add("quantity", .greater, 1)
///     builder.query  // {"units": "cup", "quantity": {"$gt": 1}}
///
/// Source: the guide, "Querying" and "Fetching".
public struct QueryBuilder: Hashable, Sendable {
  /// The query so far.
  public package(set) var query = CollectionQuery()
  /// The undesirable behavior of the product to reproduce.
  public let quirks: QueryQuirks

  /// Creates a builder whose query matches all objects.
  public init(quirks: QueryQuirks = QueryQuirks()) { self.quirks = quirks }

  /// Adds a condition for one value of a field.
  ///
  /// Null as the first condition requires an existing null; as a later one it also matches a
  /// missing value.
  public mutating func add(_ field: JSONString, exactly value: JSONValue) throws(QueryError) {
    try Self.check(field)
    guard value.canBeStored else {
      throw QueryError(
        .badValue, field, message: "a value must not have a member that begins with '$'")
    }
    let isFirst = query.filter.terms.isEmpty
    add(field, isFirst && value == .null ? .isNull : .equals(value))
  }

  /// Adds a condition of one conditional for the value of a field.
  public mutating func add(
    _ field: JSONString, _ conditional: Conditional, value: JSONValue
  ) throws(QueryError) {
    try add(field, [(conditional, value)])
  }

  /// Adds several conditions for the values of a field.
  public mutating func add(
    _ field: JSONString, _ conditions: [(Conditional, JSONValue)]
  ) throws(QueryError) {
    try Self.check(field)
    if quirks.forgetsArrayConditions,
      conditions.contains(where: { $0.0 == .all || $0.0 == .size })
    {
      query.filter.terms = []
      return
    }
    for operators in FieldOperator.apart(try FieldOperator.list(conditions, of: field)) {
      add(field, .meets(operators))
    }
  }

  /// Adds a condition for objects without a value in a field.
  public mutating func add(withoutValue field: JSONString) throws(QueryError) {
    try Self.check(field)
    add(field, .meets([.exists(false)]))
  }

  /// Adds a condition for objects without a value in a field, or with null.
  public mutating func add(withoutValueOrNull field: JSONString) throws(QueryError) {
    try Self.check(field)
    add(field, .equals(.null))
  }

  /// Negates the conditions on the only field of the query.
  public mutating func negate() throws(QueryError) {
    guard query.filter.terms.count == 1, case .field(let field, let test) = query.filter.terms[0]
    else {
      throw QueryError(.cannotNegate, "", message: "only conditions on one field can be negated")
    }
    switch test {
    case .meets(let operators):
      query.filter.terms = [.field(field, .fails(operators))]
    case .fails(let operators): query.filter.terms = [.field(field, .meets(operators))]
    case .equals, .isNull:
      throw QueryError(.cannotNegate, field, message: "an exact match cannot be negated")
    }
  }

  /// Adds a condition for objects that at least one of the queries matches; their order and limits
  /// are ignored.
  public mutating func add(any queries: [CollectionQuery]) {
    query.filter.terms.append(.any(queries.map { $0.filter }))
  }

  /// Adds a condition for objects that each of the queries matches; their order and limits are
  /// ignored.
  public mutating func add(all queries: [CollectionQuery]) {
    query.filter.terms.append(.all(queries.map { $0.filter }))
  }

  /// Adds the least significant sort key.
  public mutating func sort(by field: JSONString, descending: Bool = false) throws(QueryError) {
    try Self.check(field)
    query.sort.append(SortKey(field, descending: descending))
  }

  /// Sets the maximum number of objects; throws if it is not valid.
  public mutating func limit(to count: Int64) throws(QueryError) {
    guard count >= 0 else { throw QueryError(.badValue, "limit", message: "\(count) is negative") }
    query.limit = count
  }

  /// Sets the number of objects to skip; throws if it is not valid.
  public mutating func skip(_ count: Int64) throws(QueryError) {
    guard count >= 0 else { throw QueryError(.badValue, "skip", message: "\(count) is negative") }
    query.skip = count
  }

  /// A copy of this query.
  public func copied() -> CollectionQuery {
    var copy = query
    if quirks.copiesLimitAsSkip { copy.skip = copy.limit }
    return copy
  }

  private mutating func add(_ field: JSONString, _ test: FieldTest) {
    if quirks.replacesConditions {
      let earlier = query.filter.terms.firstIndex { term in
        if case .field(field, _) = term { true } else { false }
      }
      if let earlier {
        query.filter.terms[earlier] = .field(field, test)
        return
      }
    }
    query.filter.terms.append(.field(field, test))
  }

  static func check(_ field: JSONString) throws(QueryError) {
    guard !field.isEmpty, FieldPath(field) != nil, field.utf8.first != UInt8(ascii: "$") else {
      throw QueryError(.badField, field, message: "not a valid name of a field")
    }
  }
}

extension JSONValue {
  /// Whether no member of the value, or of an element of it, looks like an operator.
  var canBeStored: Bool {
    switch self {
    case .array(let elements): elements.allSatisfy { $0.canBeStored }
    case .object(let object):
      object.members.allSatisfy { member in
        member.name.utf8.first != UInt8(ascii: "$") && member.value.canBeStored
      }
    default: true
    }
  }
}
