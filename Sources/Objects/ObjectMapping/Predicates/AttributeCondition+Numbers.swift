internal import Datastore
internal import JSON

// Comparisons of values stored as numbers, or as texts of numbers.

extension AttributeCondition {
  /// Compares the field with an operand of its kind; a text, which sorts above any number, does not
  /// match.
  func compare(_ operator: Operator, _ operand: Operand) -> FindSelector {
    var isNumber: [Condition] = [.type(.number)]
    if case .decimal = operand { isNumber = [] }
    switch `operator` {
    case .equal: return .field(field, [.equals(operand)])
    case .notEqual: return .field(field, [.differs(operand)])
    case .less: return .field(field, [.compares(.less, operand)] + isNumber)
    case .lessOrEqual: return .field(field, [.compares(.lessOrEqual, operand)] + isNumber)
    case .greater: return .field(field, [.compares(.greater, operand)] + isNumber)
    default: return .field(field, [.compares(.greaterOrEqual, operand)] + isNumber)
    }
  }

  func truth(_ operator: Operator, _ value: PredicateValue) throws(StoreError) -> FindSelector {
    let wanted: Bool
    switch value {
    case .bool(let value): wanted = value
    case .integer(let number): wanted = number != 0
    case .double, .decimal:
      guard !value.isNaN else { return SelectorCompiler.nothing }
      wanted = try double(value) != 0
    default: throw wrongType("expected true or false")
    }
    // Every number except 0 is true.
    let isTrue = FindSelector.any([
      .field(field, [.equals(.value(true))]),
      .field(field, [.type(.number), .differs(.value(0))]),
    ])
    let isFalse = FindSelector.field(field, [.isIn([.value(false), .value(0)])])
    switch `operator` {
    case .equal: return wanted ? isTrue : isFalse
    case .notEqual: return .not(wanted ? isTrue : isFalse)
    default: throw wrongType("booleans cannot be ordered")
    }
  }

  func integer(_ operator: Operator, _ value: PredicateValue) throws(StoreError) -> FindSelector {
    switch value {
    case .integer(let number): return compare(`operator`, .value(.integer(number)))
    case .bool(let value): return compare(`operator`, .value(value ? 1 : 0))
    case .decimal(let decimal) where !decimal.isNaN: return integer(`operator`, decimal)
    default: break
    }
    let constant = try double(value)
    // No value compares equal or unequal to NaN.
    guard !constant.isNaN else { return SelectorCompiler.nothing }
    guard constant.isInfinite else { return compare(`operator`, .value(.double(constant))) }
    return beyondIntegers(`operator`, isAbove: constant > 0)
  }

  /// Compares with a decimal between two integers, as with the integer below it.
  private func integer(_ operator: Operator, _ decimal: DecimalNumber) -> FindSelector {
    let digits = decimal.description
    if let integer = Int64(digits) { return compare(`operator`, .value(.integer(integer))) }
    // `-0.5` has a whole part of 0, but the integer below it is -1.
    guard let whole = digits.split(separator: ".", maxSplits: 1).first.flatMap({ Int64($0) }),
      digits.contains("."), whole > .min
    else { return beyondIntegers(`operator`, isAbove: !decimal.isNegative) }
    let below = Operand.value(.integer(decimal.isNegative ? whole - 1 : whole))
    switch `operator` {
    case .equal: return SelectorCompiler.nothing
    case .notEqual: return SelectorCompiler.everything
    case .less, .lessOrEqual: return compare(.lessOrEqual, below)
    default: return compare(.greater, below)
    }
  }

  private func beyondIntegers(_ operator: Operator, isAbove: Bool) -> FindSelector {
    switch `operator` {
    case .equal: return SelectorCompiler.nothing
    case .notEqual: return SelectorCompiler.everything
    case .less, .lessOrEqual:
      return isAbove ? .field(field, [.type(.number)]) : SelectorCompiler.nothing
    default: return isAbove ? SelectorCompiler.nothing : .field(field, [.type(.number)])
    }
  }

