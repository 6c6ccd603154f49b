internal import Datastore
internal import JSON

/// A condition on one value, compiled for many values.
indirect enum ValueTest {
  /// The value, or an element of it, passes.
  case some(ScalarTest)
  case not([ValueTest])
  case exists(Bool)
  /// The first bytes of the keys of a kind of values.
  case kinds([UInt8])
  case hasAll([JSONValue])
  case size(Int)
  case element([ValueTest])
  case elementObject(Matcher.Test)

  init(_ condition: Condition) {
    switch condition {
    case .equals(let operand): self = .some(.equals(operand))
    case .differs(let operand): self = .not([.some(.equals(operand))])
    case .isIn(let operands): self = .some(.any(operands.map { .equals($0) }))
    case .notIn(let operands): self = .not([.some(.any(operands.map { .equals($0) }))])
    case .compares(let comparison, .value(let value)):
      self = .some(.compares(comparison, ScalarKey(value)))
    case .compares(let comparison, .decimal(let text)):
      self = .some(.decimal(comparison, DecimalKey(text)))
    case .exists(let exists): self = .exists(exists)
    case .type(let type): self = .kinds(Self.kinds(of: type))
    case .hasAll(let values): self = .hasAll(values)
    case .size(let size): self = .size(Int(clamping: size))
    case .element(.conditions(let conditions)): self = .element(conditions.map { ValueTest($0) })
    case .element(.selector(let selector)): self = .elementObject(Matcher.elementTest(selector))
    case .remainder(let divisor, let remainder): self = .some(.remainder(divisor, remainder))
    case .matches(let expression): self = .some(.matches(ExpressionProgram(expression)))
    case .near(let point, let metres): self = .some(.near(Place(point), metres ?? .infinity))
    case .within(let shape): self = .some(.inside(Region(shape)))
    case .not(let conditions): self = .not(conditions.map { ValueTest($0) })
    }
  }

  /// The first bytes of the keys of a kind of values.
  static func kinds(of type: ValueType) -> [UInt8] {
    switch type {
    case .null: [ValueKey.null]
    case .boolean: [ValueKey.false, ValueKey.true]
    case .number: [ValueKey.number]
    case .string: [ValueKey.string]
    case .array: [ValueKey.array]
    case .object: [ValueKey.object]
    }
  }

  func passes(_ value: JSONValue?) -> Bool {
    switch self {
    case .not(let tests): return !tests.allSatisfy { $0.passes(value) }
    case .exists(let exists): return (value != nil) == exists
    case .some(let test):
      guard let value else { return false }
      if test.passes(value) { return true }
      guard case .array(let elements) = value else { return false }
      return elements.contains { test.passes($0) }
    case .kinds(let kinds): return value.map { kinds.contains(ScalarKey.kind(of: $0)) } ?? false
    case .hasAll(let wanted):
      guard case .array(let elements)? = value else { return false }
      for value in wanted where !elements.contains(where: { $0.isSameValue(as: value) }) {
        return false
      }
      return true
    case .size(let size):
      guard case .array(let elements)? = value else { return false }
      return elements.count == size
    case .element(let tests):
      guard case .array(let elements)? = value else { return false }
      return elements.contains { element in tests.allSatisfy { $0.passes(element) } }
    case .elementObject(let test):
      guard case .array(let elements)? = value else { return false }
      return elements.contains { element in
        guard case .object = element else { return false }
        return Matcher.Subject(element: element).passes(test)
      }
    }
  }
}

