internal import Datastore
package import JSON

/// Compiles predicates to selectors.
///
/// A selector is evaluated on one document, so relationships are followed by a query for the ids of
/// the objects at the other end.
package struct SelectorCompiler {
  typealias Comparison = PredicateComparison

  let model: ManagedObjectModel
  /// Whether doubles may be stored as texts, as in the released form.
  let readsDigits: Bool
  /// The documents of the objects of an entity that a selector selects, reduced to one member.
  let find: (EntityDescription, FindSelector, JSONString) throws(StoreError) -> [FoundDocument]

  /// The selectors of no document and of every document.
  static let nothing = FindSelector.any([])
  static let everything = FindSelector.all([])

  /// Throws the errors of a predicate, independent of any objects.
  package static func check(
    _ predicate: FetchPredicate, of entity: JSONString, in model: ManagedObjectModel
  ) throws(StoreError) {
    guard let entity = model[entity] else {
      throw StoreError(.unknownEntity(entity), "the model has no entity '\(entity)'")
    }
    let compiler = SelectorCompiler(model: model, readsDigits: true) { _, _, _ in [] }
    _ = try compiler.selector(predicate, entity)
  }

  func selector(
    _ predicate: FetchPredicate, _ entity: EntityDescription
  ) throws(StoreError) -> FindSelector {
    switch predicate {
    case .truth(let isTrue): isTrue ? Self.everything : Self.nothing
    case .and(let parts): .all(try parts.selectors(self, entity))
    case .or(let parts): .any(try parts.selectors(self, entity))
    case .not(let part): .not(try selector(part, entity))
    case .comparison(let comparison): try selector(comparison, entity)
    }
  }

  /// The selector of the objects of an entity for which a predicate is true.
  func selecting(
    _ entity: EntityDescription, _ predicate: FetchPredicate?
  ) throws(StoreError) -> FindSelector {
    let ofEntity = FindSelector.field(
      FieldPath(names: [EnvelopeMember.entityName]),
      [.equals(.value(.string(entity.name)))])
    guard let predicate else { return ofEntity }
    let selector = try selector(predicate, entity)
    if case .all(let parts) = selector { return .all([ofEntity] + parts) }
    return .all([ofEntity, selector])
  }

  private func selector(
    _ comparison: Comparison, _ entity: EntityDescription
  ) throws(StoreError) -> FindSelector {
    guard !comparison.ignoresMarks else {
      throw StoreError(
        FetchPredicateError(
          .unsupported, "[d]", message: "diacritic-insensitive comparison is not supported"))
    }
    switch comparison.subject {
    case .object:
      if let quantifier = comparison.quantifier { throw Self.refused(quantifier) }
      return try objects(comparison)
    case .count(let path), .path(let path):
      let way = comparison.isCount ? path.dropLast() : path[...]
      if let quantifier = comparison.quantifier, !model.leadsToMany(way, from: entity) {
        throw Self.refused(quantifier)
      }
      return try follow(path[...], comparison, entity: entity)
    }
  }

  private static func refused(_ quantifier: Comparison.Quantifier) -> StoreError {
    StoreError(
      FetchPredicateError(
        .unsupported, JSONString(quantifier.rawValue), message: "the key path is not to-many"))
  }

  // MARK: Objects

  /// `SELF == …` and `SELF IN …`.
  private func objects(_ comparison: Comparison) throws(StoreError) -> FindSelector {
    let ids = try comparison.objects("SELF")
    let selector = FindSelector.field(
      FieldPath(names: ["_id"]), [.isIn(ids.compactMap { $0.map { .value($0.json) } })])
    switch comparison.operator {
    case .equal, .isIn: return selector
    case .notEqual: return .not(selector)
    default:
      throw StoreError(
        FetchPredicateError(
          .unsupported, JSONString(comparison.operator.rawValue),
          message: "objects can only be compared for equality"))
    }
  }

  // MARK: Key paths

  /// The selector for the rest of a key path.
  private func follow(
    _ path: ArraySlice<JSONString>, _ comparison: Comparison, entity: EntityDescription
  ) throws(StoreError) -> FindSelector {
    guard let name = path.first else {
      throw StoreError(
        FetchPredicateError(.badFormat, nil, message: "expected a name in the key path"))
    }
    let isAttribute = path.count == 1 && !comparison.isCount
    if let attribute = entity.attribute(name), !attribute.isTransient, isAttribute {
      // Decimals are stored as texts, and doubles may be.
      let isText = attribute.type == .decimal
      let mayBeText = attribute.type == .double || attribute.type == .float
      return try AttributeCondition(
        attribute, readsDigits: isText || mayBeText && readsDigits
      ).selector(comparison)
    }
    let rest = path.dropFirst()
    let isEnd = rest.isEmpty || Array(rest) == ["self"]
    guard let relationship = entity.relationship(name), !relationship.isTransient,
      let destination = model[relationship.destination],
      relationship.isToMany || !isEnd || !comparison.isCount
    else {
      throw StoreError(
        FetchPredicateError(
          .unknownKey, name, message: "\(entity.name) has no such queryable property"))
    }
    guard isEnd else {
      return try join(relationship, destination, rest: rest, comparison: comparison)
    }
    let condition = RelationshipCondition(relationship)
    guard comparison.isCount else { return try condition.selector(comparison) }
    // An object that occurs twice in a list counts once, so lists are counted here and not by a
    // selector.
    let lists = try find(entity, condition.isList, relationship.name)
    return try condition.count(comparison, lists)
  }

  /// Queries the other end of a relationship, and then selects the objects that refer to the
  /// results.
  private func join(
    _ relationship: RelationshipDescription, _ destination: EntityDescription,
    rest: ArraySlice<JSONString>, comparison: Comparison
  ) throws(StoreError) -> FindSelector {
    let field = FieldPath(names: [relationship.name])
    func leading(to selector: FindSelector) throws(StoreError) -> FindSelector {
      let found = try find(destination, selector, "_id")
      return .field(field, [.isIn(found.map { .value($0.id.json) })])
    }
    let leadsOn = model.leadsToMany(comparison.isCount ? rest.dropLast() : rest, from: destination)
    var inner = comparison
    if !leadsOn { inner.quantifier = nil }
    switch comparison.quantifier {
    case nil where relationship.isToMany:
      throw StoreError(
        FetchPredicateError(
          .needsQuantifier, relationship.name,
          message: "a to-many relationship requires ANY, ALL or NONE"))
    case nil:
      let condition = try follow(rest, inner, entity: destination)
      // The value behind an empty relationship, or behind a missing object, is nil.
      return try comparison.holdsForNil
        ? .not(leading(to: .not(condition))) : leading(to: condition)
    case .any?: return try leading(to: try follow(rest, inner, entity: destination))
    case .all?:
      // ALL holds if there is no counterexample, so also for an empty relationship.
      return .not(try leading(to: .not(try follow(rest, inner, entity: destination))))
    case PredicateComparison.Quantifier.none?:
      if leadsOn { inner.quantifier = .any }
      return .not(try leading(to: try follow(rest, inner, entity: destination)))
    }
  }
}

