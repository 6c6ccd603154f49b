internal import Datastore
public import JSON

// The JSON form of queries for the backend.

extension CollectionFilter {
  /// The filter in JSON: one object, or `$and` of several if a name is needed twice.
  ///
  /// Source: KinveyKit 1.41, `KCSQuery`, except for duplicate names.
  public var json: JSONValue {
    var objects: [JSONObject] = [JSONObject()]
    for term in terms {
      let (name, value) = term.member
      if objects[objects.count - 1][name] != nil { objects.append(JSONObject()) }
      objects[objects.count - 1][name] = value
    }
    return objects.count == 1
      ? .object(objects[0]) : ["$and": .array(objects.map { .object($0) })]
  }
}

extension CollectionFilter.Term {
  fileprivate var member: (name: JSONString, value: JSONValue) {
    switch self {
    case .field(let field, let test): (field, test.json)
    case .any(let filters): ("$or", .array(filters.map { $0.json }))
    case .all(let filters): ("$and", .array(filters.map { $0.json }))
    }
  }
}

extension FieldTest {
  /// The backend's number of the type null.
  static let nullType: Int64 = 10

  fileprivate var json: JSONValue {
    switch self {
    case .equals(let value): value
    case .isNull: ["$type": .integer(Self.nullType)]
    case .meets(let operators): .object(JSONObject(operators.flatMap { $0.members }))
    case .fails(let operators):
      ["$not": .object(JSONObject(operators.flatMap { $0.members }))]
    }
  }
}

extension FieldOperator {
  /// The operators, distributed over as few objects with distinct names as possible.
  static func apart(_ operators: [FieldOperator]) -> [[FieldOperator]] {
    var objects: [[FieldOperator]] = [[]]
    for next in operators {
      let name = next.members.first?.0
      if objects[objects.count - 1].contains(where: { $0.members.first?.0 == name }) {
        objects.append([])
      }
      objects[objects.count - 1].append(next)
    }
    return objects
  }

  fileprivate var members: [(JSONString, JSONValue)] {
    switch self {
    case .compares(let comparison, let value): return [(JSONString(comparison.rawValue), value)]
    case .differs(let value): return [("$ne", value)]
    case .isIn(let values): return [("$in", .array(values))]
    case .notIn(let values): return [("$nin", .array(values))]
    case .matches(let expression): return [("$regex", .string(expression.pattern))]
    case .exists(let exists): return [("$exists", .bool(exists))]
    case .near(let point, let distance):
      let place: [(JSONString, JSONValue)] = [("$nearSphere", point.json)]
      return place + (distance.map { [("$maxDistance", .double($0))] } ?? [])
    case .within(let shape): return [("$within", shape.json)]
    }
  }
}

extension CollectionQuery {
  /// The parameters of a request: `query`, `sort`, `limit` and `skip`, as far as set.
  public var parameters: JSONObject {
    var parameters = JSONObject()
    if !filter.terms.isEmpty { parameters["query"] = filter.json }
    if !sort.isEmpty {
      parameters["sort"] = .object(JSONObject(sort.map { ($0.path, $0.descending ? -1 : 1) }))
    }
    parameters["limit"] = limit.map { .integer($0) }
    parameters["skip"] = skip.map { .integer($0) }
    return parameters
  }

  /// The parameters as one text, such as `sort={"name":1}&limit=40&skip=40`, without escapes.
  public var parameterText: JSONString {
    JSONString(
      parameters.members.map { "\($0.name)=\($0.value.serialized())" }.joined(separator: "&"))
  }
}
