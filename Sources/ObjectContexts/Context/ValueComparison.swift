internal import Datastore
internal import JSON
internal import ObjectMapping

/// Compares one value with the constants of a predicate.
struct ValueComparison {
  typealias Operator = PredicateComparison.Operator

  private let comparison: PredicateComparison

  init(_ comparison: PredicateComparison) { self.comparison = comparison }

  func holds(for value: PropertyValue) throws(PredicateError) -> Bool {
    switch (comparison.operator, comparison.operand) {
    case (.isIn, .list(let list)):
      for constant in list where try holds(value, .equal, constant) { return true }
      return false
    case (.isIn, .value(let constant)): return try holds(value, .equal, constant)
    case (.between, .list(let ends)) where ends.count == 2:
      let isAbove = try holds(value, .greaterOrEqual, ends[0])
      return try holds(value, .lessOrEqual, ends[1]) && isAbove
    case (_, .value(let constant)): return try holds(value, comparison.operator, constant)
    default:
      throw PredicateError(
        .unsupported, Text(comparison.operator.rawValue),
        "IN takes a list, BETWEEN a list of two, and all else one value")
    }
  }

  private func holds(
    _ value: PropertyValue, _ operator: Operator, _ constant: PredicateValue
  ) throws(PredicateError) -> Bool {
    if constant == .none {
      switch `operator` {
      case .equal: return value == .none
      case .notEqual: return value != .none
      // Nothing is before nil, and nothing after.
      case .less, .lessOrEqual, .greater, .greaterOrEqual: return false
      default: throw PredicateError(.wrongType, nil, "nil has no letters")
      }
    }
    // Nothing is equal to NaN, or different from it.
    if constant.isNaN { return false }
    switch value {
    case .none: return `operator` == .notEqual
    case .toOne(let id):
      guard case .object(let other) = constant else {
        throw PredicateError(.wrongType, nil, "an object is compared with objects")
      }
      return `operator`.holds(false, id == other)
    case .toMany: throw PredicateError(.needsQuantifier, nil, "there are many")
    case .attribute(let value): return try holds(value, `operator`, constant)
    }
  }

  private func holds(
    _ value: AttributeValue, _ operator: Operator, _ constant: PredicateValue
  ) throws(PredicateError) -> Bool {
    switch (value, constant) {
    case (.bool(let left), .bool(let right)): return `operator`.holds(false, left == right)
    case (.bool(let left), .integer(let right)):
      return `operator`.holds(false, left == (right != 0))
    case (.integer(let left), .integer(let right)):
      return `operator`.holds(left < right, left == right)
    case (.integer(let left), .bool(let right)):
      return `operator`.holds(left < (right ? 1 : 0), left == (right ? 1 : 0))
    case (.integer(let left), .double(let right)):
      let order = left.order(with: right)
      return `operator`.holds(order < 0, order == 0)
    case (.double(let left), _): return try holds(left, `operator`, constant)
    case (.float(let left), _): return try holds(left.asWritten, `operator`, constant)
    case (.date(let left), .date(let right)): return `operator`.holds(left < right, left == right)
    case (.decimal(let left), _):
      guard !left.isNaN else { return false }
      let right = try decimal(constant)
      let isLess = left.isLess(than: right)
      return `operator`.holds(isLess, !isLess && !right.isLess(than: left))
    case (.text(let left), .text(let right)), (.identifier(let left), .text(let right)):
      return try TextComparison(ignoresCase: comparison.ignoresCase)
        .holds(left, `operator`, right)
    default: throw PredicateError(.wrongType, nil, "these are not compared with each other")
    }
  }

  private func holds(
    _ number: Double, _ operator: Operator, _ constant: PredicateValue
  ) throws(PredicateError) -> Bool {
    guard !number.isNaN else { return false }
    switch constant {
    case .double(let right): return `operator`.holds(number < right, number == right)
    case .integer(let right):
      let order = -right.order(with: number)
      return `operator`.holds(order < 0, order == 0)
    case .decimal(let right):
      let right = Double(right.description) ?? .nan
      return `operator`.holds(number < right, number == right)
    default: throw PredicateError(.wrongType, nil, "expected a number")
    }
  }

