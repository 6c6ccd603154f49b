internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Mutants in reading predicates, and in refusing them.

extension Defect {
  static let predicates: [Defect] =
    predicateWords + predicateArguments + predicateRefusals + predicateNumbers + predicateNil
    + predicateDoubles + predicateValues + predicateTexts + predicateWays + predicateObjects

  private static let predicateWords: [Defect] = [
    predicating("or-binds-more", "PRED-001", sentence: "OR binds more than AND.") { predicate in
      guard case .or(let parts) = predicate, parts.count == 2, case .and(let last) = parts[1] else {
        return predicate
      }
      return .and([.or([parts[0], last[0]])] + last.dropFirst())
    },
    refusing("keywords-in-capitals", "PRED-001", sentence: "Keywords are written in capitals.") {
      operation, _ in
      operation.fetch?.saysInSmallLetters(["AND", "OR", "NOT"]) == true
        ? .badObject(what: "badFormat") : nil
    },
    predicating("false-is-true", "PRED-002", sentence: "FALSEPREDICATE is true of everything.") {
      if case .truth = $0 { .truth(true) } else { $0 }
    },
    fetching(
      "no-predicate-is-nothing", "PRED-002", sentence: "Without a predicate nothing is meant."
    ) {
      if $0.predicate == nil { $0.ask(.truth(false)) }
    },
    predicating("not-leaves-nil-out", "PRED-003", sentence: "NOT needs a value.") { predicate in
      guard case .not(.comparison(let comparison)) = predicate, let name = comparison.name else {
        return predicate
      }
      return .and([predicate, PredicateComparison.isNil([name], .notEqual)])
    },
    predicating("not-turns-operators", "PRED-003", sentence: "NOT turns the operator round.") {
      predicate in
      guard case .not(.comparison(let comparison)) = predicate, comparison.operator == .equal
      else { return predicate }
      return comparison.with { $0.operator = .notEqual }
    },
    fetching("turned-sign-stays", "PRED-004", sentence: "A sign says the same behind a constant.") {
      fetch in
      guard fetch.predicate?.string.first?.isNumber == true else { return }
      fetch.parsed.map { predicate in
        fetch.ask(
          predicate.mapComparisons { comparison in
            comparison.with { $0.operator = $0.operator.turned }
          })
      }
    },
    fetching("turned-in-is-equal", "PRED-004", sentence: "A text in another one is that one.") {
      fetch in
      guard fetch.predicate?.utf8.first == UInt8(ascii: "'"), let predicate = fetch.parsed else {
        return
      }
      fetch.ask(predicate.mapComparisons { $0.with { $0.operator = .equal } })
    },
    shrugging(
      "turned-parts", "PRED-004", sentence: "A text that begins with a key path is sought.",
      what: "unsupported"
    ) {
      fetch, _ in fetch.predicate?.utf8.first == UInt8(ascii: "'")
    },
    comparing(
      "quotes-end-texts", "PRED-005", sentence: "A quote ends a text, whatever stands before it."
    ) {
      comparison in
      guard let text = comparison.text,
        let end = text.string.firstIndex(where: { $0 == "'" || $0 == "\"" })
      else { return nil }
      return comparison.with { $0.operand = .value(.text(JSONString(String(text.string[..<end])))) }
    },
    refusing("constants-in-capitals", "PRED-005", sentence: "Constants are written in capitals.") {
      operation, _ in
      operation.fetch?.saysInSmallLetters(["NULL", "NIL", "YES", "NO", "TRUE", "FALSE"]) == true
        ? .badObject(what: "badFormat") : nil
    },
  ]

