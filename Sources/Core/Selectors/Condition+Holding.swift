internal import Datastore
internal import JSON

extension Condition {
  /// Whether the condition holds for the value of a field, or for a missing field (nil).
  func holds(for value: JSONValue?) -> Bool {
    switch self {
    // A negated condition holds for all values for which the positive one does not hold, and for a
    // missing field.
    case .differs(let operand): return !Condition.equals(operand).holds(for: value)
    case .notIn(let operands): return !Condition.isIn(operands).holds(for: value)
    case .not(let conditions): return !conditions.allSatisfy { $0.holds(for: value) }
    case .exists(let exists): return (value != nil) == exists
    default: break
    }
    guard let value else { return false }
    switch self {
    case .type(let type): return value.valueType == type
    case .size(let size): return value.arrayValue.map { Int64($0.count) == size } ?? false
    case .hasAll(let wanted):
      guard let elements = value.arrayValue else { return false }
      return wanted.allSatisfy { wanted in elements.contains { $0.isSameValue(as: wanted) } }
    case .element(let condition):
      return value.arrayValue?.contains { condition.holds(for: $0) } ?? false
    default:
      // An array is tested as a whole and element by element.
      return ([value] + (value.arrayValue ?? [])).contains { holdsItself(for: $0) }
    }
  }

  /// Whether a condition that also applies to the elements of arrays holds for a value itself.
  private func holdsItself(for value: JSONValue) -> Bool {
    switch self {
    case .equals(let operand): operand.equals(value)
    case .isIn(let operands): operands.contains { $0.equals(value) }
    case .compares(let comparison, let operand): operand.order(of: value) ?= comparison
    case .remainder(let divisor, let remainder):
      value.remainder(dividingBy: divisor) == remainder
    case .matches(let expression):
      value.textValue.map { ExpressionMatching(expression).occurs(in: $0) } ?? false
    case .near(let point, let distance):
      GeographicPoint(value).map { $0.distance(to: point) <= distance ?? .infinity } ?? false
    case .within(let shape): GeographicPoint(value).map { shape.contains($0) } ?? false
    default: false
    }
  }
}

extension ElementCondition {
  fileprivate func holds(for element: JSONValue) -> Bool {
    switch self {
    case .conditions(let conditions): conditions.allSatisfy { $0.holds(for: element) }
    case .selector(let selector):
      element.objectValue != nil && Subject(element: element).matches(selector)
    }
  }
}

extension Operand {
  fileprivate func equals(_ value: JSONValue) -> Bool {
    switch self {
    case .value(let wanted): wanted.isSameValue(as: value)
    case .decimal: order(of: value) == .same
    }
  }

  /// The order of a value relative to the operand; nil if the two cannot be compared.
  fileprivate func order(of value: JSONValue) -> SortOrder? {
    switch self {
    case .value(let operand): return SortOrder.ofScalars(value, operand)
    case .decimal(let text):
      guard let operand = DecimalText(text), let found = value.textValue.flatMap(DecimalText.init)
      else { return nil }
      return found.order(to: operand)
    }
  }
}

infix operator ?= : ComparisonPrecedence

/// Whether an order exists and satisfies the comparison.
private func ?= (order: SortOrder?, comparison: Comparison) -> Bool {
  switch (comparison, order) {
  case (.less, .less), (.lessOrEqual, .less), (.lessOrEqual, .same): true
  case (.greater, .greater), (.greaterOrEqual, .greater), (.greaterOrEqual, .same): true
  default: false
  }
}

extension JSONValue {
  fileprivate var valueType: ValueType {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .integer, .unsigned, .double: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The remainder with the sign of this number; nil if the number is not an integer.
  fileprivate func remainder(dividingBy divisor: Int64) -> Int64? {
    switch self {
    case .integer(let value): return value.remainder(dividingBy: divisor)
    case .unsigned(let value): return Int64(value % divisor.magnitude)
    case .double(let value):
      guard value.isFinite, value.rounded(.towardZero) == value else { return nil }
      if value == 0 { return 0 }
      // The number is an integer times a power of two, of which only the remainder is computed.
      var rest = UInt64(value.magnitude.significandBitPattern | 1 << 52)
      var exponent = Int(value.exponent) - 52
      while exponent < 0 {
        rest /= 2
        exponent += 1
      }
      rest %= divisor.magnitude
      for _ in 0..<exponent {
        let missing = divisor.magnitude - rest
        rest = rest >= missing ? rest - missing : rest + rest
      }
      return value < 0 ? -Int64(rest) : Int64(rest)
    default: return nil
    }
  }
}

extension Int64 {
  /// The remainder with the sign of this number; also correct if the quotient overflows.
  fileprivate func remainder(dividingBy divisor: Int64) -> Int64 {
    remainderReportingOverflow(dividingBy: divisor).partialValue
  }
}
