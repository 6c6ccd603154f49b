internal import JSON
internal import ObjectMapping

/// Says of objects in memory whether a predicate is true of them, as a store says it of documents.
///
/// Source: `Vectors/README.md`, "Predicates".
struct PredicateEvaluator {
  let model: ManagedObjectModel
  /// An object as it is in memory, or else as it is stored; nil when there is none.
  let object: (ObjectID) -> RowSnapshot?

  init(_ model: ManagedObjectModel, _ object: @escaping (ObjectID) -> RowSnapshot?) {
    self.model = model
    self.object = object
  }

  func holds(
    _ predicate: Predicate?, _ id: ObjectID, _ row: RowSnapshot
  ) throws(PredicateError) -> Bool {
    switch predicate {
    case nil: return true
    case .truth(let isTrue)?: return isTrue
    case .and(let parts)?:
      for part in parts where try !holds(part, id, row) { return false }
      return true
    case .or(let parts)?:
      for part in parts where try holds(part, id, row) { return true }
      return false
    case .not(let part)?: return try !holds(part, id, row)
    case .comparison(let comparison)?: return try holds(comparison, id, row)
    }
  }

  private func holds(
    _ comparison: PredicateComparison, _ id: ObjectID, _ row: RowSnapshot
  ) throws(PredicateError) -> Bool {
    guard !comparison.ignoresMarks else {
      throw PredicateError(.unsupported, "[d]", "letters are compared with the marks they have")
    }
    switch comparison.subject {
    case .object: return try ValueComparison(comparison).holds(for: .toOne(id))
    case .count(let path):
      guard case .value(.integer(let number)) = comparison.operand else {
        throw PredicateError(.wrongType, "@count", "a count is compared with an integer")
      }
      let count = Int64(try ends(path[...], id, row).count)
      return comparison.operator.holds(count < number, count == number)
    case .path(let path): return try holds(comparison, path, id, row)
    }
  }

  private func holds(
    _ comparison: PredicateComparison, _ path: [Text], _ id: ObjectID, _ row: RowSnapshot
  ) throws(PredicateError) -> Bool {
    let test = ValueComparison(comparison)
    let ends = try ends(path[...], id, row)
    switch comparison.quantifier {
    case .any?:
      for end in ends where try test.holds(for: end) { return true }
      return false
    case .all?:
      for end in ends where try !test.holds(for: end) { return false }
      return true
    case PredicateComparison.Quantifier.none?:
      for end in ends where try test.holds(for: end) { return false }
      return true
    case nil:
      guard try leadsToMany(path[...], row.entity) else {
        guard let end = ends.first else { return false }
        return try test.holds(for: end)
      }
      guard comparison.operator == .contains, path.count == 1 else {
        throw PredicateError(
          .needsQuantifier, path.first, "it leads to many: say ANY, ALL or NONE")
      }
      var equal = comparison
      equal.operator = .equal
      let isEqual = ValueComparison(equal)
      for end in ends where try isEqual.holds(for: end) { return true }
      return false
    }
  }

  // MARK: Key paths

  /// What lies at the ends of a way: one nil behind nothing, and nothing behind none of many.
  private func ends(
    _ path: ArraySlice<Text>, _ id: ObjectID, _ row: RowSnapshot
  ) throws(PredicateError) -> [PropertyValue] {
    guard let name = path.first, Array(path) != ["self"] else { return [.toOne(id)] }
    guard let entity = model[row.entity] else { return [] }
    let rest = path.dropFirst()
    if entity.attribute(name) != nil, rest.isEmpty { return [row[name]] }
    guard entity.relationship(name) != nil else {
      throw PredicateError(.unknownKey, name, "\(entity.name) has no such property")
    }
    let isDirect = rest.isEmpty || Array(rest) == ["self"]
    let targets = row[name].targets
    if targets.isEmpty {
      return try leadsToMany(path, row.entity) ? [] : [.none]
    }
    guard !isDirect else { return targets.map { .toOne($0) } }
    var found: [PropertyValue] = []
    for target in targets {
      // Where a reference dangles there is nothing, and not nil.
      if let next = object(target) { found += try ends(rest, target, next) }
    }
    return found
  }

  private func leadsToMany(
    _ path: ArraySlice<Text>, _ entity: Text
  ) throws(PredicateError) -> Bool {
    guard let name = path.first, let relationship = model[entity]?.relationship(name) else {
      return false
    }
    if relationship.isToMany { return true }
    return try leadsToMany(path.dropFirst(), relationship.destination)
  }
}

extension PredicateComparison.Operator {
  /// Whether the operator holds between two values of which the one is less, or equal.
  func holds(_ isLess: Bool, _ isEqual: Bool) -> Bool {
    switch self {
    case .equal: isEqual
    case .notEqual: !isEqual
    case .less: isLess
    case .lessOrEqual: isLess || isEqual
    case .greater: !isLess && !isEqual
    case .greaterOrEqual: !isLess
    default: false
    }
  }
}
