internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Mutants with key paths through relationships, and with objects as constants.

extension Defect {
  static let predicateWays: [Defect] = ways + manyEnds + counts

  private static let ways: [Defect] = [
    comparing(
      "ways-lead-nowhere", "PRED-030", sentence: "Key paths through relationships find nothing."
    ) { comparison in
      comparison.path.count > 1 && !comparison.isCount ? .truth(false) : nil
    },
    comparing(
      "one-step-only", "PRED-030", sentence: "Only the last 2 names of a key path are used."
    ) {
      comparison in
      guard comparison.path.count > 2, !comparison.isCount else { return nil }
      return comparison.with { $0.subject = .path(Array(comparison.path.suffix(2))) }
    },
    comparing("last-name-counts", "PRED-030", sentence: "Only the last name of a key path is used.")
    {
      comparison in
      guard comparison.path.count > 1, !comparison.isCount else { return nil }
      return comparison.with {
        $0.subject = .path(Array(comparison.path.suffix(1)))
        $0.quantifier = nil
      }
    },
    comparing(
      "behind-nothing-nothing", "PRED-031",
      sentence: "A comparison behind an empty relationship never holds."
    ) {
      comparison in
      guard comparison.quantifier == nil, comparison.path.count > 1, !comparison.isCount else {
        return nil
      }
      return .and([
        .comparison(comparison), PredicateComparison.isNil([comparison.path[0]], .notEqual),
      ])
    },
  ]

  private static let manyEnds: [Defect] = [
    comparing(
      "any-is-all", "PRED-032", sentence: "ANY holds only if the comparison holds for all objects."
    ) { comparison in
      comparison.quantifier == .any ? comparison.with { $0.quantifier = .all } : nil
    },
    comparing("all-needs-one", "PRED-033", sentence: "ALL does not hold for an empty relationship.")
    { comparison in
      guard comparison.quantifier == .all else { return nil }
      return .and([.comparison(comparison), comparison.with { $0.quantifier = .any }])
    },
    comparing(
      "all-is-not-none", "PRED-033", sentence: "ALL holds if the comparison holds for one object."
    ) {
      comparison in
      guard comparison.quantifier == .all else { return nil }
      return .or([.comparison(comparison), comparison.with { $0.quantifier = .any }])
    },
    comparing(
      "none-is-not-all", "PRED-034",
      sentence: "NONE holds unless the comparison holds for all objects."
    ) {
      comparison in
      guard comparison.quantifier == PredicateComparison.Quantifier.none else { return nil }
      return .not(
        .and([
          comparison.with { $0.quantifier = .all }, comparison.with { $0.quantifier = .any },
        ]))
    },
    comparing(
      "nil-at-no-end", "PRED-035",
      sentence: "Objects with a nil value at the end of a path are ignored."
    ) {
      comparison in
      guard comparison.quantifier == .any, comparison.constant == PredicateValue.none else {
        return nil
      }
      return .truth(false)
    },
    predicating(
      "one-object-for-all", "PRED-035", sentence: "One object must meet all quantified comparisons."
    ) {
      predicate in
      guard case .and(let parts) = predicate, parts.count == 2,
        case .comparison(let first) = parts[0], case .comparison(let second) = parts[1],
        first.quantifier == .any, second.quantifier == .any
      else { return predicate }
      return .truth(false)
    },
  ]

