internal import Datastore
internal import JSON

/// Comparisons of an attribute with constants.
struct AttributeCondition {
  typealias Operator = PredicateComparison.Operator

  private let attribute: AttributeDescription
  private let hasTextDoubles: Bool
  private let field: FieldPath
  /// Where the token of what is no finite number stands.
  private let token: FieldPath

  init(_ attribute: AttributeDescription, _ hasTextDoubles: Bool) {
    self.attribute = attribute
    self.hasTextDoubles = hasTextDoubles && attribute.type == .double
    field = FieldPath(names: [attribute.name])
    token = FieldPath(names: [EnvelopeMember.meta(of: attribute.name), MetaMember.nonFinite])
  }

  func selector(_ comparison: PredicateComparison) throws(StoreError) -> Selector {
    guard comparison.quantifier == nil else {
      throw StoreError(
        PredicateError(
          .unsupported, comparison.quantifier.map { Text($0.rawValue) },
          "'\(attribute.name)' is one value"))
    }
    guard !comparison.ignoresCase || attribute.type == .utf8 else {
      throw wrongType("only texts have letters")
    }
    switch (comparison.operator, comparison.operand) {
    case (.between, .list(let ends)) where ends.count == 2:
      return .all([
        try selector(.greaterOrEqual, ends[0], comparison),
        try selector(.lessOrEqual, ends[1], comparison),
      ])
    case (.isIn, .list(let values)):
      var selectors: [Selector] = []
      for value in values { selectors.append(try selector(.equal, value, comparison)) }
      return .any(selectors)
    case (.between, _), (.isIn, _), (_, .list):
      throw StoreError(
        PredicateError(
          .unsupported, Text(comparison.operator.rawValue),
          "IN takes a list, BETWEEN a list of two, and all else one value"))
    case (let `operator`, .value(let value)): return try selector(`operator`, value, comparison)
    }
  }

  private func selector(
    _ operator: Operator, _ value: PredicateValue, _ comparison: PredicateComparison
  ) throws(StoreError) -> Selector {
    if value == .none {
      switch `operator` {
      case .equal: return isNil
      case .notEqual: return .not(isNil)
      // Nothing is before nil, and nothing after.
      case .less, .lessOrEqual, .greater, .greaterOrEqual: return SelectorCompiler.nothing
      default: throw wrongType("nil has no letters")
      }
    }
    switch attribute.type {
    case .bool: return try truth(`operator`, value)
    case .int16, .int32, .int64:
      return compare(`operator`, .value(try number(value)), isNumber: true)
    case .double, .float: return try floating(`operator`, value)
    case .decimal: return try decimal(`operator`, value)
    case .date1970:
      guard case .date(let seconds) = value else { throw wrongType("expected a date") }
      return compare(`operator`, .value(.double(seconds)), isNumber: true)
    case .utf8, .id:
      guard case .text(let text) = value else { throw wrongType("expected a text") }
      return try TextCondition(field, ignoresCase: comparison.ignoresCase)
        .selector(`operator`, text)
    case .xform, .binary: throw wrongType("bytes are not compared")
    }
  }

  private func wrongType(_ message: String) -> StoreError {
    StoreError(PredicateError(.wrongType, attribute.name, message))
  }

  // MARK: Nil

  /// Whether the type has values that JSON has no numbers for.
  private var hasTokens: Bool {
    attribute.type == .double || attribute.type == .float || attribute.type == .decimal
  }

  private func isToken(_ nonFinite: NonFinite) -> Selector {
    .field(token, [.equals(.value(.text(nonFinite.rawValue)))])
  }

  private var isNil: Selector {
    let absent = Selector.any([
      .field(field, [.exists(false)]), .field(field, [.equals(.value(.null))]),
    ])
    // NaN stands as null, too.
    return hasTokens ? .all([absent, .field(token, [.exists(false)])]) : absent
  }

  // MARK: Numbers

  private func number(_ value: PredicateValue) throws(StoreError) -> JSONValue {
    switch value {
    case .integer(let number): return .integer(number)
    case .double(let number) where number.isFinite: return .double(number)
    case .bool(let value): return value ? 1 : 0
    default: throw wrongType("expected a number")
    }
  }

