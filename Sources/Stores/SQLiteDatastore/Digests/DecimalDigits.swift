/// The shortest decimal digits that identify a finite double, and its exponent.
///
/// 1230.0 has the digits `123` and the exponent 4: its value is 0.123 times 10^4. The digits are
/// those of Swift's description, which is shortest and closest.
struct DecimalDigits {
  var isNegative: Bool
  /// ASCII digits without zeros at either end; empty for zero.
  var digits: [UInt8]
  var exponent: Int

  init(_ value: Double) {
    isNegative = value.sign == .minus
    digits = []
    exponent = 0
    var written = 0
    var isNegativeExponent = false
    var part = Part.integer
    for byte in value.magnitude.description.utf8 {
      switch byte {
      case UInt8(ascii: "."): part = .fraction
      case UInt8(ascii: "e"): part = .exponent
      case UInt8(ascii: "-"): isNegativeExponent = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        switch part {
        case .integer:
          digits.append(byte)
          exponent += 1
        case .fraction: digits.append(byte)
        case .exponent: written = written * 10 + Int(byte - UInt8(ascii: "0"))
        }
      default: break
      }
    }
    exponent += isNegativeExponent ? -written : written
    let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(leadingZeros)
    exponent -= leadingZeros
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
  }

  private enum Part { case integer, fraction, exponent }

  /// The output of ECMAScript's `Number::toString`: `1`, `0.1`, `1e+21`, `1e-7`; −0 is `0`.
  var ecmaScript: [UInt8] {
    guard !digits.isEmpty else { return [UInt8(ascii: "0")] }
    var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    let zero = UInt8(ascii: "0")
    let point = UInt8(ascii: ".")
    switch exponent {
    case digits.count...21:
      text += digits + [UInt8](repeating: zero, count: exponent - digits.count)
    case 1..<max(1, digits.count):
      text += digits[..<exponent] + [point] + digits[exponent...]
    case -5...0:
      text += [zero, point] + [UInt8](repeating: zero, count: -exponent) + digits
    default:
      text.append(digits[0])
      if digits.count > 1 { text += [point] + digits[1...] }
      let power = exponent - 1
      text += "e\(power < 0 ? "-" : "+")\(power.magnitude)".utf8
    }
    return text
  }
}