/// A test of a single value, which may be an element.
indirect enum ScalarTest {
  case equals(JSONValue)
  case any([ScalarTest])
  case compares(Comparison, ScalarKey)
  /// The operand is nil if it is not a decimal number; then no value passes.
  case decimal(Comparison?, DecimalKey?)
  case remainder(Int64, Int64)
  case matches(ExpressionProgram)
  case near(Place, Double)
  case inside(Region)

  static func equals(_ operand: Operand) -> ScalarTest {
    switch operand {
    case .value(let value): .equals(value)
    case .decimal(let text): .decimal(nil, DecimalKey(text))
    }
  }

  func passes(_ value: JSONValue) -> Bool {
    switch self {
    case .equals(let wanted): return wanted.isSameValue(as: value)
    case .any(let tests): return tests.contains { $0.passes(value) }
    case .compares(let comparison, let operand):
      let key = ScalarKey(value)
      return operand.isComparable && key.isComparable && comparison.holds(key, operand)
    case .decimal(let comparison, let operand):
      guard let operand, case .string(let text) = value, let key = DecimalKey(text) else {
        return false
      }
      return comparison?.holds(key, operand) ?? (key == operand)
    case .remainder(let divisor, let remainder):
      return Self.hasRemainder(value, divisor.magnitude, remainder: remainder)
    case .matches(let program):
      guard case .string(let text) = value else { return false }
      return program.occurs(in: text)
    case .near(let place, let metres):
      return Place(value).map { place.metres(to: $0) <= metres } ?? false
    case .inside(let region): return Place(value).map { region.contains($0) } ?? false
    }
  }

  /// Whether an integer has a remainder, which has the integer's sign.
  private static func hasRemainder(
    _ value: JSONValue, _ divisor: UInt64, remainder: Int64
  ) -> Bool {
    let (isNegative, rest): (Bool, UInt64)
    switch value {
    case .integer(let value): (isNegative, rest) = (value < 0, value.magnitude % divisor)
    case .unsigned(let value): (isNegative, rest) = (false, value % divisor)
    case .double(let value):
      guard value.isFinite, let magnitude = Self.whole(value.magnitude, modulo: divisor) else {
        return false
      }
      (isNegative, rest) = (value < 0, magnitude)
    default: return false
    }
    if rest == 0 { return remainder == 0 }
    return rest == remainder.magnitude && isNegative == (remainder < 0)
  }

  /// The remainder of a non-negative double; nil if it is not an integer.
  private static func whole(_ value: Double, modulo divisor: UInt64) -> UInt64? {
    if value < 0x1p64 {
      let whole = UInt64(value)
      return Double(whole) == value ? whole % divisor : nil
    }
    // Above that, every double is an integer: 53 bits and a power of two, which is reduced by 32 at
    // a time.
    var rest = (value.significandBitPattern | 1 << 52) % divisor
    var power = Int(value.exponent) - 52
    while power > 0 {
      let step = min(power, 32)
      let product = rest.multipliedFullWidth(by: 1 << UInt64(step))
      rest = divisor.dividingFullWidth((product.high % divisor, product.low)).remainder
      power -= step
    }
    return rest
  }
}

/// The comparison key of booleans, numbers and strings.
struct ScalarKey: Comparable {
  /// The first byte of the key.
  let kind: UInt8
  private let number: NumberKey?
  private let text: JSONString

  init(_ value: JSONValue) {
    kind = Self.kind(of: value)
    number = NumberKey(value)
    text = value.textValue ?? ""
  }

  /// Values that no body contains, such as an infinity, cannot be compared.
  var isComparable: Bool {
    switch kind {
    case ValueKey.false, ValueKey.true, ValueKey.string: true
    case ValueKey.number: number != nil
    default: false
    }
  }

  static func kind(of value: JSONValue) -> UInt8 {
    switch value {
    case .null: ValueKey.null
    case .bool(let value): value ? ValueKey.true : ValueKey.false
    case .integer, .unsigned, .double: ValueKey.number
    case .string: ValueKey.string
    case .array: ValueKey.array
    case .object: ValueKey.object
    }
  }

  static func < (left: ScalarKey, right: ScalarKey) -> Bool {
    if left.kind != right.kind { return left.kind < right.kind }
    if let one = left.number, let other = right.number { return one < other }
    return left.text.withBytes { left in
      right.text.withBytes { right in left.lexicographicallyPrecedes(right) }
    }
  }
}

extension Comparison {
  func holds<Key: Comparable>(_ left: Key, _ right: Key) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }
}
