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

  /// Leads to no object: there is nothing, null, or `""` of the released versions.
  var isNil: Selector {
    .any([
      .field(field, [.exists(false)]),
      .field(field, [.isIn([.value(.null), .value("")])]),
    ])
  }

  private func leads(to ids: [ObjectID?]) -> Selector {
    let known = ids.compactMap { $0 }
    let selector = Selector.field(field, [.isIn(known.map { .value($0.json) })])
    return known.count == ids.count ? selector : .any([selector, isNil])
  }

  func selector(_ comparison: PredicateComparison) throws(StoreError) -> Selector {
    let ids = try comparison.operand.objects(relationship.name)
    if relationship.isToMany {
      return try many(comparison, ids)
    }
    guard comparison.quantifier == nil else {
      throw StoreError(
        PredicateError(
          .unsupported, comparison.quantifier.map { Text($0.rawValue) },
          "'\(relationship.name)' leads to one"))
    }
    switch comparison.operator {
    case .equal, .isIn: return leads(to: ids)
    case .notEqual: return .not(leads(to: ids))
    default: throw refused(comparison)
    }
  }

  private func many(
    _ comparison: PredicateComparison, _ ids: [ObjectID?]
  ) throws(StoreError) -> Selector {
    guard !ids.contains(nil) else { throw refused(comparison) }
    let isIn: Bool
    switch comparison.operator {
    case .equal, .isIn, .contains: isIn = true
    case .notEqual: isIn = false
    default: throw refused(comparison)
    }
    let known = ids.compactMap { $0 }.map { Operand.value($0.json) }
    let some = Selector.field(field, [.element(.conditions([.isIn(known)]))])
    let other = Selector.field(
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
          PredicateError(
            .needsQuantifier, relationship.name, "it leads to many: say ANY, ALL or NONE"))
      }
      return some
    }
  }

  private func refused(_ comparison: PredicateComparison) -> StoreError {
    StoreError(
      PredicateError(
        .unsupported, Text(comparison.operator.rawValue),
        "objects of '\(relationship.name)' are not compared like that"))
  }

  /// So many selectors make up for `<` and `>`, which selectors have not for sizes.
  private static let countMax: Int64 = 256

  /// How many objects there are.
  func count(_ comparison: PredicateComparison) throws(StoreError) -> Selector {
    func number(_ value: PredicateValue) throws(StoreError) -> Int64 {
      guard case .integer(let number) = value else {
        throw StoreError(
          PredicateError(.wrongType, "@count", "a count is compared with an integer"))
      }
      return number
    }
    switch (comparison.operator, comparison.operand) {
    case (let `operator`, .value(let value)): return try count(`operator`, try number(value))
    case (.isIn, .list(let values)):
      var selectors: [Selector] = []
      for value in values { selectors.append(isCount(try number(value))) }
      return .any(selectors)
    case (.between, .list(let ends)) where ends.count == 2:
      return .all([
        try count(.greaterOrEqual, try number(ends[0])),
        try count(.lessOrEqual, try number(ends[1])),
      ])
    default:
      throw StoreError(
        PredicateError(
          .unsupported, Text(comparison.operator.rawValue), "a count is compared as a number"))
    }
  }

  private func count(
    _ operator: PredicateComparison.Operator, _ number: Int64
  ) throws(StoreError) -> Selector {
    switch `operator` {
    case .equal: return isCount(number)
    case .notEqual: return .not(isCount(number))
    case .less: return try below(number)
    case .lessOrEqual: return try below(number.addingReportingOverflow(1).partialValue)
    case .greater: return .not(try below(number.addingReportingOverflow(1).partialValue))
    case .greaterOrEqual: return .not(try below(number))
    default:
      throw StoreError(
        PredicateError(.unsupported, Text(`operator`.rawValue), "a count is compared as a number"))
    }
  }

  private func isCount(_ number: Int64) -> Selector {
    guard number >= 0 else { return SelectorCompiler.nothing }
    let selector = Selector.field(field, [.size(number)])
    // No list is an empty one.
    return number > 0 ? selector : .any([selector, isNil])
  }

  private func below(_ number: Int64) throws(StoreError) -> Selector {
    guard number <= Self.countMax else {
      throw StoreError(
        PredicateError(.unsupported, "@count", "counts are compared up to \(Self.countMax)"))
    }
    return .any((0..<max(0, number)).map { isCount($0) })
  }
}
