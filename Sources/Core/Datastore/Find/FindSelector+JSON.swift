public import JSON

extension FindSelector {
  /// The selector in JSON; parsing the result yields a selector of the same meaning.
  public var json: JSONValue {
    switch self {
    case .all(let parts): parts.isEmpty ? [:] : ["$and": .array(parts.map { $0.json })]
    case .any(let parts): ["$or": .array(parts.map { $0.json })]
    case .none(let parts): ["$nor": .array(parts.map { $0.json })]
    case .not(let part): ["$not": part.json]
    case .field(let path, let conditions):
      .object(JSONObject([(path.text, Condition.json(conditions))]))
    case .text(let search):
      [
        "$text": [
          "$search": .string(search.search),
          "$fields": .array(search.fields.map { .string($0.text) }),
        ]
      ]
    }
  }
}

extension Condition {
  /// The conditions for one value in JSON.
  ///
  /// An object has each operator once; parsing never creates a selector that violates this.
  static func json(_ conditions: [Condition]) -> JSONValue {
    .object(JSONObject(conditions.flatMap { $0.members }))
  }

  private var members: [(JSONString, JSONValue)] {
    guard case .near(let point, let distance) = self else { return [member] }
    let near: (JSONString, JSONValue) = ("$nearSphere", point.json)
    return distance.map { [near, ("$maxDistance", .double($0))] } ?? [near]
  }

  private var member: (JSONString, JSONValue) {
    switch self {
    case .equals(let operand): ("$eq", operand.json)
    case .differs(let operand): ("$ne", operand.json)
    case .isIn(let operands): ("$in", .array(operands.map { $0.json }))
    case .notIn(let operands): ("$nin", .array(operands.map { $0.json }))
    case .compares(let comparison, let operand): (JSONString(comparison.rawValue), operand.json)
    case .exists(let exists): ("$exists", .bool(exists))
    case .type(let type): ("$type", .text(type.rawValue))
    case .hasAll(let values): ("$all", .array(values))
    case .size(let size): ("$size", .integer(size))
    case .element(.conditions(let conditions)): ("$elemMatch", Self.json(conditions))
    case .element(.selector(let selector)): ("$elemMatch", selector.json)
    case .remainder(let divisor, let remainder):
      ("$mod", [.integer(divisor), .integer(remainder)])
    case .matches(let expression): ("$regex", .string(expression.pattern))
    case .near(let point, _): ("$nearSphere", point.json)
    case .within(let shape): ("$within", shape.json)
    case .not(let conditions): ("$not", Self.json(conditions))
    }
  }
}

extension Operand {
  fileprivate var json: JSONValue {
    switch self {
    case .value(let value): value
    case .decimal(let text): ["$decimal": .string(text)]
    }
  }
}
