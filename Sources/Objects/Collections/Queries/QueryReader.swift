internal import Datastore
public import JSON

// Parsing of queries from clients; the input is untrusted.

extension CollectionQuery {
  /// Reads the parameters of a request.
  public init(parameters: JSONObject) throws(QueryError) {
    self.init()
    for member in parameters.members {
      switch member.name.string {
      case "query": filter = try QueryReader.filter(member.value, path: "query")
      case "sort":
        guard let keys = member.value.objectValue?.members else {
          throw QueryReader.fault("sort", "an object of fields")
        }
        for key in keys {
          guard key.value == 1 || key.value == -1 else {
            throw QueryReader.fault("sort", "1 or -1")
          }
          try QueryBuilder.check(key.name)
          sort.append(SortKey(key.name, descending: key.value == -1))
        }
      case "limit": limit = try QueryReader.count(member)
      case "skip": skip = try QueryReader.count(member)
      default: throw QueryError(.malformed, member.name, message: "unknown parameter of a query")
      }
    }
  }
}

enum QueryReader {
  /// The maximum nesting depth of `$and` and `$or`.
  private static let depthMax = 32

  static func filter(
    _ json: JSONValue, path: String, depth: Int = 1
  ) throws(QueryError) -> CollectionFilter {
    guard let object = json.objectValue else { throw fault(path, "an object") }
    guard depth <= depthMax else { throw fault(path, "at most \(depthMax) nested filters") }
    func filters(_ member: JSONObject.Member) throws(QueryError) -> [CollectionFilter] {
      guard let elements = member.value.arrayValue else {
        throw fault("\(path).\(member.name)", "a list of filters")
      }
      var filters: [CollectionFilter] = []
      for (index, element) in elements.enumerated() {
        filters.append(
          try filter(element, path: "\(path).\(member.name)[\(index)]", depth: depth + 1))
      }
      return filters
    }
    var terms: [CollectionFilter.Term] = []
    for member in object.members {
      switch member.name.string {
      case "$or": terms.append(.any(try filters(member)))
      case "$and": terms.append(.all(try filters(member)))
      default:
        try QueryBuilder.check(member.name)
        terms.append(.field(member.name, try test(member.value, of: member.name)))
      }
    }
    return CollectionFilter(terms)
  }

  /// The condition on a field: operators if the object contains one, otherwise a value.
  private static func test(
    _ json: JSONValue, of field: JSONString
  ) throws(QueryError) -> FieldTest {
    guard let object = json.objectValue,
      object.members.contains(where: { $0.name.utf8.first == UInt8(ascii: "$") })
    else {
      guard json.canBeStored else {
        throw QueryError(.badValue, field, message: "operators are not permitted in a value")
      }
      return .equals(json)
    }
    if object.count == 1, object["$type"] == .integer(FieldTest.nullType) { return .isNull }
    if object.count == 1, let negated = object["$not"] {
      guard let operators = negated.objectValue, !operators.isEmpty else {
        throw QueryError(.badValue, field, message: "$not requires operators")
      }
      return .fails(try self.operators(operators, of: field))
    }
    return .meets(try operators(object, of: field))
  }

  private static func operators(
    _ object: JSONObject, of field: JSONString
  ) throws(QueryError) -> [FieldOperator] {
    var operators: [FieldOperator] = []
    let distance = object["$maxDistance"].map { [(Conditional.maxDistance, $0)] } ?? []
    for member in object.members where member.name != "$maxDistance" {
      switch member.name.string {
      case "$exists":
        guard let exists = member.value.boolValue else {
          throw QueryError(.badValue, field, message: "$exists requires a boolean")
        }
        operators.append(.exists(exists))
      case "$within":
        guard let shape = member.value.objectValue?.members, shape.count == 1,
          let conditional = shapes.first(where: { $0.name == shape[0].name.string })
        else { throw QueryError(.badPlace, field, message: "$within requires one shape") }
        operators += try FieldOperator.list([(conditional, shape[0].value)], of: field)
      default:
        guard let conditional = named(member.name) else {
          throw QueryError(.unsupported, field, message: "unknown operator \(member.name)")
        }
        let pairs = [(conditional, member.value)] + (conditional == .near ? distance : [])
        operators += try FieldOperator.list(pairs, of: field)
      }
    }
    if !distance.isEmpty, object["$nearSphere"] == nil {
      throw QueryError(.badPlace, field, message: "$maxDistance requires $nearSphere")
    }
    return operators
  }

  private static let shapes: [Conditional] = [.withinBox, .withinCircle, .withinPolygon]

  private static func named(_ name: JSONString) -> Conditional? {
    Conditional.allCases.first { $0.name == name.string && !shapes.contains($0) }
  }

  static func count(_ member: JSONObject.Member) throws(QueryError) -> Int64 {
    guard let count = member.value.integerValue, count >= 0 else {
      throw fault(member.name.string, "an integer, 0 or more")
    }
    return count
  }

  static func fault(_ path: String, _ expected: String) -> QueryError {
    QueryError(.malformed, JSONString(path), message: "expected \(expected)")
  }
}
