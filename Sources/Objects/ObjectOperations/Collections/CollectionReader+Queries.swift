internal import Collections
internal import Datastore
internal import JSON

// Parsing of queries as lists of building steps.

extension CollectionReader {
  static func query(
    _ steps: [JSONValue], _ quirks: QueryQuirks, path: String = "query"
  ) throws(DatastoreError) -> CollectionQuery {
    var builder = QueryBuilder(quirks: quirks)
    for (index, step) in steps.enumerated() {
      let path = "\(path)[\(index)]"
      guard let object = step.objectValue, let first = object.members.first else {
        throw misspelt(path)
      }
      do throws(QueryError) {
        if try build(&builder, first, step: object, path: path) { continue }
      } catch {
        throw DatastoreError(
          .badObject(what: error.reason.name, name: error.field), error.description)
      }
      switch (first.name, first.value, object.count) {
      case ("any", .array(let queries), 1):
        builder.add(any: try self.queries(queries, quirks, path: "\(path).any"))
      case ("all", .array(let queries), 1):
        builder.add(all: try self.queries(queries, quirks, path: "\(path).all"))
      default: throw misspelt(path)
      }
    }
    return builder.query
  }

  private static func queries(
    _ json: [JSONValue], _ quirks: QueryQuirks, path: String
  ) throws(DatastoreError) -> [CollectionQuery] {
    var queries: [CollectionQuery] = []
    for (index, steps) in json.enumerated() {
      let path = "\(path)[\(index)]"
      guard let steps = steps.arrayValue else { throw misspelt(path) }
      queries.append(try query(steps, quirks, path: path))
    }
    return queries
  }

  /// Applies a step that concerns only this query; returns false for any other step.
  private static func build(
    _ builder: inout QueryBuilder, _ first: JSONObject.Member, step: JSONObject, path: String
  ) throws(QueryError) -> Bool {
    switch (first.name, first.value, step.count) {
    case ("field", .string(let field), 2):
      if let value = step["is"] {
        try builder.add(field, exactly: value)
      } else if let conditions = step["meets"].flatMap({ conditions($0) }) {
        try builder.add(field, conditions)
      } else {
        return false
      }
    case ("without", .string(let field), 1): try builder.add(withoutValue: field)
    case ("withoutOrNull", .string(let field), 1): try builder.add(withoutValueOrNull: field)
    case ("negate", true, 1): try builder.negate()
    case ("sort", .string(let field), 1): try builder.sort(by: field)
    case ("sort", .string(let field), 2) where step["descending"]?.boolValue != nil:
      try builder.sort(by: field, descending: step["descending"] == true)
    case ("limit", .integer(let count), 1): try builder.limit(to: count)
    case ("skip", .integer(let count), 1): try builder.skip(count)
    case ("copy", true, 1): builder.query = builder.copied()
    default: return false
    }
    return true
  }

  /// Pairs of the name of a conditional and a value.
  private static func conditions(_ json: JSONValue) -> [(Conditional, JSONValue)]? {
    guard let pairs = json.arrayValue else { return nil }
    var conditions: [(Conditional, JSONValue)] = []
    for pair in pairs {
      guard let pair = pair.arrayValue, pair.count == 2, let name = pair[0].textValue,
        let conditional = Conditional.allCases.first(where: { $0.name == name.string })
      else { return nil }
      conditions.append((conditional, pair[1]))
    }
    return conditions
  }
}

extension QueryError.Reason {
  /// The name in the contract.
  var name: String {
    switch self {
    case .badField: "badField"
    case .badValue: "badValue"
    case .badExpression: "badExpression"
    case .badPlace: "badPlace"
    case .cannotNegate: "cannotNegate"
    case .unsupported: "unsupportedConditional"
    case .relatedField: "relatedField"
    case .malformed: "malformedQuery"
    }
  }
}