extension [FetchPredicate] {
  fileprivate func selectors(
    _ compiler: SelectorCompiler, _ entity: EntityDescription
  ) throws(StoreError) -> [FindSelector] {
    var selectors: [FindSelector] = []
    for predicate in self { selectors.append(try compiler.selector(predicate, entity)) }
    return selectors
  }
}

extension PredicateComparison {
  /// Whether the comparison is of a number of objects.
  fileprivate var isCount: Bool { if case .count = subject { true } else { false } }

  /// Whether the comparison holds for nil.
  fileprivate var holdsForNil: Bool {
    switch (self.operator, operand) {
    case (.equal, .value(.none)): true
    case (.isIn, .list(let values)): values.contains(.none)
    case (.notEqual, .value(let value)): value != .none && !value.isNaN
    default: false
    }
  }
}

extension ManagedObjectModel {
  /// Whether a key path contains a to-many relationship.
  fileprivate func leadsToMany(_ path: ArraySlice<JSONString>, from entity: EntityDescription)
    -> Bool
  {
    guard let name = path.first, let relationship = entity.relationship(name) else { return false }
    guard !relationship.isToMany, let next = self[relationship.destination] else { return true }
    return leadsToMany(path.dropFirst(), from: next)
  }
}

extension PredicateComparison {
  /// The objects of the right side, nil for nil; throws if it contains other values.
  func objects(_ name: JSONString) throws(StoreError) -> [ObjectID?] {
    let values: [PredicateValue]
    switch (self.operator, operand) {
    case (.isIn, .list(let list)): values = list
    case (.isIn, _), (_, .list):
      throw StoreError(
        FetchPredicateError(
          .unsupported, JSONString(self.operator.rawValue),
          message: "IN requires a list, other operators one value"))
    case (_, .value(let value)): values = [value]
    }
    var ids: [ObjectID?] = []
    for value in values {
      switch value {
      case .object(let id): ids.append(id)
      case .none: ids.append(nil)
      default:
        throw StoreError(
          FetchPredicateError(.wrongType, name, message: "expected objects as values"))
      }
    }
    return ids
  }
}

extension StoreError {
  package init(_ error: FetchPredicateError) { self.init(.predicate(error), error.description) }
}
