internal import Datastore
internal import JSON

// Conversion of conditionals with values to typed operators.

extension FieldOperator {
  /// The operators for conditionals with values.
  static func list(
    _ conditions: [(Conditional, JSONValue)], of field: JSONString
  ) throws(QueryError) -> [FieldOperator] {
    var operators: [FieldOperator] = []
    let distance = conditions.first { $0.0 == .maxDistance }?.1
    if distance != nil, !conditions.contains(where: { $0.0 == .near }) {
      throw QueryError(.badPlace, field, message: "$maxDistance requires $nearSphere")
    }
    for (conditional, value) in conditions where conditional != .maxDistance {
      if conditional.isOfPlaces, field != EntityField.location {
        throw QueryError(
          .badPlace, field, message: "\(conditional.name) applies to \(EntityField.location) only")
      }
      if conditional == .near {
        operators.append(try near(value, distance, field: field))
      } else {
        operators.append(try single(conditional, value, field: field))
      }
    }
    return operators
  }

  private static func single(
    _ conditional: Conditional, _ value: JSONValue, field: JSONString
  ) throws(QueryError) -> FieldOperator {
    switch conditional {
    case .less: return try comparison(.less, value, field: field)
    case .lessOrEqual: return try comparison(.lessOrEqual, value, field: field)
    case .greater: return try comparison(.greater, value, field: field)
    case .greaterOrEqual: return try comparison(.greaterOrEqual, value, field: field)
    case .notEqual: return .differs(try stored(value, conditional, field: field))
    case .isIn: return .isIn(try values(value, conditional, field: field))
    case .notIn: return .notIn(try values(value, conditional, field: field))
    case .matches: return .matches(try expression(value, field))
    case .withinBox, .withinCircle, .withinPolygon:
      guard let shape = GeographicShape(conditional, value) else {
        throw QueryError(
          .badPlace, field, message: "\(conditional.name) does not accept \(value.serialized())")
      }
      return .within(shape)
    case .all, .size, .near, .maxDistance:
      throw QueryError(.unsupported, field, message: "\(conditional.name) is not supported")
    }
  }

  private static func comparison(
    _ comparison: Comparison, _ value: JSONValue, field: JSONString
  ) throws(QueryError) -> FieldOperator {
    guard value.comparableType != nil else {
      throw QueryError(
        .badValue, field,
        message:
          "\(comparison.rawValue) requires a boolean, a number or a string, not \(value.kind)")
    }
    return .compares(comparison, value)
  }

  private static func stored(
    _ value: JSONValue, _ conditional: Conditional, field: JSONString
  ) throws(QueryError) -> JSONValue {
    guard value.canBeStored else {
      throw QueryError(
        .badValue, field,
        message: "\(conditional.name): a value must not have a member that begins with '$'"
      )
    }
    return value
  }

  /// The elements of a list without duplicates; a list with one list in it counts as that list.
  private static func values(
    _ value: JSONValue, _ conditional: Conditional, field: JSONString
  ) throws(QueryError) -> [JSONValue] {
    guard var elements = try stored(value, conditional, field: field).arrayValue else {
      throw QueryError(
        .badValue, field, message: "\(conditional.name) requires a list, not \(value.kind)")
    }
    if elements.count == 1, let inner = elements[0].arrayValue { elements = inner }
    var distinct: [JSONValue] = []
    for element in elements where !distinct.contains(where: { $0.isSameValue(as: element) }) {
      distinct.append(element)
    }
    return distinct
  }

  private static func expression(
    _ value: JSONValue, _ field: JSONString
  ) throws(QueryError) -> RegularExpression {
    guard let pattern = value.textValue, pattern.utf8.first == UInt8(ascii: "^") else {
      throw QueryError(.badExpression, field, message: "a regular expression must begin with '^'")
    }
    do throws(DatastoreError) {
      return try RegularExpression(pattern, path: field.string)
    } catch {
      throw QueryError(.badExpression, field, message: error.message)
    }
  }

  private static func near(
    _ place: JSONValue, _ distance: JSONValue?, field: JSONString
  ) throws(QueryError) -> FieldOperator {
    guard let point = GeographicPoint(place) else {
      throw QueryError(
        .badPlace, field, message: "\(place.serialized()) is not a longitude and a latitude")
    }
    guard let distance else { return .near(point, maxDistance: nil) }
    guard let metres = distance.number, metres >= 0 else {
      throw QueryError(
        .badPlace, field, message: "\(distance.serialized()) is not a valid distance")
    }
    return .near(point, maxDistance: metres)
  }
}

extension GeographicShape {
  fileprivate init?(_ conditional: Conditional, _ value: JSONValue) {
    guard let parts = value.arrayValue else { return nil }
    switch conditional {
    case .withinBox:
      guard parts.count == 2, let first = GeographicPoint(parts[0]),
        let second = GeographicPoint(parts[1]), first.longitude <= second.longitude,
        first.latitude <= second.latitude
      else { return nil }
      self = .box(first, second)
    case .withinCircle:
      guard parts.count == 2, let center = GeographicPoint(parts[0]), let radius = parts[1].number,
        radius >= 0
      else { return nil }
      self = .circle(center, radius: radius)
    case .withinPolygon:
      let corners = parts.compactMap { GeographicPoint($0) }
      guard corners.count == parts.count, corners.count >= 3 else { return nil }
      self = .polygon(corners)
    default: return nil
    }
  }
}

extension JSONValue {
  /// The comparable type of a value; nil if its type has no order.
  var comparableType: ValueType? {
    switch self {
    case .bool: .boolean
    case .integer, .unsigned: .number
    case .double(let value): value.isFinite ? .number : nil
    case .string: .string
    default: nil
    }
  }
}