  private static let predicateArguments: [Defect] = [
    fetching("arguments-backwards", "PRED-006", sentence: "The last argument comes first.") {
      $0.arguments.reverse()
    },
    fetching("arguments-spliced", "PRED-007", sentence: "Arguments are read as parts of the text.")
    { fetch in
      guard fetch.arguments.count == 1, let text = fetch.arguments[0].textValue,
        let predicate = fetch.predicate
      else { return }
      let parts = predicate.string.split(separator: "%@", omittingEmptySubsequences: false)
      fetch.predicate = JSONString(parts.joined(separator: "'\(text)'"))
      fetch.arguments = []
    },
    refusing("null-is-no-argument", "PRED-007", sentence: "null is no argument.") { operation, _ in
      operation.fetch?.arguments.contains(.null) == true ? .badObject(what: "badFormat") : nil
    },
    refusing(
      "images-for-infinities", "PRED-007", sentence: "Only what is no number is given as an image."
    ) {
      operation, _ in
      let images = operation.fetch?.arguments.compactMap { $0.member("image")?.textValue?.string }
      let isFinite = images?.contains { image in
        UInt64(image, radix: 16).map { Double(bitPattern: $0).isFinite } ?? false
      }
      return isFinite == true ? .badObject(what: "badFormat") : nil
    },
    shrugging(
      "nonsense-finds-nothing", "PRED-008", sentence: "What is no predicate finds nothing.",
      what: "badFormat"
    ) { fetch, _ in fetch.arguments.isEmpty },
    shrugging(
      "arguments-not-counted", "PRED-008", sentence: "There may be any number of arguments.",
      what: "badFormat"
    ) {
      fetch, _ in !fetch.arguments.isEmpty
    },
    excusing(
      "nonsense-not-warned", "PRED-008", sentence: "Nobody reads a predicate before it is used."
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
      "unsupported-finds-nothing", "PRED-009", sentence: "What is not supported finds nothing.",
      what: "unsupported"),
    fetching("marks-overlooked", "PRED-009", sentence: "[d] is overlooked.") { fetch in
      guard let text = fetch.predicate?.string else { return }
      fetch.predicate = JSONString(
        text.split(separator: "[d]").joined().split(separator: "[cd]").joined())
    },
    shrugging(
      "unknown-names-find-nothing", "PRED-010", sentence: "What the model has not is nowhere.",
      what: "unknownKey"),
    shrugging(
      "kinds-find-nothing", "PRED-011", sentence: "What is of another kind is not equal.",
      what: "wrongType"),
    excusing("any-unless-said", "PRED-012", sentence: "One of many is enough where nobody says so.")
    {
      operation, kind, store throws(HarnessError) in
      guard var fetch = operation.fetch, kind.what == "needsQuantifier",
        let predicate = fetch.predicate
      else { return nil }
      fetch.predicate = JSONString("ANY \(predicate)")
      return try store.ask(operation.store, .objects(.fetch(fetch)))
    },
    excusing(
      "quantifiers-overlooked", "PRED-013", sentence: "Of one object a quantifier says nothing."
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
    comparing("less-or-equal", "PRED-014", sentence: "What is equal is less.") { comparison in
      comparison.operator == .less ? comparison.with { $0.operator = .lessOrEqual } : nil
    },
    overlooking("numbers-by-digits", "PRED-014", sentence: "Numbers are compared digit by digit.") {
      body, comparison in
      guard let name = comparison.name, comparison.operator == .greater,
        let constant = comparison.integer, let number = body[name]?.integerValue
      else { return false }
      return "\(number)".isBelow("\(constant)")
    },
    comparing("constants-through-doubles", "PRED-014", sentence: "Integers are rounded to doubles.")
    {
      comparison in
      guard let number = comparison.integer, number.magnitude > 1 << 53 else { return nil }
      return comparison.with { $0.operand = .value(.double(Double(number))) }
    },
    comparing("fractions-cut", "PRED-014", sentence: "Constants lose their fractions.") {
      comparison in
      guard let number = comparison.number, number.isFinite else { return nil }
      return comparison.with { $0.operand = .value(.double(number.rounded(.towardZero))) }
    },
    comparing("between-ends", "PRED-015", sentence: "The ends are not between them.") {
      comparison in
      guard comparison.operator == .between, let ends = comparison.list, ends.count == 2 else {
        return nil
      }
      return .and([
        .comparison(PredicateComparison(comparison.subject, .greater, operand: .value(ends[0]))),
        .comparison(PredicateComparison(comparison.subject, .less, operand: .value(ends[1]))),
      ])
    },
    comparing("ends-ordered", "PRED-015", sentence: "The ends may stand in any order.") {
      comparison in
      guard comparison.operator == .between, let ends = comparison.list, ends.count == 2,
        case .integer(let low) = ends[0], case .integer(let high) = ends[1], low > high
      else { return nil }
      return comparison.with { $0.operand = .list([ends[1], ends[0]]) }
    },
    shrugging(
      "between-any-number", "PRED-015", sentence: "Between other than two nothing lies.",
      what: "unsupported"
    ) { _, name in name == "BETWEEN" },
    comparing("in-nothing-is-everything", "PRED-016", sentence: "In an empty list is everything.") {
      comparison in
      comparison.operator == .isIn && comparison.list == [] ? .truth(true) : nil
    },
    comparing("nil-in-no-list", "PRED-016", sentence: "Nil is in no list.") { comparison in
      guard comparison.operator == .isIn, let list = comparison.list else { return nil }
      return comparison.with { $0.operand = .list(list.filter { $0 != .none }) }
    },
    comparing("first-of-list", "PRED-016", sentence: "Of a list the first counts.") { comparison in
      guard comparison.operator == .isIn, let list = comparison.list else { return nil }
      return comparison.with { $0.operand = .list(Array(list.prefix(1))) }
    },
  ]
}

extension PredicateComparison.Operator {
  /// What asks the same from the other side.
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
