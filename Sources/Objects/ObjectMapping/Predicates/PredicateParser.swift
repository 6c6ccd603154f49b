public import JSON

/// An argument of a predicate's text, for `%@`, `%K` and similar placeholders.
public typealias PredicateArgument = PredicateComparison.Operand

extension FetchPredicate {
  /// Parses a predicate in the textual format; throws `badFormat`, or `unsupported` with the name
  /// of a part of the language that is not supported.
  public init(_ format: JSONString, _ arguments: [PredicateArgument] = [])
    throws(FetchPredicateError)
  {
    var parser = PredicateParser(try PredicateLexer.words(format), arguments)
    self = try parser.whole()
  }
}

/// A recursive-descent parser of predicates; the precedence is `NOT`, `AND`, `OR`, highest first.
private struct PredicateParser {
  typealias Comparison = PredicateComparison

  private let words: [PredicateLexer.Word]
  private var place = 0
  private var arguments: [PredicateArgument]
  private var depth = 0

  /// The maximum nesting depth, and the maximum number of names in a key path.
  private static let depthMax = 64

  init(_ words: [PredicateLexer.Word], _ arguments: [PredicateArgument]) {
    self.words = words
    self.arguments = arguments.reversed()
  }

  mutating func whole() throws(FetchPredicateError) -> FetchPredicate {
    let predicate = try alternatives()
    guard words[place] == .end else { throw unexpected("the end") }
    guard arguments.isEmpty else {
      throw FetchPredicateError(
        .badFormat, nil, message: "more arguments than placeholders")
    }
    return predicate
  }

  // MARK: Words

  private func unexpected(_ wanted: String) -> FetchPredicateError {
    let found =
      switch words[place] {
      case .name(let text), .number(let text), .sign(let text): "'\(text)'"
      case .string(let text): "the string '\(text)'"
      case .argument(let text): "'%\(text)'"
      case .end: "the end"
      }
    return FetchPredicateError(.badFormat, nil, message: "expected \(wanted), found \(found)")
  }

  /// The keyword at the current position, in capitals.
  private var keyword: String? {
    guard case .name(let name) = words[place], name.utf8.count <= 16 else { return nil }
    return name.string.uppercased()
  }

  private mutating func take(keyword wanted: String...) -> Bool {
    guard let keyword, wanted.contains(keyword) else { return false }
    place += 1
    return true
  }

  private mutating func take(sign wanted: JSONString...) -> Bool {
    guard case .sign(let sign) = words[place], wanted.contains(sign) else { return false }
    place += 1
    return true
  }

  // MARK: Predicates

