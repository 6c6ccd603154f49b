internal import Datastore
internal import JSON

/// Comparisons of a relationship itself.
struct RelationshipCondition {
  private let relationship: RelationshipDescription
  private let field: FieldPath

  init(_ relationship: RelationshipDescription) {
    self.relationship = relationship
    field = FieldPath(names: [relationship.name])
  }

  /// The relationship is empty: absent, null, or `""` in the released form.
  var isNil: FindSelector {
    .any([
      .field(field, [.exists(false)]),
      .field(field, [.isIn([.value(.null), .value("")])]),
    ])
  }

  private func leads(to ids: [ObjectID?]) -> FindSelector {
    let known = ids.compactMap { $0 }
    let selector = FindSelector.field(field, [.isIn(known.map { .value($0.json) })])
    return known.count == ids.count ? selector : .any([selector, isNil])
  }

  func selector(_ comparison: PredicateComparison) throws(StoreError) -> FindSelector {
    let ids = try comparison.objects(relationship.name)
    if relationship.isToMany {
      return try many(comparison, ids)
    }
    guard comparison.quantifier == nil else {
      throw StoreError(
        FetchPredicateError(
          .unsupported, comparison.quantifier.map { JSONString($0.rawValue) },
          message: "'\(relationship.name)' is a to-one relationship"))
    }
    switch comparison.operator {
    case .equal, .isIn: return leads(to: ids)
    case .notEqual: return .not(leads(to: ids))
    default: throw refused(comparison)
    }
  }

  private func many(
    _ comparison: PredicateComparison, _ ids: [ObjectID?]
  ) throws(StoreError) -> FindSelector {
    guard !ids.contains(nil), comparison.operator != .contains || comparison.quantifier == nil
    else { throw refused(comparison) }
    let isIn: Bool
    switch comparison.operator {
    case .equal, .isIn, .contains: isIn = true
    case .notEqual: isIn = false
    default: throw refused(comparison)
    }
    let known = ids.compactMap { $0 }.map { Operand.value($0.json) }
    let some = FindSelector.field(field, [.element(.conditions([.isIn(known)]))])
    let other = FindSelector.field(
      field, [.element(.conditions([.notIn(known), .differs(.value(""))]))])
    switch (comparison.quantifier, isIn) {
    case (.any?, true): return some
    case (.any?, false): return other
    case (PredicateComparison.Quantifier.none?, true): return .not(some)
    case (PredicateComparison.Quantifier.none?, false): return .not(other)
    case (.all?, true): return .not(other)
    case (.all?, false): return .not(some)
    case (nil, _):
      guard comparison.operator == .contains else {
        throw StoreError(
          FetchPredicateError(
            .needsQuantifier, relationship.name,
            message: "a to-many relationship requires ANY, ALL or NONE"))
      }
      return some
    }
  }

  private func refused(_ comparison: PredicateComparison) -> StoreError {
    StoreError(
      FetchPredicateError(
        .unsupported, JSONString(comparison.operator.rawValue),
        message: "the operator is not supported for the objects of '\(relationship.name)'"))
  }

  // MARK: Counts

  /// The relationship is stored as a list.
  var isList: FindSelector { .field(field, [.type(.array)]) }

  /// Compares the number of objects in lists that were read; a missing list counts as 0.
  func count(
    _ comparison: PredicateComparison, _ lists: [FoundDocument]
  ) throws(StoreError) -> FindSelector {
    let holds = try counts(comparison)
    let counted = lists.map { document in
      let ids = document.body.objectValue?[relationship.name]?.arrayValue ?? []
      return (document.id, Int64(Set(ids.compactMap { $0.textValue }).subtracting([""]).count))
    }
    let isHeldByNone = holds(0)
    let others = counted.filter { holds($0.1) != isHeldByNone }.map { $0.0 }
    let selector = FindSelector.field(
      FieldPath(names: ["_id"]), [.isIn(others.map { .value($0.json) })])
    return isHeldByNone ? .not(selector) : selector
  }

  /// The numbers to compare with.
  private func counts(
    _ comparison: PredicateComparison
  ) throws(StoreError) -> (Int64) -> Bool {
    func number(_ value: PredicateValue) throws(StoreError) -> Int64 {
      guard case .integer(let number) = value else {
        throw StoreError(
          FetchPredicateError(
            .wrongType, "@count", message: "@count must be compared with an integer"))
      }
      return number
    }
    switch (comparison.operator, comparison.operand) {
    case (.isIn, .list(let values)):
      var numbers: Set<Int64> = []
      for value in values { numbers.insert(try number(value)) }
      return { numbers.contains($0) }
    case (.between, .list(let ends)) where ends.count == 2:
      let (least, most) = (try number(ends[0]), try number(ends[1]))
      return { least <= $0 && $0 <= most }
    case (.equal, .value(let value)): return try number(value).asked { $0 == $1 }
    case (.notEqual, .value(let value)): return try number(value).asked { $0 != $1 }
    case (.less, .value(let value)): return try number(value).asked { $0 < $1 }
    case (.lessOrEqual, .value(let value)): return try number(value).asked { $0 <= $1 }
    case (.greater, .value(let value)): return try number(value).asked { $0 > $1 }
    case (.greaterOrEqual, .value(let value)): return try number(value).asked { $0 >= $1 }
    default:
      throw StoreError(
        FetchPredicateError(
          .unsupported, JSONString(comparison.operator.rawValue),
          message: "@count requires a numeric comparison")
      )
    }
  }
}

extension Int64 {
  fileprivate func asked(_ question: @escaping (Int64, Int64) -> Bool) -> (Int64) -> Bool {
    { question($0, self) }
  }
}