  /// The number, rounded to a double.
  private func double(_ value: PredicateValue) throws(StoreError) -> Double {
    switch value {
    case .double(let number): return number
    case .integer(let number): return Double(number)
    case .decimal(let decimal): return Double(decimal.description) ?? .nan
    default: throw wrongType("expected a number")
    }
  }

  // MARK: Decimals

  func decimal(_ operator: Operator, _ value: PredicateValue) throws(StoreError) -> FindSelector {
    let number: DecimalNumber?
    switch value {
    case .decimal(let decimal): number = decimal
    case .double(let double) where double.isInfinite:
      return infinite(`operator`, isAbove: double > 0)
    case .integer(let integer): number = DecimalNumber(text: "\(integer)".utf8)
    case .double(let double): number = DecimalNumber(text: "\(double)".utf8)
    default: throw wrongType("expected a number")
    }
    guard let number, !number.isNaN else { return SelectorCompiler.nothing }
    return numbers(
      `operator`, .decimal(JSONString(number.description)), number: bound(number, `operator`))
  }

  /// The number with which doubles and integers of documents are compared instead of the decimal,
  /// whose exact value is used for texts of digits.
  private func bound(_ number: DecimalNumber, _ operator: Operator) -> (Operator, Operand)? {
    if let integer = Int64(number.description) { return (`operator`, .value(.integer(integer))) }
    guard let double = Double(number.description), double.isFinite else { return nil }
    let nearest = DecimalNumber(text: "\(double)".utf8)
    let operand = Operand.value(.double(double))
    guard let nearest, nearest != number else { return (`operator`, operand) }
    let isAbove = number.isLess(than: nearest)
    switch `operator` {
    case .equal, .notEqual: return nil
    case .less, .lessOrEqual: return (isAbove ? .less : .lessOrEqual, operand)
    default: return (isAbove ? .greaterOrEqual : .greater, operand)
    }
  }

  // MARK: Floating point

  /// Compares the number, and the tokens of non-finite values.
  func floating(_ operator: Operator, _ value: PredicateValue) throws(StoreError) -> FindSelector {
    let constant = try double(value)
    guard !constant.isNaN else { return SelectorCompiler.nothing }
    guard constant.isFinite else { return infinite(`operator`, isAbove: constant > 0) }
    var operand = Operand.value(.double(constant))
    if case .integer(let number) = value { operand = .value(.integer(number)) }
    let digits = DecimalNumber(text: "\(constant)".utf8)?.description ?? "\(constant)"
    let selector = numbers(`operator`, .decimal(JSONString(digits)), number: (`operator`, operand))
    switch `operator` {
    case .less, .lessOrEqual: return .any([selector, isToken(.negativeInfinity)])
    case .greater, .greaterOrEqual: return .any([selector, isToken(.infinity)])
    default: return selector
    }
  }

  private func infinite(_ operator: Operator, isAbove: Bool) -> FindSelector {
    let same = isToken(isAbove ? .infinity : .negativeInfinity)
    let isThere = FindSelector.any([
      .all([.field(field, [.exists(true), .differs(.value(.null))]), .not(isToken(.nan))]),
      isToken(.infinity), isToken(.negativeInfinity),
    ])
    switch `operator` {
    case .equal: return same
    case .notEqual: return .all([.not(same), .not(isToken(.nan))])
    case .less: return isAbove ? .all([isThere, .not(same)]) : SelectorCompiler.nothing
    case .lessOrEqual: return isAbove ? isThere : same
    case .greater: return isAbove ? SelectorCompiler.nothing : .all([isThere, .not(same)])
    default: return isAbove ? same : isThere
    }
  }

  // MARK: Both

  /// Compares numbers with one operand, and texts of numbers with another.
  private func numbers(
    _ operator: Operator, _ digits: Operand, number: (operator: Operator, operand: Operand)?
  ) -> FindSelector {
    guard `operator` != .notEqual else {
      let equal = numbers(.equal, digits, number: number.map { (.equal, $0.operand) })
      return .all([.not(equal), .not(isToken(.nan))])
    }
    var parts: [FindSelector] = []
    if let number { parts.append(compare(number.operator, number.operand)) }
    if readsDigits { parts.append(compare(`operator`, digits)) }
    return .all([isPlain, .any(parts)])
  }
}
