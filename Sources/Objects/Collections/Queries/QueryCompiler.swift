public import Datastore
internal import JSON

// Compilation of queries to selectors of the documents that contain entities.
//
// Where the two languages differ, the query language applies: null also matches a missing value,
// and values of different kinds are not comparable.

extension CollectionFilter {
  /// The selector of documents whose value at a path is an object that the filter matches.
  public func selector(below place: FieldPath) throws(QueryError) -> FindSelector {
    var parts: [FindSelector] = []
    for term in terms {
      switch term {
      case .field(let field, let test):
        guard let path = FieldPath(field) else {
          throw QueryError(.badField, field, message: "not a valid name of a field")
        }
        parts.append(try test.selector(place.appending(path)))
      case .any(let filters): parts.append(.any(try Self.selectors(filters, place)))
      case .all(let filters): parts.append(.all(try Self.selectors(filters, place)))
      }
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private static func selectors(
    _ filters: [CollectionFilter], _ place: FieldPath
  ) throws(QueryError) -> [FindSelector] {
    var selectors: [FindSelector] = []
    for filter in filters { selectors.append(try filter.selector(below: place)) }
    return selectors
  }
}

extension FieldTest {
  fileprivate func selector(_ path: FieldPath) throws(QueryError) -> FindSelector {
    switch self {
    case .equals(let value): .equal(value, path)
    case .isNull: .field(path, [.type(.null)])
    case .meets(let operators): try Self.all(operators, path)
    case .fails(let operators): .not(try Self.all(operators, path))
    }
  }

  private static func all(
    _ operators: [FieldOperator], _ path: FieldPath
  ) throws(QueryError) -> FindSelector {
    var parts: [FindSelector] = []
    for each in operators { parts.append(try each.selector(path)) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }
}

extension FieldOperator {
  fileprivate func selector(_ path: FieldPath) throws(QueryError) -> FindSelector {
    switch self {
    case .compares(let comparison, let value): return .compare(comparison, value, path: path)
    case .differs(let value): return .not(.equal(value, path))
    case .isIn(let values): return .oneOf(values, path)
    case .notIn(let values): return .not(.oneOf(values, path))
    case .matches(let expression): return .field(path, [.matches(expression)])
    case .exists(let exists): return .field(path, [.exists(exists)])
    case .near(let place, let distance): return .field(path, [.near(place, within: distance)])
    case .within(let shape): return .field(path, [.within(shape)])
    }
  }
}

extension FindSelector {
  fileprivate static func equal(_ value: JSONValue, _ path: FieldPath) -> FindSelector {
    let equal = FindSelector.field(path, [.equals(.value(value))])
    return value == .null ? .any([equal, .field(path, [.exists(false)])]) : equal
  }

  fileprivate static func oneOf(_ values: [JSONValue], _ path: FieldPath) -> FindSelector {
    let isIn = FindSelector.field(path, [.isIn(values.map { .value($0) })])
    return values.contains(.null) ? .any([isIn, .field(path, [.exists(false)])]) : isIn
  }

  /// The condition that the value, or an element of it, has the same kind and satisfies the
  /// comparison.
  fileprivate static func compare(
    _ comparison: Comparison, _ value: JSONValue, path: FieldPath
  ) -> FindSelector {
    guard let type = value.comparableType else { return .any([]) }
    let conditions: [Condition] = [.type(type), .compares(comparison, .value(value))]
    return .any([.field(path, conditions), .field(path, [.element(.conditions(conditions))])])
  }
}
