internal import Datastore
internal import JSON

// Groups: the entities with equal values of some fields, and one aggregate per group.

extension CollectionBackend {
  /// The groups in the order of their first entities.
  func groups(
    _ body: JSONValue?, in collection: JSONString, _ environment: RunEnvironment
  ) throws(Interruption) -> JSONValue {
    let request = try groupRequest(body)
    let found = try find(request.condition, in: collection, environment)
    var groups: [(key: JSONObject, values: [JSONValue], count: Int64)] = []
    for document in found {
      let entity = try Self.entity(of: document.body)
      let key = JSONObject(request.fields.map { ($0, entity[$0] ?? .null) })
      let value = request.field.flatMap { entity[$0] }
      let place = groups.firstIndex {
        JSONValue.object($0.key).isSameValue(as: .object(key))
      }
      if let place {
        groups[place].count += 1
        if let value { groups[place].values.append(value) }
      } else {
        groups.append((key, value.map { [$0] } ?? [], 1))
      }
    }
    return .array(
      groups.map { group in
        var object = group.key
        object["result"] = request.function.value(of: group.values, count: group.count)
        return .object(object)
      })
  }

  private func groupRequest(_ body: JSONValue?) throws(Interruption) -> CollectionGrouping {
    guard let body = body?.objectValue, let keys = body["key"]?.arrayValue,
      let name = body["function"]?.textValue,
      let function = CollectionGrouping.Function(rawValue: name.string)
    else { throw .refused(Self.badGroup("requires 'key' and 'function'")) }
    let fields = keys.compactMap { $0.textValue }
    let field = body["field"]?.textValue
    guard fields.count == keys.count, function == .count || field != nil else {
      throw .refused(Self.badGroup("\(function.rawValue) requires the name of a field"))
    }
    var parameters = JSONObject()
    parameters["query"] = body["condition"]
    do throws(QueryError) {
      return CollectionGrouping(
        by: fields, function, of: field, where: try CollectionQuery(parameters: parameters))
    } catch {
      throw .refused(.badQuery(error))
    }
  }

  private static func badGroup(_ message: String) -> BackendError {
    BackendError(400, "BadRequest", message: "a group \(message)")
  }
}

extension CollectionGrouping.Function {
  /// The aggregate of a group; only `count` includes values that are not numbers. The minimum and
  /// maximum of no numbers are null.
  fileprivate func value(of values: [JSONValue], count: Int64) -> JSONValue {
    let numbers = values.filter { $0.number != nil }
    switch self {
    case .count: return .integer(count)
    case .sum: return Self.sum(numbers)
    case .minimum: return numbers.min { ($0.number ?? 0) < ($1.number ?? 0) } ?? .null
    case .maximum: return numbers.max { ($0.number ?? 0) < ($1.number ?? 0) } ?? .null
    case .average:
      guard !numbers.isEmpty else { return .null }
      return .double(numbers.reduce(0) { $0 + ($1.number ?? 0) } / Double(numbers.count))
    }
  }

  /// The exact sum of integers if it fits in 64 bits, otherwise the nearest double.
  private static func sum(_ numbers: [JSONValue]) -> JSONValue {
    var sum: Int64 = 0
    for number in numbers {
      guard let integer = number.integerValue else { return approximateSum(numbers) }
      let (next, overflows) = sum.addingReportingOverflow(integer)
      if overflows { return approximateSum(numbers) }
      sum = next
    }
    return .integer(sum)
  }

  private static func approximateSum(_ numbers: [JSONValue]) -> JSONValue {
    .double(numbers.reduce(0) { $0 + ($1.number ?? 0) })
  }
}
