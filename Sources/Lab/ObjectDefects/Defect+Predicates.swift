internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Mutants in parsing predicates, and in refusing them.

extension Defect {
  static let predicates: [Defect] =
    predicateWords + predicateArguments + predicateRefusals + predicateNumbers + predicateNil
    + predicateDoubles + predicateValues + predicateTexts + predicateWays + predicateObjects

  private static let predicateWords: [Defect] = [
    predicating("or-binds-more", "PRED-001", sentence: "OR has a higher precedence than AND.") {
      predicate in
      guard case .or(let parts) = predicate, parts.count == 2, case .and(let last) = parts[1] else {
        return predicate
      }
      return .and([.or([parts[0], last[0]])] + last.dropFirst())
    },
    refusing(
      "keywords-in-capitals", "PRED-001", sentence: "Keywords are accepted only in upper case."
    ) {
      operation, _ in
      operation.fetch?.saysInSmallLetters(["AND", "OR", "NOT"]) == true
        ? .badObject(what: "badFormat") : nil
    },
    predicating("false-is-true", "PRED-002", sentence: "FALSEPREDICATE holds for every object.") {
      if case .truth = $0 { .truth(true) } else { $0 }
    },
    fetching(
      "no-predicate-is-nothing", "PRED-002",
      sentence: "A fetch without a predicate returns no objects."
    ) {
      if $0.predicate == nil { $0.ask(.truth(false)) }
    },
    predicating(
      "not-leaves-nil-out", "PRED-003", sentence: "NOT does not hold for objects with a nil value."
    ) { predicate in
      guard case .not(.comparison(let comparison)) = predicate, let name = comparison.name else {
        return predicate
      }
      return .and([predicate, PredicateComparison.isNil([name], .notEqual)])
    },
    predicating(
      "not-turns-operators", "PRED-003", sentence: "NOT is replaced by the inverse operator."
    ) {
      predicate in
      guard case .not(.comparison(let comparison)) = predicate, comparison.operator == .equal
      else { return predicate }
      return comparison.with { $0.operator = .notEqual }
    },
    fetching(
      "turned-sign-stays", "PRED-004",
      sentence: "An operator is not reversed when the constant comes first."
    ) {
      fetch in
      guard fetch.predicate?.string.first?.isNumber == true else { return }
      fetch.parsed.map { predicate in
        fetch.ask(
          predicate.mapComparisons { comparison in
            comparison.with { $0.operator = $0.operator.turned }
          })
      }
    },
    fetching(
      "turned-in-is-equal", "PRED-004",
      sentence: "A constant IN a key path is a comparison with `==`."
    ) {
      fetch in
      guard fetch.predicate?.utf8.first == UInt8(ascii: "'"), let predicate = fetch.parsed else {
        return
      }
      fetch.ask(predicate.mapComparisons { $0.with { $0.operator = .equal } })
    },
    shrugging(
      "turned-parts", "PRED-004",
      sentence: "A constant first with an irreversible operator returns an empty result.",
      what: "unsupported"
    ) {
      fetch, _ in fetch.predicate?.utf8.first == UInt8(ascii: "'")
    },
    comparing(
      "quotes-end-texts", "PRED-005", sentence: "A quote ends a text even after a backslash."
    ) {
      comparison in
      guard let text = comparison.text,
        let end = text.string.firstIndex(where: { $0 == "'" || $0 == "\"" })
      else { return nil }
      return comparison.with { $0.operand = .value(.text(JSONString(String(text.string[..<end])))) }
    },
    refusing(
      "constants-in-capitals", "PRED-005", sentence: "Constants are accepted only in upper case."
    ) {
      operation, _ in
      operation.fetch?.saysInSmallLetters(["NULL", "NIL", "YES", "NO", "TRUE", "FALSE"]) == true
        ? .badObject(what: "badFormat") : nil
    },
  ]

  private static let predicateArguments: [Defect] = [
    fetching(
      "arguments-backwards", "PRED-006", sentence: "Arguments are substituted in reverse order."
    ) {
      $0.arguments.reverse()
    },
    fetching(
      "arguments-spliced", "PRED-007",
      sentence: "Arguments are parsed as part of the predicate's text."
    ) { fetch in
      guard fetch.arguments.count == 1, let text = fetch.arguments[0].textValue,
        let predicate = fetch.predicate
      else { return }
      let parts = predicate.string.split(separator: "%@", omittingEmptySubsequences: false)
      fetch.predicate = JSONString(parts.joined(separator: "'\(text)'"))
      fetch.arguments = []
    },
    refusing("null-is-no-argument", "PRED-007", sentence: "A null argument is refused.") {
      operation, _ in
      operation.fetch?.arguments.contains(.null) == true ? .badObject(what: "badFormat") : nil
    },
    refusing(
      "images-for-infinities", "PRED-007",
      sentence: "`{\"image\"}` arguments are accepted only for numbers that are not finite."
    ) {
      operation, _ in
      let images = operation.fetch?.arguments.compactMap { $0.member("image")?.textValue?.string }
      let isFinite = images?.contains { image in
        UInt64(image, radix: 16).map { Double(bitPattern: $0).isFinite } ?? false
      }
      return isFinite == true ? .badObject(what: "badFormat") : nil
    },
    shrugging(
      "nonsense-finds-nothing", "PRED-008",
      sentence: "An invalid predicate returns an empty result.",
      what: "badFormat"
    ) { fetch, _ in fetch.arguments.isEmpty },
    shrugging(
      "arguments-not-counted", "PRED-008", sentence: "A wrong number of arguments is accepted.",
      what: "badFormat"
    ) {
      fetch, _ in !fetch.arguments.isEmpty
    },
    excusing(
      "nonsense-not-warned", "PRED-008", sentence: "describeModel does not validate predicates."
    ) {
      operation, kind, store throws(HarnessError) in
      guard
        case .describe(let model, let transformers, let predicates)? = operation.action.objects,
        kind.what == "badFormat", !predicates.isEmpty
      else { return nil }
      return try store.ask(
        operation.store, .objects(.describe(model: model, transformers: transformers)))
    },
  ]

