internal import Datastore
internal import JSON
internal import ObjectMapping

/// Random queries for objects.
extension ObjectGenerator {
  /// A predicate for objects of an entity, whose constants are often values of existing objects.
  mutating func predicate(
    _ entity: EntityDescription, _ objects: [ManagedObject], depth: Int = 3
  ) -> FetchPredicate {
    switch depth > 0 ? below(7) : 6 {
    case 0:
      return .and([
        predicate(entity, objects, depth: depth - 1), predicate(entity, objects, depth: depth - 1),
      ])
    case 1:
      return .or([
        predicate(entity, objects, depth: depth - 1), predicate(entity, objects, depth: depth - 1),
      ])
    case 2: return .not(predicate(entity, objects, depth: depth - 1))
    default: return comparison(entity, objects)
    }
  }

  private mutating func comparison(
    _ entity: EntityDescription, _ objects: [ManagedObject]
  ) -> FetchPredicate {
    let ids = objects.map { $0.id }
    var path: [JSONString] = []
    var quantifier: PredicateComparison.Quantifier?
    var place = entity
    // Up to two relationships, and then a property.
    while path.count < 2, below(3) == 0,
      let relationship = pick(place.relationships.filter { !$0.isTransient }),
      let next = model[relationship.destination], next.attributes.contains(where: isAskable)
    {
      if relationship.isToMany, quantifier == nil {
        quantifier = pick(PredicateComparison.Quantifier.allCases)
      }
      path.append(relationship.name)
      place = next
    }
    if path.isEmpty, below(6) == 0,
      let relationship = pick(entity.relationships.filter { !$0.isTransient })
    {
      return .comparison(about(relationship, ids))
    }
    guard let attribute = pick(place.attributes.filter(isAskable)) else {
      let operand = PredicateComparison.Operand.list(
        ids.filter { _ in below(3) == 0 }.map { .object($0) })
      return .comparison(PredicateComparison(.object, .isIn, operand: operand))
    }
    let known = objects.compactMap { $0.properties[attribute.name] }
    let operators: [PredicateComparison.Operator] =
      switch attribute.type {
      case .bool: [.equal, .notEqual]
      case .utf8, .id:
        PredicateComparison.Operator.allCases.filter { $0 != .like && $0 != .matches }
      default: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn]
      }
    let `operator` = pick(operators) ?? .equal
    let operand: PredicateComparison.Operand
    switch `operator` {
    case .between: operand = .list([constant(attribute, known), constant(attribute, known)])
    case .isIn:
      operand = .list((0..<below(4)).map { _ in constant(attribute, known) })
    case .equal, .notEqual: operand = .value(below(5) == 0 ? .none : constant(attribute, known))
    default: operand = .value(constant(attribute, known))
    }
    return .comparison(
      PredicateComparison(
        .path(path + [attribute.name]), `operator`, operand: operand, quantifier: quantifier))
  }

  private mutating func about(
    _ relationship: RelationshipDescription, _ ids: [ObjectID]
  ) -> PredicateComparison {
    let some = pick(ids).map { PredicateValue.object($0) } ?? .none
    guard relationship.isToMany else {
      let isEqual = below(2) == 0
      return PredicateComparison(
        .path([relationship.name]), isEqual ? .equal : .notEqual,
        operand: .value(below(3) == 0 ? .none : some))
    }
    if below(2) == 0 {
      let operators: [PredicateComparison.Operator] = [.equal, .notEqual, .less, .greaterOrEqual]
      return PredicateComparison(
        .count(of: [relationship.name]), pick(operators) ?? .equal,
        operand: .value(.integer(Int64(below(4)))))
    }
    return PredicateComparison(
      .path([relationship.name]), below(2) == 0 ? .equal : .notEqual, operand: .value(some),
      quantifier: pick(PredicateComparison.Quantifier.allCases))
  }

  private func isAskable(_ attribute: AttributeDescription) -> Bool {
    // In the textual format, names are separated by points.
    attribute.type != .xform && attribute.type != .binary && !attribute.isTransient
      && !attribute.name.utf8.contains(UInt8(ascii: "."))
  }

  /// A value of some object, or any other.
  private mutating func constant(
    _ attribute: AttributeDescription, _ known: [PropertyValue]
  ) -> PredicateValue {
    var value = self.value(attribute.type)
    if below(3) > 0, case .attribute(let other)? = pick(known), other.fits(attribute.type) {
      value = other
    }
    switch value {
    case .text(let text), .identifier(let text): return .text(text)
    case .bool(let value): return .bool(value)
    case .date(let seconds): return .date(seconds)
    case .integer(let number): return .integer(number)
    case .double(let number): return .double(number)
    case .float(let number): return .double(number.asWritten)
    case .decimal(let number): return .decimal(number)
    case .bytes: return .none
    }
  }
}
