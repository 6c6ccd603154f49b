internal import Datastore
public import JSON

/// The result of a comparison of two values.
public enum SortOrder {
  case less, same, greater

  init<Value: Comparable>(_ left: Value, _ right: Value) {
    self = left < right ? .less : left > right ? .greater : .same
  }

  var reversed: SortOrder {
    switch self {
    case .less: .greater
    case .same: .same
    case .greater: .less
    }
  }
}

extension SortOrder {
  /// The order in which documents are sorted: missing, null, false, true, numbers, strings, arrays,
  /// objects. All arrays compare equal, and so do all objects.
  public static func order(_ left: JSONValue?, _ right: JSONValue?) -> SortOrder {
    if let left, let right, let order = ofScalars(left, right) { return order }
    return SortOrder(rank(left), rank(right))
  }

  private static func rank(_ value: JSONValue?) -> Int {
    switch value {
    case nil: 0
    case .null: 1
    case .bool: 2
    case .integer, .unsigned, .double: 3
    case .string: 4
    case .array: 5
    case .object: 6
    }
  }

  /// The order of booleans, numbers and strings, in this sequence; nil if either value has another
  /// type.
  static func ofScalars(_ left: JSONValue, _ right: JSONValue) -> SortOrder? {
    let scalars = 2...4
    guard scalars ~= rank(left), scalars ~= rank(right) else { return nil }
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return SortOrder(left ? 1 : 0, right ? 1 : 0)
    case (.string(let left), .string(let right)):
      return left == right
        ? .same : left.utf8.lexicographicallyPrecedes(right.utf8) ? .less : .greater
    case _ where rank(left) == 3 && rank(right) == 3: return ofNumbers(left, right)
    default: return SortOrder(rank(left), rank(right))
    }
  }

  /// The order of two numbers by their exact values; nil if either value is not a number.
  private static func ofNumbers(_ left: JSONValue, _ right: JSONValue) -> SortOrder? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return SortOrder(left, right)
    case (.unsigned(let left), .unsigned(let right)): return SortOrder(left, right)
    case (.integer(let left), .unsigned(let right)): return of(left, right)
    case (.unsigned(let left), .integer(let right)): return of(right, left).reversed
    case (.double(let left), .double(let right)):
      return left.isNaN || right.isNaN ? nil : SortOrder(left, right)
    case (.integer(let left), .double(let right)): return of(left, right)
    case (.double(let left), .integer(let right)): return of(right, left)?.reversed
    case (.unsigned(let left), .double(let right)): return of(left, right)
    case (.double(let left), .unsigned(let right)): return of(right, left)?.reversed
    default: return nil
    }
  }

  private static func of(_ left: Int64, _ right: UInt64) -> SortOrder {
    left < 0 ? .less : SortOrder(UInt64(left), right)
  }

  // Conversion of the integer to a double might round it. So the double is truncated to an integer,
  // and the fraction decides between equals.

  private static func of(_ left: Int64, _ right: Double) -> SortOrder? {
    if right.isNaN { return nil }
    if right >= 0x1p63 { return .less }
    if right < -0x1p63 { return .greater }
    let whole = Int64(right)
    return left == whole ? SortOrder(Double(whole), right) : SortOrder(left, whole)
  }

  private static func of(_ left: UInt64, _ right: Double) -> SortOrder? {
    if right.isNaN { return nil }
    if right >= 0x1p64 { return .less }
    if right < 0 { return .greater }
    let whole = UInt64(right)
    return left == whole ? SortOrder(Double(whole), right) : SortOrder(left, whole)
  }
}

/// The exact value of a decimal number in text form.
///
/// The value is 0.d₁d₂d₃… times a power of ten, where neither the first nor the last digit is 0.
struct DecimalText {
  private let isNegative: Bool
  private let digits: [UInt8]
  private let power: Int

  /// Parses a sign, digits with a point, and an exponent of up to six digits; nil for anything
  /// else, and for more than 1,000 bytes.
  init?(_ text: JSONString) {
    var bytes = Array(text.utf8)
    guard bytes.count <= 1000 else { return nil }
    isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    var exponent = 0
    if let mark = bytes.firstIndex(where: { $0 | 32 == UInt8(ascii: "e") }) {
      let tail = String(decoding: bytes[(mark + 1)...], as: UTF8.self)
      let figures =
        tail.hasPrefix("-") || tail.hasPrefix("+") ? tail.dropFirst() : tail[...]
      guard (1...6).contains(figures.utf8.count), figures.utf8.allSatisfy(Self.isDigit),
        let value = Int(tail)
      else { return nil }
      exponent = value
      bytes.removeSubrange(mark...)
    }
    let parts = bytes.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let figures = Array(parts.joined())
    guard !figures.isEmpty, figures.allSatisfy(Self.isDigit) else { return nil }
    let zero = UInt8(ascii: "0")
    let significant = figures.drop { $0 == zero }
    var digits = Array(significant)
    while digits.last == zero { digits.removeLast() }
    self.digits = digits
    let leading = figures.count - significant.count
    power = digits.isEmpty ? 0 : exponent + (parts.first?.count ?? 0) - leading
  }

  private static func isDigit(_ byte: UInt8) -> Bool { ("0"..."9") ~= Unicode.Scalar(byte) }

  func order(to other: DecimalText) -> SortOrder {
    let signs = SortOrder(sign, other.sign)
    guard signs == .same else { return signs }
    let order: SortOrder
    if power != other.power {
      order = SortOrder(power, other.power)
    } else if digits == other.digits {
      order = .same
    } else {
      order = digits.lexicographicallyPrecedes(other.digits) ? .less : .greater
    }
    return sign < 0 ? order.reversed : order
  }

  /// -1, 0 or 1.
  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }
}
