internal import JSON

/// The tokens of a predicate's text.
struct PredicateLexer {
  enum Word: Hashable {
    /// A name, a key path or a keyword.
    case name(JSONString)
    case number(JSONString)
    case string(JSONString)
    /// `%@` and similar placeholders, with the letters after the percent sign.
    case argument(JSONString)
    case sign(JSONString)
    case end
  }

  private let bytes: [UInt8]
  private var place = 0

  init(_ text: JSONString) { bytes = Array(text.utf8) }

  /// All tokens, including the end.
  static func words(_ text: JSONString) throws(FetchPredicateError) -> [Word] {
    var lexer = PredicateLexer(text)
    var words: [Word] = []
    while words.last != .end { words.append(try lexer.next()) }
    return words
  }

  private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take(while isWanted: (UInt8) -> Bool) throws(FetchPredicateError)
    -> JSONString
  {
    let start = place
    while let byte, isWanted(byte) { place += 1 }
    return try text(bytes[start..<place])
  }

  private func text(_ bytes: some Collection<UInt8>) throws(FetchPredicateError) -> JSONString {
    guard let text = JSONString(validating: Array(bytes)) else {
      throw FetchPredicateError(.badFormat, nil, message: "invalid character in a name")
    }
    return text
  }

  private mutating func next() throws(FetchPredicateError) -> Word {
    while let byte, byte == 32 || (9...13).contains(byte) { place += 1 }
    guard let first = byte else { return .end }
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try string(until: first))
    case UInt8(ascii: "%"):
      place += 1
      let letters = try take { Self.isLetter($0) || $0 == UInt8(ascii: "@") }
      guard !letters.isEmpty else {
        throw FetchPredicateError(.badFormat, "%", message: "expected a placeholder after %")
      }
      return .argument(letters)
    case UInt8(ascii: "#"):
      // The next token is a name even if it is a keyword.
      place += 1
      return .name(try take(while: Self.isNamePart))
    case _ where Self.isDigit(first): return .number(try number())
    case _ where Self.isNamePart(first): return .name(try take(while: Self.isNamePart))
    default: return .sign(try sign())
    }
  }

  private mutating func number() throws(FetchPredicateError) -> JSONString {
    let start = place
    _ = try take(while: Self.isDigit)
    if byte == UInt8(ascii: "."), place + 1 < bytes.count, Self.isDigit(bytes[place + 1]) {
      place += 1
      _ = try take(while: Self.isDigit)
    }
    if let byte, byte | 0x20 == UInt8(ascii: "e") {
      place += 1
      if self.byte == UInt8(ascii: "-") || self.byte == UInt8(ascii: "+") { place += 1 }
      guard !(try take(while: Self.isDigit)).isEmpty else {
        throw FetchPredicateError(.badFormat, nil, message: "expected digits in the exponent")
      }
    }
    return try text(bytes[start..<place])
  }

  private mutating func string(until quote: UInt8) throws(FetchPredicateError) -> JSONString {
    place += 1
    var content: [UInt8] = []
    while let byte, byte != quote {
      place += 1
      guard byte == UInt8(ascii: "\\") else {
        content.append(byte)
        continue
      }
      guard let escaped = self.byte else { break }
      place += 1
      switch escaped {
      case UInt8(ascii: "n"): content.append(10)
      case UInt8(ascii: "t"): content.append(9)
      case UInt8(ascii: "r"): content.append(13)
      default: content.append(escaped)
      }
    }
    guard byte == quote else {
      throw FetchPredicateError(.badFormat, nil, message: "unterminated string")
    }
    place += 1
    return try text(content)
  }

  private static let signs = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}",
    ",",
    "[", "]", "-", "+", "**", "*", "/",
  ]

  private mutating func sign() throws(FetchPredicateError) -> JSONString {
    for sign in Self.signs where bytes[place...].starts(with: sign.utf8) {
      place += sign.utf8.count
      return JSONString(sign)
    }
    throw FetchPredicateError(
      .badFormat, nil, message: "unexpected byte \(bytes[place]) at offset \(place)")
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  /// Letters, digits, `_`, `$`, points between names, `@`, and all non-ASCII characters.
  private static func isNamePart(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte >= 128 || "_$.@".utf8.contains(byte)
  }
}
