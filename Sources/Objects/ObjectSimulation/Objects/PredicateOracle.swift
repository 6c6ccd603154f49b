internal import Datastore
internal import JSON
internal import ObjectMapping

/// Evaluates a predicate on objects in memory, without documents and selectors.
struct PredicateOracle {
  private let model: ManagedObjectModel
  private var objects: [ObjectID: ManagedObject] = [:]

  init(_ model: ManagedObjectModel, _ objects: [ManagedObject]) {
    self.model = model
    for object in objects { self.objects[object.id] = object }
  }

  func holds(_ predicate: FetchPredicate, _ object: ManagedObject) -> Bool {
    switch predicate {
    case .truth(let isTrue): isTrue
    case .and(let parts): parts.allSatisfy { holds($0, object) }
    case .or(let parts): parts.contains { holds($0, object) }
    case .not(let part): !holds(part, object)
    case .comparison(let comparison): holds(comparison, object)
    }
  }

  private func holds(_ comparison: PredicateComparison, _ object: ManagedObject) -> Bool {
    switch comparison.subject {
    case .object: return compare(.toOne(object.id), comparison)
    case .count(let path):
      guard case .value(.integer(let number)) = comparison.operand else { return false }
      let count = Int64(ends(path[...], object).count)
      return Self.compare(count, comparison.operator, right: number)
    case .path(let path):
      switch comparison.quantifier {
      case nil: return compare(end(path, object), comparison)
      case .any?: return ends(path[...], object).contains { compare($0, comparison) }
      case PredicateComparison.Quantifier.none?:
        return !ends(path[...], object).contains { compare($0, comparison) }
      case .all?: return ends(path[...], object).allSatisfy { compare($0, comparison) }
      }
    }
  }

  // MARK: Key paths

  /// The value at the end of a path through to-one relationships; nil behind nil.
  private func end(_ path: [JSONString], _ object: ManagedObject) -> PropertyValue {
    var current = object
    for name in path.dropLast() {
      guard case .toOne(let id)? = current.properties[name], let next = objects[id] else {
        return .none
      }
      current = next
    }
    return current.properties[path.last ?? ""] ?? .none
  }

  /// The values at all ends of a path.
  private func ends(_ path: ArraySlice<JSONString>, _ object: ManagedObject) -> [PropertyValue] {
    guard let name = path.first else { return [.toOne(object.id)] }
    let value = object.properties[name] ?? .none
    switch value {
    case .toMany(let ids):
      guard path.count > 1 else { return ids.map { .toOne($0) } }
      return ids.flatMap { id in objects[id].map { ends(path.dropFirst(), $0) } ?? [] }
    case .toOne(let id):
      guard path.count > 1 else { return [value] }
      return objects[id].map { ends(path.dropFirst(), $0) } ?? []
    case .attribute: return [value]
    // The value behind an empty relationship is nil, but an empty to-many relationship has no
    // values.
    case .none: return leadsToMany(path, from: object.entity) ? [] : [value]
    }
  }

  private func leadsToMany(_ path: ArraySlice<JSONString>, from entity: JSONString) -> Bool {
    guard let name = path.first, let relationship = model[entity]?.relationship(name) else {
      return false
    }
    return relationship.isToMany || leadsToMany(path.dropFirst(), from: relationship.destination)
  }

  // MARK: Values

  private func compare(_ value: PropertyValue, _ comparison: PredicateComparison) -> Bool {
    switch (comparison.operator, comparison.operand) {
    case (.isIn, .list(let list)): return list.contains { compare(value, .equal, constant: $0) }
    case (.between, .list(let ends)):
      return ends.count == 2 && compare(value, .greaterOrEqual, constant: ends[0])
        && compare(value, .lessOrEqual, constant: ends[1])
    case (_, .value(let constant)): return compare(value, comparison.operator, constant: constant)
    default: return false
    }
  }

  private func compare(
    _ value: PropertyValue, _ operator: PredicateComparison.Operator, constant: PredicateValue
  ) -> Bool {
    guard constant != .none else {
      return `operator` == .equal ? value == .none : `operator` == .notEqual && value != .none
    }
    switch (value, constant) {
    case (.none, .double(let number)) where number.isNaN: return false
    case (.none, .decimal(let number)) where number.isNaN: return false
    case (.none, _): return `operator` == .notEqual
    case (.toOne(let id), .object(let other)): return Self.compare(id == other, `operator`)
    case (.attribute(let value), _): return compare(value, `operator`, constant: constant)
    default: return false
    }
  }

  private static func compare(_ isEqual: Bool, _ operator: PredicateComparison.Operator) -> Bool {
    `operator` == .equal ? isEqual : `operator` == .notEqual && !isEqual
  }

  private static func compare<Value: Comparable>(
    _ left: Value, _ operator: PredicateComparison.Operator, right: Value
  ) -> Bool {
    switch `operator` {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    default: false
    }
  }

  private func compare(
    _ value: AttributeValue, _ operator: PredicateComparison.Operator, constant: PredicateValue
  ) -> Bool {
    switch (value, constant) {
    case (.bool(let left), .bool(let right)): return Self.compare(left == right, `operator`)
    case (.integer(let left), .integer(let right)):
      return Self.compare(left, `operator`, right: right)
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
      // No value compares equal or unequal to NaN.
      return !left.isNaN && !right.isNaN && Self.compare(left, `operator`, right: right)
    case (.float(let left), .double(let right)):
      return !left.isNaN && !right.isNaN && Self.compare(left.asWritten, `operator`, right: right)
    case (.decimal(let left), .decimal(let right)):
      guard !left.isNaN, !right.isNaN else { return false }
      let order = left.isLess(than: right) ? -1 : right.isLess(than: left) ? 1 : 0
      return Self.compare(order, `operator`, right: 0)
    case (.text(let left), .text(let right)), (.identifier(let left), .text(let right)):
      return compare(Array(left.utf8), `operator`, other: Array(right.utf8))
    default: return false
    }
  }

  private func compare(
    _ text: [UInt8], _ operator: PredicateComparison.Operator, other: [UInt8]
  ) -> Bool {
    switch `operator` {
    case .beginsWith: return text.starts(with: other)
    case .endsWith: return text.reversed().starts(with: other.reversed())
    case .contains:
      return other.isEmpty
        || text.indices.contains { text[$0...].starts(with: other) }
    default:
      let isLess = text.lexicographicallyPrecedes(other)
      let order = isLess ? -1 : text == other ? 0 : 1
      return Self.compare(order, `operator`, right: 0)
    }
  }
}

extension Float {
  /// The number in documents: the shortest digits as a double, except for the largest float, whose
  /// digits exceed it.
  var asWritten: Double {
    guard isFinite, let shortest = Double("\(self)") else { return Double(self) }
    return shortest.magnitude > Double(Float.greatestFiniteMagnitude) ? Double(self) : shortest
  }
}
