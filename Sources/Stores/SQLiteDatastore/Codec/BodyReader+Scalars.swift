internal import JSON

extension BodyReader {
  // MARK: Strings

  /// The string whose opening quote is next.
  mutating func string() throws(BodyCodecError) -> JSONString {
    place += 1
    let start = place
    while true {
      switch next {
      case UInt8(ascii: "\""):
        let text = JSONString(validating: UnsafeBufferPointer(rebasing: bytes[start..<place]))
        guard let text else { throw failure("invalid UTF-8 in a string") }
        place += 1
        return text
      case UInt8(ascii: "\\"): return try string(from: start)
      case 0..<0x20: throw failure("unterminated string")
      default: place += 1
      }
    }
  }

  /// The string that starts at an offset and contains an escape sequence.
  private mutating func string(from start: Int) throws(BodyCodecError) -> JSONString {
    var characters = Array(bytes[start..<place])
    while true {
      let byte = next
      switch byte {
      case 0..<0x20: throw failure("unterminated string")
      case UInt8(ascii: "\""):
        guard let text = JSONString(validating: characters) else {
          throw failure("invalid UTF-8 in a string")
        }
        place += 1
        return text
      case UInt8(ascii: "\\"):
        place += 1
        try escape(&characters)
      default:
        characters.append(byte)
        place += 1
      }
    }
  }

  /// Parses an escape sequence after its backslash.
  private mutating func escape(_ characters: inout [UInt8]) throws(BodyCodecError) {
    let byte = next
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): characters.append(byte)
    case UInt8(ascii: "b"): characters.append(0x08)
    case UInt8(ascii: "t"): characters.append(0x09)
    case UInt8(ascii: "n"): characters.append(0x0a)
    case UInt8(ascii: "f"): characters.append(0x0c)
    case UInt8(ascii: "r"): characters.append(0x0d)
    case UInt8(ascii: "u"):
      var code = try fourDigits()
      if (0xd800..<0xdc00).contains(code), next == UInt8(ascii: "\\") {
        place += 1
        guard next == UInt8(ascii: "u") else { throw failure("unpaired surrogate") }
        place += 1
        let low = try fourDigits()
        guard (0xdc00..<0xe000).contains(low) else { throw failure("unpaired surrogate") }
        code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw failure("unpaired surrogate") }
      characters += UTF8.encode(scalar).map { Array($0) } ?? []
    default: throw failure("unknown escape sequence")
    }
  }

  private mutating func fourDigits() throws(BodyCodecError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = hexadecimalValue(next) else {
        throw failure("expected a hexadecimal digit")
      }
      code = code << 4 | UInt32(digit)
      place += 1
    }
    return code
  }

  // MARK: Numbers

  mutating func number() throws(BodyCodecError) -> JSONValue {
    let start = place
    let isNegative = next == UInt8(ascii: "-")
    if isNegative { place += 1 }
    var digits = Digits()
    if next == UInt8(ascii: "0") { place += 1 } else { try read(&digits) }
    var exponent = 0
    var isInteger = true
    if next == UInt8(ascii: ".") {
      isInteger = false
      place += 1
      let point = place
      try read(&digits)
      exponent = point - place
    }
    if next | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      exponent += try readExponent()
    }
    if isInteger, let value = digits.integer(isNegative: isNegative) { return value }
    if isInteger { throw failure("integer out of range") }
    if let magnitude = digits.exactDouble(timesTenTo: exponent) {
      return .double(isNegative ? -magnitude : magnitude)
    }
    guard let value = Double(String(decoding: bytes[start..<place], as: UTF8.self)),
      value.isFinite
    else { throw failure("number out of range") }
    return .double(value)
  }

  /// Parses digits, at least one.
  private mutating func read(_ digits: inout Digits) throws(BodyCodecError) {
    let start = place
    while let digit = decimalValue(next) {
      digits.append(digit)
      place += 1
    }
    guard place > start else { throw failure("no value") }
  }

  private mutating func readExponent() throws(BodyCodecError) -> Int {
    place += 1
    let isNegative = next == UInt8(ascii: "-")
    if isNegative || next == UInt8(ascii: "+") { place += 1 }
    var digits = Digits()
    try read(&digits)
    // Beyond this exponent every number is 0 or out of range, whatever its digits are.
    let magnitude = digits.hasOverflown ? 100_000 : Int(min(digits.value, 100_000))
    return isNegative ? -magnitude : magnitude
  }
}

/// The value of decimal digits.
private struct Digits {
  var value: UInt64 = 0
  var hasOverflown = false

  @inline(__always)
  mutating func append(_ digit: UInt8) {
    let (tens, isTooMuch) = value.multipliedReportingOverflow(by: 10)
    let (sum, isTooMuchAgain) = tens.addingReportingOverflow(UInt64(digit))
    value = sum
    if isTooMuch || isTooMuchAgain { hasOverflown = true }
  }

  /// The integer with this sign; nil if no JSON value can represent it.
  func integer(isNegative: Bool) -> JSONValue? {
    if hasOverflown { return nil }
    guard isNegative else { return JSONValue(value) }
    if value == 0 { return .double(-0.0) }
    return value <= Int64.min.magnitude ? .integer(Int64(truncatingIfNeeded: 0 &- value)) : nil
  }

  /// The number times a power of ten if one exact operation yields it, and therefore the closest
  /// double.
  func exactDouble(timesTenTo exponent: Int) -> Double? {
    guard !hasOverflown, value <= 1 << 53, (-22...22).contains(exponent) else { return nil }
    var power = 1.0
    for _ in 0..<exponent.magnitude { power *= 10 }
    return exponent < 0 ? Double(value) / power : Double(value) * power
  }
}
