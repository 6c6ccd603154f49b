internal import Datastore
internal import JSON

// The semantics of selectors, implemented independently for the oracles, by definition and without
// optimization.

extension FindSelector {
  /// Whether it selects this revision.
  func selects(_ record: RevisionRecord) -> Bool {
    selects { names in
      switch names {
      case ["_id"]: .string(record.id.text)
      case ["_rev"]: record.path.first.map { .string($0.text) }
      default: record.body.value(at: names[...])
      }
    }
  }

  fileprivate func selects(_ value: (_ names: [JSONString]) -> JSONValue?) -> Bool {
    switch self {
    case .all(let parts): return parts.allSatisfy { $0.selects(value) }
    case .any(let parts): return parts.contains { $0.selects(value) }
    case .none(let parts): return !FindSelector.any(parts).selects(value)
    case .not(let part): return !part.selects(value)
    case .field(let path, let conditions):
      let found = value(path.names)
      return conditions.allSatisfy { $0.accepts(found) }
    case .text(let search):
      let texts = search.fields.compactMap { value($0.names) }.flatMap { $0.itselfAndElements }
      let present = texts.flatMap { $0.textValue.map(Self.words) ?? [] }
      let wanted = Self.words(of: search.search)
      return !wanted.isEmpty && wanted.allSatisfy { present.contains($0) }
    }
  }

  private static func words(of text: JSONString) -> [[UInt8]] {
    text.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }.split { byte in
      byte < 0x80 && !(0x61...0x7a).contains(byte) && !(0x30...0x39).contains(byte)
    }.map { Array($0) }
  }
}

extension Condition {
  fileprivate func accepts(_ value: JSONValue?) -> Bool {
    switch self {
    case .exists(let exists): return exists == (value != nil)
    case .differs(let operand): return !Condition.equals(operand).accepts(value)
    case .notIn(let operands): return !Condition.isIn(operands).accepts(value)
    case .not(let conditions): return conditions.contains { !$0.accepts(value) }
    case .isIn(let operands): return operands.contains { Condition.equals($0).accepts(value) }
    default: return value.map { acceptsPresent($0) } ?? false
    }
  }

  private func acceptsPresent(_ value: JSONValue) -> Bool {
    switch self {
    case .type(let type): return value.kind == type
    case .size(let size): return value.arrayValue?.count == Int(exactly: size)
    case .hasAll(let wanted):
      guard let elements = value.arrayValue else { return false }
      return !wanted.contains { wanted in !elements.contains { $0.isSameValue(as: wanted) } }
    case .element(.conditions(let conditions)):
      return (value.arrayValue ?? []).contains { element in
        conditions.allSatisfy { $0.accepts(element) }
      }
    case .element(.selector(let selector)):
      return (value.arrayValue ?? []).contains { element in
        element.objectValue != nil && selector.selects { element.value(at: $0[...]) }
      }
    case .equals(.value(let wanted)):
      return value.itselfAndElements.contains { $0.isSameValue(as: wanted) }
    case .equals(.decimal(let text)):
      return value.itselfAndElements.contains { Plainly.decimals($0, text) == 0 }
    case .compares(let comparison, .value(let operand)):
      return value.itselfAndElements.contains { comparison.accepts(Plainly.scalars($0, operand)) }
    case .compares(let comparison, .decimal(let text)):
      return value.itselfAndElements.contains { comparison.accepts(Plainly.decimals($0, text)) }
    case .remainder(let divisor, let remainder):
      return value.itselfAndElements.contains { number in
        number.whole.map { $0 % Int128(divisor) == Int128(remainder) } ?? false
      }
    case .matches(let expression):
      return value.itselfAndElements.contains { text in
        text.textValue.map { expression.occurs(in: $0) } ?? false
      }
    case .near(let point, let metres):
      return value.itselfAndElements.contains { place in
        OraclePlace(place).map { $0.metres(to: OraclePlace(point)) <= metres ?? .infinity } ?? false
      }
    case .within(let shape):
      return value.itselfAndElements.contains { OraclePlace($0)?.lies(in: shape) ?? false }
    default: return false
    }
  }
}