  /// - Parameter isNumber: whether texts, which come after all numbers, are left out.
  private func compare(_ operator: Operator, _ operand: Operand, isNumber: Bool) -> Selector {
    let conditions: [Condition] =
      switch `operator` {
      case .equal: [.equals(operand)]
      case .notEqual: [.differs(operand)]
      case .less: [.compares(.less, operand)]
      case .lessOrEqual: [.compares(.lessOrEqual, operand)]
      case .greater: [.compares(.greater, operand)]
      default: [.compares(.greaterOrEqual, operand)]
      }
    let isOrdered = `operator` != .equal && `operator` != .notEqual
    return .field(field, conditions + (isNumber && isOrdered ? [.type(.number)] : []))
  }

  private func truth(
    _ operator: Operator, _ value: PredicateValue
  ) throws(StoreError) -> Selector {
    let wanted: Bool
    switch value {
    case .bool(let value): wanted = value
    case .integer(let number): wanted = number != 0
    default: throw wrongType("expected true or false")
    }
    // Every number but 0 is true.
    let isTrue = Selector.any([
      .field(field, [.equals(.value(true))]),
      .field(field, [.type(.number), .differs(.value(0))]),
    ])
    let isFalse = Selector.field(field, [.isIn([.value(false), .value(0)])])
    switch `operator` {
    case .equal: return wanted ? isTrue : isFalse
    case .notEqual: return .not(wanted ? isTrue : isFalse)
    default: throw wrongType("true and false have no order")
    }
  }

  private func decimal(
    _ operator: Operator, _ value: PredicateValue
  ) throws(StoreError) -> Selector {
    let number: DecimalNumber?
    switch value {
    case .decimal(let decimal): number = decimal
    case .integer(let integer): number = DecimalNumber(text: "\(integer)".utf8)
    case .double(let double): number = DecimalNumber(text: "\(double)".utf8)
    default: throw wrongType("expected a number")
    }
    guard let number, !number.isNaN else { return SelectorCompiler.nothing }
    let selector = compare(`operator`, .decimal(Text(number.description)), isNumber: false)
    return `operator` == .notEqual ? .all([selector, .not(isToken(.nan))]) : selector
  }

  // MARK: Floating point

  /// The number is compared, and the tokens say what it stands for.
  private func floating(
    _ operator: Operator, _ value: PredicateValue
  ) throws(StoreError) -> Selector {
    let constant: Double
    switch value {
    case .double(let number): constant = number
    case .integer(let number): constant = Double(number)
    case .decimal(let decimal): constant = Double(decimal.description) ?? .nan
    default: throw wrongType("expected a number")
    }
    // Nothing is equal to NaN, or different from it.
    guard !constant.isNaN else { return SelectorCompiler.nothing }
    let isNumber = Selector.field(field, [.exists(true), .differs(.value(.null))])
    guard constant.isFinite else {
      let (same, _): (NonFinite, Bool) = (constant > 0 ? .infinity : .negativeInfinity, true)
      let all = Selector.all([isNumber, .not(isToken(.nan))])
      let others = Selector.all([all, .not(isToken(same))])
      switch `operator` {
      case .equal: return isToken(same)
      case .notEqual: return .all([.not(isToken(same)), .not(isToken(.nan))])
      case .less: return constant > 0 ? others : SelectorCompiler.nothing
      case .lessOrEqual: return constant > 0 ? all : isToken(same)
      case .greater: return constant > 0 ? SelectorCompiler.nothing : others
      default: return constant > 0 ? isToken(same) : all
      }
    }
    let operand: Operand
    if case .integer(let number) = value {
      operand = hasTextDoubles ? .decimal(Text("\(number)")) : .value(.integer(number))
    } else {
      let digits = DecimalNumber(text: "\(constant)".utf8)?.description ?? "\(constant)"
      operand = hasTextDoubles ? .decimal(Text(digits)) : .value(.double(constant))
    }
    let isPlain = Selector.field(token, [.exists(false)])
    let plain = Selector.all([
      isPlain, compare(`operator`, operand, isNumber: !hasTextDoubles),
    ])
    switch `operator` {
    case .equal: return plain
    case .notEqual: return .any([plain, isToken(.infinity), isToken(.negativeInfinity)])
    case .less, .lessOrEqual: return .any([plain, isToken(.negativeInfinity)])
    default: return .any([plain, isToken(.infinity)])
    }
  }
}