  private static let predicateRefusals: [Defect] = [
    shrugging(
      "unsupported-finds-nothing", "PRED-009",
      sentence: "An unsupported feature in a predicate returns an empty result.",
      what: "unsupported"),
    fetching("marks-overlooked", "PRED-009", sentence: "[d] is ignored.") { fetch in
      guard let text = fetch.predicate?.string else { return }
      fetch.predicate = JSONString(
        text.split(separator: "[d]").joined().split(separator: "[cd]").joined())
    },
    shrugging(
      "unknown-names-find-nothing", "PRED-010",
      sentence: "An unknown name in a predicate returns an empty result.",
      what: "unknownKey"),
    shrugging(
      "kinds-find-nothing", "PRED-011",
      sentence: "A constant of another type returns an empty result.",
      what: "wrongType"),
    excusing(
      "any-unless-said", "PRED-012",
      sentence: "A key path through a to-many relationship without a quantifier means ANY."
    ) {
      operation, kind, store throws(HarnessError) in
      guard var fetch = operation.fetch, kind.what == "needsQuantifier",
        let predicate = fetch.predicate
      else { return nil }
      fetch.predicate = JSONString("ANY \(predicate)")
      return try store.ask(operation.store, .objects(.fetch(fetch)))
    },
    excusing(
      "quantifiers-overlooked", "PRED-013",
      sentence: "A quantifier before a key path without a to-many relationship is ignored."
    ) {
      operation, kind, store throws(HarnessError) in
      guard var fetch = operation.fetch, case .badObject("unsupported", let name?) = kind,
        ["ANY", "ALL", "NONE"].contains(name), let predicate = fetch.predicate
      else { return nil }
      fetch.predicate = JSONString(String(predicate.string.dropFirst(name.utf8.count)))
      return try store.ask(operation.store, .objects(.fetch(fetch)))
    },
  ]

  private static let predicateNumbers: [Defect] = [
    comparing("less-or-equal", "PRED-014", sentence: "`<` also holds for equal values.") {
      comparison in
      comparison.operator == .less ? comparison.with { $0.operator = .lessOrEqual } : nil
    },
    overlooking(
      "numbers-by-digits", "PRED-014", sentence: "Numbers are compared by their digits as text."
    ) {
      body, comparison in
      guard let name = comparison.name, comparison.operator == .greater,
        let constant = comparison.integer, let number = body[name]?.integerValue
      else { return false }
      return "\(number)".isBelow("\(constant)")
    },
    comparing(
      "constants-through-doubles", "PRED-014", sentence: "Integer constants are rounded to doubles."
    ) {
      comparison in
      guard let number = comparison.integer, number.magnitude > 1 << 53 else { return nil }
      return comparison.with { $0.operand = .value(.double(Double(number))) }
    },
    comparing("fractions-cut", "PRED-014", sentence: "Constants lose their fractions.") {
      comparison in
      guard let number = comparison.number, number.isFinite else { return nil }
      return comparison.with { $0.operand = .value(.double(number.rounded(.towardZero))) }
    },
    comparing("between-ends", "PRED-015", sentence: "BETWEEN excludes its bounds.") {
      comparison in
      guard comparison.operator == .between, let ends = comparison.list, ends.count == 2 else {
        return nil
      }
      return .and([
        .comparison(PredicateComparison(comparison.subject, .greater, operand: .value(ends[0]))),
        .comparison(PredicateComparison(comparison.subject, .less, operand: .value(ends[1]))),
      ])
    },
    comparing("ends-ordered", "PRED-015", sentence: "BETWEEN accepts its bounds in either order.") {
      comparison in
      guard comparison.operator == .between, let ends = comparison.list, ends.count == 2,
        case .integer(let low) = ends[0], case .integer(let high) = ends[1], low > high
      else { return nil }
      return comparison.with { $0.operand = .list([ends[1], ends[0]]) }
    },
    shrugging(
      "between-any-number", "PRED-015",
      sentence: "BETWEEN with a list of another length than 2 returns an empty result.",
      what: "unsupported"
    ) { _, name in name == "BETWEEN" },
    comparing(
      "in-nothing-is-everything", "PRED-016", sentence: "IN an empty list holds for every value."
    ) {
      comparison in
      comparison.operator == .isIn && comparison.list == [] ? .truth(true) : nil
    },
    comparing("nil-in-no-list", "PRED-016", sentence: "IN never holds for nil.") { comparison in
      guard comparison.operator == .isIn, let list = comparison.list else { return nil }
      return comparison.with { $0.operand = .list(list.filter { $0 != .none }) }
    },
    comparing("first-of-list", "PRED-016", sentence: "IN uses only the first element of its list.")
    { comparison in
      guard comparison.operator == .isIn, let list = comparison.list else { return nil }
      return comparison.with { $0.operand = .list(Array(list.prefix(1))) }
    },
  ]
}

extension PredicateComparison.Operator {
  /// The operator with the same meaning for exchanged operands.
  fileprivate var turned: PredicateComparison.Operator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }
}