  private func decimal(_ constant: PredicateValue) throws(PredicateError) -> DecimalNumber {
    switch constant {
    case .decimal(let number): return number
    case .integer(let number):
      if let decimal = DecimalNumber(text: "\(number)".utf8) { return decimal }
    case .double(let number):
      if let decimal = DecimalNumber(text: "\(number)".utf8) { return decimal }
    default: break
    }
    throw PredicateError(.wrongType, nil, "expected a number")
  }
}

/// Compares texts, by their bytes, and by patterns where a part of a text is meant.
private struct TextComparison {
  let ignoresCase: Bool

  func holds(
    _ text: Text, _ operator: PredicateComparison.Operator, _ other: Text
  ) throws(PredicateError) -> Bool {
    let (left, right) = (bytes(text), bytes(other))
    switch `operator` {
    case .beginsWith: return left.starts(with: right)
    case .endsWith: return left.reversed().starts(with: right.reversed())
    case .contains:
      return right.isEmpty || left.indices.contains { left[$0...].starts(with: right) }
    case .like: return isLike(scalars(text)[...], pattern(other)[...])
    case .matches:
      guard let expression = try? RegularExpression(other) else {
        throw PredicateError(.unsupported, other, "its pattern is not understood")
      }
      return expression.matchesWhole(text)
    default: return `operator`.holds(left.lexicographicallyPrecedes(right), left == right)
    }
  }

  private func bytes(_ text: Text) -> [UInt8] {
    text.utf8.map { ignoresCase && (65...90).contains($0) ? $0 | 0x20 : $0 }
  }

  private func scalars(_ text: Text) -> [UInt32] {
    text.string.unicodeScalars.map {
      ignoresCase && (65...90).contains($0.value) ? $0.value | 0x20 : $0.value
    }
  }

  private enum Piece {
    case anything
    case anyOne
    case letter(UInt32)
  }

  private func pattern(_ text: Text) -> [Piece] {
    var pieces: [Piece] = []
    var isEscaped = false
    for scalar in scalars(text) {
      switch (isEscaped, scalar) {
      case (false, 0x5C):
        isEscaped = true
        continue
      case (false, 0x2A): pieces.append(.anything)
      case (false, 0x3F): pieces.append(.anyOne)
      default: pieces.append(.letter(scalar))
      }
      isEscaped = false
    }
    return pieces
  }

  /// In time that grows with text times pattern: only the last `*` is ever tried again.
  private func isLike(_ text: ArraySlice<UInt32>, _ pattern: ArraySlice<Piece>) -> Bool {
    var (text, pattern) = (text, pattern)
    var retry: (text: ArraySlice<UInt32>, pattern: ArraySlice<Piece>)?
    while true {
      switch pattern.first {
      case .anything?:
        pattern = pattern.dropFirst()
        retry = (text, pattern)
        continue
      case .anyOne? where !text.isEmpty:
        (text, pattern) = (text.dropFirst(), pattern.dropFirst())
        continue
      case .letter(let scalar)? where text.first == scalar:
        (text, pattern) = (text.dropFirst(), pattern.dropFirst())
        continue
      case nil where text.isEmpty: return true
      default: break
      }
      guard let last = retry, !last.text.isEmpty else { return false }
      retry = (last.text.dropFirst(), last.pattern)
      (text, pattern) = (last.text.dropFirst(), last.pattern)
    }
  }
}

extension Int64 {
  /// -1, 0 or 1 as it is less than, equal to or greater than a double, without rounding.
  fileprivate func order(with double: Double) -> Int {
    if double >= 0x1p63 { return -1 }
    if double < -0x1p63 { return 1 }
    let whole = Int64(double)
    if self != whole { return self < whole ? -1 : 1 }
    let rest = double - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }
}

extension Float {
  /// The number that stands in documents: the shortest digits as a double, unless those of the largest
  /// float, which are beyond it.
  fileprivate var asWritten: Double {
    guard isFinite, let shortest = Double("\(self)") else { return Double(self) }
    return shortest.magnitude > Double(Float.greatestFiniteMagnitude) ? Double(self) : shortest
  }
}