  private mutating func alternatives() throws(FetchPredicateError) -> FetchPredicate {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthMax else {
      throw FetchPredicateError(
        .badFormat, nil, message: "nested deeper than \(Self.depthMax) levels")
    }
    var parts = [try conjunction()]
    while take(keyword: "OR") || take(sign: "||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(FetchPredicateError) -> FetchPredicate {
    var parts = [try negation()]
    while take(keyword: "AND") || take(sign: "&&") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws(FetchPredicateError) -> FetchPredicate {
    var isNegated = false
    while take(keyword: "NOT") || take(sign: "!") { isNegated.toggle() }
    let predicate = try primary()
    return isNegated ? .not(predicate) : predicate
  }

  private mutating func primary() throws(FetchPredicateError) -> FetchPredicate {
    if take(sign: "(") {
      let predicate = try alternatives()
      guard take(sign: ")") else { throw unexpected("')'") }
      return predicate
    }
    if take(keyword: "TRUEPREDICATE") { return .truth(true) }
    if take(keyword: "FALSEPREDICATE") { return .truth(false) }
    return .comparison(try comparison())
  }

  private mutating func comparison() throws(FetchPredicateError) -> Comparison {
    var quantifier: Comparison.Quantifier?
    if take(keyword: "ANY", "SOME") {
      quantifier = .any
    } else if take(keyword: "ALL") {
      quantifier = .all
    } else if take(keyword: "NONE") {
      quantifier = Comparison.Quantifier.none
    }
    let left = try expression()
    try refuseReckoning()
    let (`operator`, options) = try operatorWithOptions()
    let right = try expression()
    try refuseReckoning()
    var comparison: Comparison
    switch (left, right) {
    case (.subject(let subject), .operand(let operand)):
      comparison = Comparison(subject, `operator`, operand: operand)
    case (.operand(let operand), .subject(let subject)):
      comparison = try flipped(operand, `operator`, subject: subject)
    case (.subject, .subject):
      throw FetchPredicateError(
        .unsupported, JSONString(`operator`.rawValue),
        message: "two key paths cannot be compared with each other")
    case (.operand, .operand):
      throw FetchPredicateError(
        .unsupported, JSONString(`operator`.rawValue), message: "expected a key path")
    }
    comparison.quantifier = quantifier
    comparison.ignoresCase = options.contains("c")
    comparison.ignoresMarks = options.contains("d")
    return comparison
  }

  /// Swaps the sides of a comparison: `5 < age` means that age is greater; `"x" IN tags` that tags
  /// contain it.
  private func flipped(
    _ operand: Comparison.Operand, _ operator: Comparison.Operator, subject: Comparison.Subject
  ) throws(FetchPredicateError) -> Comparison {
    let other: Comparison.Operator? =
      switch `operator` {
      case .equal, .notEqual: `operator`
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      case .isIn: .contains
      default: nil
      }
    guard let other else {
      throw FetchPredicateError(
        .unsupported, JSONString(`operator`.rawValue),
        message: "the key path must be on the left side")
    }
    return Comparison(subject, other, operand: operand)
  }

  private mutating func operatorWithOptions() throws(FetchPredicateError) -> (
    Comparison.Operator, String
  ) {
    let found = try self.operator()
    guard take(sign: "[") else { return (found, "") }
    guard case .name(let letters) = words[place],
      letters.utf8.allSatisfy({ "cdn".utf8.contains($0) })
    else { throw unexpected("c, d or n") }
    guard !letters.utf8.contains(UInt8(ascii: "n")) else {
      throw FetchPredicateError(
        .unsupported, "[n]", message: "normalized comparison is not supported")
    }
    place += 1
    guard take(sign: "]") else { throw unexpected("']'") }
    return (found, letters.string)
  }

  private mutating func `operator`() throws(FetchPredicateError) -> Comparison.Operator {
    defer { place += 1 }
    switch words[place] {
    case .sign("="), .sign("=="): return .equal
    case .sign("!="), .sign("<>"): return .notEqual
    case .sign("<"): return .less
    case .sign("<="), .sign("=<"): return .lessOrEqual
    case .sign(">"): return .greater
    case .sign(">="), .sign("=>"): return .greaterOrEqual
    default:
      if let keyword, let found = Comparison.Operator(rawValue: keyword) { return found }
      throw unexpected("an operator")
    }
  }

  // MARK: Expressions

  private func refuseReckoning() throws(FetchPredicateError) {
    for sign in ["+", "-", "*", "/", "**"] as [JSONString] where words[place] == .sign(sign) {
      throw FetchPredicateError(
        .unsupported, sign, message: "arithmetic is not supported in a predicate")
    }
  }

  private enum Expression {
    case subject(Comparison.Subject)
    case operand(Comparison.Operand)
  }

  private mutating func expression() throws(FetchPredicateError) -> Expression {
    if take(sign: "{") { return .operand(.list(try elements())) }
    if case .argument("K") = words[place] {
      place += 1
      guard case .value(.text(let path))? = arguments.popLast() else {
        throw FetchPredicateError(.badFormat, "%K", message: "expected a key path as argument")
      }
      return .subject(try subject(path))
    }
    if case .argument = words[place] { return .operand(try argument()) }
    if case .name(let name) = words[place], try constantName() == nil {
      place += 1
      guard words[place] != .sign("(") else {
        throw FetchPredicateError(
          .unsupported, name, message: "functions and subqueries are not supported")
      }
      return .subject(try subject(name))
    }
    return .operand(.value(try constant()))
  }

  private func subject(_ path: JSONString) throws(FetchPredicateError) -> Comparison.Subject {
    if path == "SELF" || path == "self" { return .object }
    var names: [JSONString] = []
    for part in path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard let name = JSONString(validating: Array(part)), !name.isEmpty else {
        throw FetchPredicateError(
          .badFormat, path, message: "empty name in a key path")
      }
      names.append(name)
    }
    if names.first == "SELF" { names.removeFirst() }
    guard names.count <= Self.depthMax else {
      throw FetchPredicateError(
        .badFormat, nil,
        message: "a key path of \(names.count) names; at most \(Self.depthMax) are accepted")
    }
    guard let last = names.first(where: { $0.utf8.first == UInt8(ascii: "@") }) else {
      return .path(names)
    }
    guard last == "@count", names.count > 1, names.firstIndex(of: last) == names.count - 1 else {
      throw FetchPredicateError(
        .unsupported, last, message: "@count is the only supported collection operator")
    }
    return .count(of: names.dropLast())
  }

  private mutating func argument() throws(FetchPredicateError) -> Comparison.Operand {
    guard case .argument(let letters) = words[place] else { throw unexpected("an argument") }
    place += 1
    let known: [JSONString] = [
      "@", "d", "i", "u", "f", "g", "ld", "lu", "lld", "llu", "lf", "s", "@d",
    ]
    guard known.contains(letters) else {
      throw FetchPredicateError(
        .badFormat, JSONString("%\(letters)"), message: "unknown placeholder")
    }
    guard let argument = arguments.popLast() else {
      throw FetchPredicateError(
        .badFormat, JSONString("%\(letters)"), message: "missing argument")
    }
    return argument
  }

  private mutating func elements() throws(FetchPredicateError) -> [PredicateValue] {
    var elements: [PredicateValue] = []
    guard !take(sign: "}") else { return [] }
    repeat {
      if case .argument = words[place] {
        guard case .value(let value) = try argument() else {
          throw FetchPredicateError(.badFormat, nil, message: "nested lists are not permitted")
        }
        elements.append(value)
      } else if case .name(let name) = words[place], try constantName() == nil {
        throw FetchPredicateError(.unsupported, name, message: "a list may contain constants only")
      } else {
        elements.append(try constant())
      }
    } while take(sign: ",")
    guard take(sign: "}") else { throw unexpected("'}'") }
    return elements
  }

  private func constantName() throws(FetchPredicateError) -> PredicateValue? {
    switch keyword {
    case "NIL", "NULL": PredicateValue.none
    case "TRUE", "YES": .bool(true)
    case "FALSE", "NO": .bool(false)
    case "CAST": .some(.date(0))
    case "SUBQUERY", "FUNCTION":
      throw FetchPredicateError(
        .unsupported, keyword.map { JSONString($0) }, message: "not supported")
    default: nil
    }
  }

  private mutating func constant() throws(FetchPredicateError) -> PredicateValue {
    switch words[place] {
    case .string(let text):
      place += 1
      return .text(text)
    case .sign("-"), .sign("+"), .number: return try number()
    case .name:
      guard let value = try constantName() else { throw unexpected("a constant") }
      let isDate = keyword == "CAST"
      place += 1
      return isDate ? try date() : value
    default: throw unexpected("a constant")
    }
  }

  private mutating func number() throws(FetchPredicateError) -> PredicateValue {
    let isNegative = take(sign: "-")
    if !isNegative { _ = take(sign: "+") }
    guard case .number(let digits) = words[place] else { throw unexpected("a number") }
    place += 1
    let text = (isNegative ? "-" : "") + digits.string
    if let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      throw FetchPredicateError(.badFormat, digits, message: "number out of range")
    }
    // Digits that a double cannot represent take precedence over the nearest double.
    guard let exact = DecimalNumber(text: text.utf8),
      let shortest = DecimalNumber(text: "\(number)".utf8),
      exact.isLess(than: shortest) || shortest.isLess(than: exact)
    else { return .double(number) }
    return .decimal(exact)
  }

  /// `CAST(SECONDS, "NSDate")`, in seconds since 2001-01-01T00:00:00Z.
  private mutating func date() throws(FetchPredicateError) -> PredicateValue {
    guard take(sign: "(") else { throw unexpected("'('") }
    let seconds: Double
    switch try number() {
    case .integer(let value): seconds = Double(value)
    case .double(let value): seconds = value
    case .decimal(let value): seconds = Double(value.description) ?? .nan
    default: throw unexpected("a number")
    }
    guard take(sign: ","), words[place] == .string("NSDate") else {
      throw FetchPredicateError(.unsupported, "CAST", message: "only casts to NSDate are supported")
    }
    place += 1
    guard take(sign: ")") else { throw unexpected("')'") }
    return .date(seconds + 978_307_200)
  }
}