extension Comparison {
  /// Whether an order below, at or above 0 satisfies the comparison; nil never does.
  fileprivate func accepts(_ order: Int?) -> Bool {
    guard let order else { return false }
    return switch self {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

extension JSONValue {
  fileprivate func value(at names: ArraySlice<JSONString>) -> JSONValue? {
    guard let name = names.first else { return self }
    return objectValue?[name]?.value(at: names.dropFirst())
  }

  fileprivate var itselfAndElements: [JSONValue] { [self] + (arrayValue ?? []) }

  fileprivate var kind: ValueType {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .integer, .unsigned, .double: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Returns the number if it is an integer of 128 bits.
  fileprivate var whole: Int128? {
    switch self {
    case .integer(let number): Int128(number)
    case .unsigned(let number): Int128(number)
    case .double(let number): Int128(exactly: number)
    default: nil
    }
  }
}

/// Orders as numbers below, at or above 0.
private enum Plainly {
  /// Compares booleans, numbers and texts; nil for other values.
  static func scalars(_ left: JSONValue, _ right: JSONValue) -> Int? {
    let ranks: [ValueType: Int] = [.boolean: 0, .number: 1, .string: 2]
    guard let below = ranks[left.kind], let above = ranks[right.kind] else { return nil }
    if below != above { return below - above }
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
    case (.string(let left), .string(let right)): return bytes(left.utf8, right.utf8)
    default:
      guard let left = place(of: left), let right = place(of: right) else { return nil }
      return left == right ? 0 : left < right ? -1 : 1
    }
  }

  static func bytes(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
    left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
  }

  /// Numbers as a whole and a fractional part; numbers beyond all JSON integers separately.
  private static func place(of number: JSONValue) -> (Int128, Double)? {
    if let whole = number.whole, whole.magnitude < 1 << 100 { return (whole, 0) }
    guard case .double(let double) = number, !double.isNaN else { return nil }
    if double.magnitude >= 0x1p100 { return (double < 0 ? -1 << 110 : 1 << 110, double) }
    let floor = double.rounded(.down)
    return (Int128(floor), double - floor)
  }

  /// Compares a text that is a decimal number with another one; nil if the first is not a number.
  static func decimals(_ value: JSONValue, _ operand: JSONString) -> Int? {
    guard let left = value.textValue.flatMap(Spelled.init), let right = Spelled(operand) else {
      return nil
    }
    if left.sign != right.sign { return left.sign - right.sign }
    let order =
      left.power != right.power ? left.power - right.power : bytes(left.digits, right.digits)
    return order * left.sign
  }

  /// sign · 0.digits · 10^power, without zeros at either end.
  private struct Spelled {
    var sign = 1
    var digits: [UInt8] = []
    var power = 0

    init?(_ text: JSONString) {
      guard text.utf8.count <= 1000 else { return nil }
      var rest = text.utf8[...]
      if let first = rest.first, first == 0x2d || first == 0x2b {
        if first == 0x2d { sign = -1 }
        rest.removeFirst()
      }
      let parts = rest.split(maxSplits: 1, omittingEmptySubsequences: false) {
        $0 == 0x65 || $0 == 0x45
      }
      if parts.count == 2 {
        let figures =
          parts[1].first == 0x2d || parts[1].first == 0x2b ? parts[1].dropFirst() : parts[1]
        guard (1...6).contains(figures.count), figures.allSatisfy(Self.isDigit) else { return nil }
        power = figures.reduce(0) { $0 * 10 + Int($1 - 0x30) } * (parts[1].first == 0x2d ? -1 : 1)
      }
      var isPastPoint = false
      var count = 0
      for byte in parts[0] {
        if byte == 0x2e, !isPastPoint {
          isPastPoint = true
          continue
        }
        guard Self.isDigit(byte) else { return nil }
        count += 1
        if digits.isEmpty && byte == 0x30 {
          if isPastPoint { power -= 1 }
        } else {
          digits.append(byte)
          if !isPastPoint { power += 1 }
        }
      }
      guard count > 0 else { return nil }
      while digits.last == 0x30 { digits.removeLast() }
      if digits.isEmpty { (sign, power) = (0, 0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  }
}

extension RegularExpression {
  /// Whether a part of the text matches.
  ///
  /// - Complexity: the parts of the expression times the square of the length of the text, at most.
  fileprivate func occurs(in text: JSONString) -> Bool {
    let scalars = Array(text.string.unicodeScalars)
    return !Self.ends(of: root, in: scalars, from: Set(0...scalars.count)).isEmpty
  }

  /// The places where a match of a node can end that begins at one of the given places.
  private static func ends(
    of node: Node, in text: [Unicode.Scalar], from places: Set<Int>
  ) -> Set<Int> {
    switch node {
    case .scalar(let set):
      Set(
        places.lazy.filter { place in
          place < text.count
            && set.ranges.contains { $0.contains(text[place].value) } != set.isNegated
        }.map { $0 + 1 })
    case .start: places.intersection([0])
    case .end: places.intersection([text.count])
    case .sequence(let nodes): nodes.reduce(places) { ends(of: $1, in: text, from: $0) }
    case .choice(let nodes):
      nodes.reduce(into: []) { $0.formUnion(ends(of: $1, in: text, from: places)) }
    case .repeated(let node, let least, let most):
      repetitions(of: node, least, most, in: text, from: places)
    }
  }

  private static func repetitions(
    of node: Node, _ least: Int, _ most: Int?, in text: [Unicode.Scalar], from places: Set<Int>
  ) -> Set<Int> {
    var found = (0..<least).reduce(places) { places, _ in ends(of: node, in: text, from: places) }
    var fresh = found
    var left = most.map { $0 - least } ?? .max
    // A place that was reached earlier had more repetitions left, so it adds no matches.
    while left > 0, !fresh.isEmpty {
      fresh = ends(of: node, in: text, from: fresh).subtracting(found)
      found.formUnion(fresh)
      left -= 1
    }
    return found
  }
}