  private static let counts: [Defect] = [
    overlooking(
      "absent-lists-uncounted", "PRED-036", sentence: "`@count` fails where there is no list."
    ) {
      body, comparison in
      comparison.isCount && comparison.path.contains { body[$0]?.arrayValue == nil }
    },
    comparing("empty-lists-uncounted", "PRED-036", sentence: "`@count` fails for an empty list.") {
      comparison in
      guard comparison.isCount else { return nil }
      return .and([
        .comparison(comparison),
        comparison.with {
          $0.operator = .greater
          $0.operand = .value(.integer(0))
        },
      ])
    },
    comparing(
      "counts-here-only", "PRED-036",
      sentence: "`@count` works only for relationships of the object itself."
    ) {
      comparison in
      guard comparison.isCount, comparison.path.count > 1 else { return nil }
      return comparison.with {
        $0.subject = .count(of: Array(comparison.path.suffix(1)))
        $0.quantifier = nil
      }
    },
    refusing(
      "counts-one-by-one", "PRED-036",
      sentence: "`@count` cannot be compared with a list of numbers."
    ) {
      operation, _ in
      guard let fetch = operation.fetch, fetch.says("@count IN") || fetch.says("@count BETWEEN")
      else { return nil }
      return .badObject(what: "unsupported")
    },
  ]

  static let predicateObjects: [Defect] = [
    comparing(
      "self-differs-from-all", "PRED-037", sentence: "SELF `!=` an object holds for every object."
    ) {
      comparison in
      comparison.subject == .object && comparison.operator == .notEqual ? .truth(true) : nil
    },
    comparing("ids-are-numbers", "PRED-037", sentence: "Ids that are the same number are equal.") {
      comparison in
      guard comparison.subject == .object, case .object(let id)? = comparison.constant,
        let number = Int64(id.text.string)
      else { return nil }
      return comparison.with {
        $0.operator = .isIn
        $0.operand = .list([.object(id), .object(ObjectID(JSONString("\(number)")))])
      }
    },
    identified(
      "self-of-any-entity", "PRED-037", sentence: "SELF finds objects of other entities."
    ) {
      ids, fetch, name, store throws(HarnessError) in
      guard case .comparison(let comparison)? = fetch.parsed, comparison.subject == .object,
        comparison.operator == .equal, case .object(let id)? = comparison.constant
      else { return ids }
      return try store.document(name, id) == nil ? [] : [id]
    },
    comparing(
      "objects-are-no-operands", "PRED-038",
      sentence: "An object as a constant returns an empty result."
    ) {
      comparison in
      guard comparison.name != nil, comparison.operator == .equal,
        case .object? = comparison.constant
      else { return nil }
      return .truth(false)
    },
    overlooking("empty-is-an-object", "PRED-038", sentence: "An empty text refers to an object.") {
      body, comparison in
      guard let name = comparison.name, comparison.constant == PredicateValue.none else {
        return false
      }
      return body[name] == ""
    },
    identified("gone-is-nil", "PRED-038", sentence: "A dangling reference is nil.") {
      ids, fetch, name, store throws(HarnessError) in
      guard case .comparison(let comparison)? = fetch.parsed, let end = comparison.name,
        comparison.operator == .notEqual, comparison.constant == PredicateValue.none
      else { return ids }
      var kept: [DocumentID] = []
      for id in ids {
        guard let other = try store.body(name, id)[end]?.textValue,
          try store.document(name, DocumentID(other)) != nil
        else { continue }
        kept.append(id)
      }
      return kept
    },
    comparing(
      "contains-nothing-else", "PRED-039",
      sentence: "CONTAINS holds only if the relationship has no other objects."
    ) {
      comparison in
      guard comparison.operator == .contains, case .object? = comparison.constant else {
        return nil
      }
      return .and([
        .comparison(comparison),
        comparison.with {
          $0.operator = .equal
          $0.quantifier = .all
        },
      ])
    },
    comparing(
      "any-object-is-each", "PRED-039",
      sentence: "A comparison of ANY object holds only if it holds for each object."
    ) {
      comparison in
      guard comparison.quantifier == .any, case .object? = comparison.constant else { return nil }
      return comparison.with { $0.quantifier = .all }
    },
    shrugging(
      "objects-in-order", "PRED-039",
      sentence: "Comparing objects with `<` or `>` returns an empty result.",
      what: "unsupported"
    ) {
      _, name in name == "<" || name == ">"
    },
  ]
}
