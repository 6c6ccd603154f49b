// The parser accepts the texts of RFC 8259, in UTF-8, and nothing else: no byte order mark, no
// comments, no trailing commas, no raw control characters in strings. The RFC leaves some results
// open. Stores differ in these cases, so each result is defined here:
//
//     text                        result
//     1   -7   9223372036854775807   integer, within 64 signed bits
//     9223372036854775808            unsigned, up to 18446744073709551615
//     18446744073709551616           double, because a double represents this integer exactly
//     18446744073709551617           error: out of range, since rounding would change it
//     1.0   1e2   0.1                double, the nearest one, also if its value is integral
//     -0   -0.0                      double, the negative zero
//     1e400   1e-400                 error: out of range, neither infinity nor a silent zero
//     "\u0000"                       a string with one NUL; member names may have it as well
//     "\ud83d\ude00"                 one scalar from a surrogate pair
//     "\ud83d"                       error: unpaired surrogate
//     {"a":1,"a":2}                  error: duplicate name, compared byte by byte
//     {"é":1,"é":2}                  two members, if one name is composed and one decomposed
//
// The first invalid byte determines the error, except that a text over the size limit is not read
// at all. The functions descend recursively; the depth limit bounds the stack.

extension JSONValue {
  /// Parses a JSON text in UTF-8; throws the first error with its offset.
  public static func parse(
    _ bytes: some Collection<UInt8>, limits: JSONLimits = .standard
  ) throws(JSONError) -> JSONValue {
    let result = bytes.withContiguousStorageIfAvailable { parse(contiguous: $0, limits: limits) }
    guard let result else { return try parse(Array(bytes), limits: limits) }
    return try result.get()
  }

  /// Parses a JSON text; throws the first error with its offset.
  public static func parse(
    _ text: String, limits: JSONLimits = .standard
  ) throws(JSONError) -> JSONValue {
    var text = text
    return try text.withUTF8 { parse(contiguous: $0, limits: limits) }.get()
  }

  /// Returns a result instead of throwing, because `rethrows` functions of the standard library
  /// lose the type of the error.
  private static func parse(
    contiguous bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits
  ) -> Result<JSONValue, JSONError> {
    var parser = JSONParser(bytes, limits: limits)
    do throws(JSONError) {
      return .success(try parser.parseText())
    } catch {
      return .failure(error)
    }
  }
}

/// One pass over one text: a position in its bytes, and a method for each rule of the grammar.
struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  let limits: JSONLimits
  var position = 0
  /// The number of open arrays and objects.
  var depth = 0
  /// The bytes of the string being unescaped; kept to reuse its memory.
  var unescaped: [UInt8] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Parses the complete text: one value with white space around it.
  mutating func parseText() throws(JSONError) -> JSONValue {
    guard bytes.count <= limits.bytesMax else {
      throw JSONError(.tooLarge(limit: limits.bytesMax), at: limits.bytesMax)
    }
    guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw JSONError(.byteOrderMark, at: 0) }
    skipWhiteSpace()
    let value = try parseValue()
    skipWhiteSpace()
    guard position == bytes.count else { throw JSONError(.trailingText, at: position) }
    return value
  }

  private mutating func parseValue() throws(JSONError) -> JSONValue {
    switch next {
    case .quote: return .string(try parseString())
    case .openBrace: return try parseObject()
    case .openBracket: return try parseArray()
    case .minus, .zero ... .nine: return try parseNumber()
    case .lowerT: return try parseLiteral("true", as: .bool(true))
    case .lowerF: return try parseLiteral("false", as: .bool(false))
    case .lowerN: return try parseLiteral("null", as: .null)
    default: throw unexpected("a value")
    }
  }

  private mutating func parseLiteral(
    _ literal: StaticString, as value: JSONValue
  ) throws(JSONError) -> JSONValue {
    for index in 0..<literal.utf8CodeUnitCount {
      guard next == literal.utf8Start[index] else { throw unexpected("the rest of '\(literal)'") }
      position += 1
    }
    return value
  }

  private mutating func parseArray() throws(JSONError) -> JSONValue {
    try open()
    guard next != .closeBracket else { return close(.array([])) }
    var elements: [JSONValue] = []
    while true {
      elements.append(try parseValue())
      skipWhiteSpace()
      switch next {
      case .comma: skipSeparator()
      case .closeBracket: return close(.array(elements))
      default: throw unexpected("',' or ']'")
      }
    }
  }

  private mutating func parseObject() throws(JSONError) -> JSONValue {
    try open()
    guard next != .closeBrace else { return close(.object(JSONObject())) }
    var members = DistinctMembers()
    while true {
      let offset = position
      guard next == .quote else {
        throw unexpected(members.isEmpty ? "a member name or '}'" : "a member name")
      }
      let name = try parseString()
      guard members.claim(name) else { throw JSONError(.duplicateName(name), at: offset) }
      skipWhiteSpace()
      guard next == .colon else { throw unexpected("':'") }
      skipSeparator()
      members.append(name, try parseValue())
      skipWhiteSpace()
      switch next {
      case .comma: skipSeparator()
      case .closeBrace: return close(.object(members.object))
      default: throw unexpected("',' or '}'")
      }
    }
  }

  /// Enters the array or object whose opening bracket comes next.
  private mutating func open() throws(JSONError) {
    guard depth < limits.depthMax else {
      throw JSONError(.tooDeep(limit: limits.depthMax), at: position)
    }
    depth += 1
    skipSeparator()
  }

  /// Leaves the array or object whose closing bracket comes next.
  private mutating func close(_ value: JSONValue) -> JSONValue {
    depth -= 1
    position += 1
    return value
  }
}

extension JSONParser {
  /// The byte at the position, or NUL at the end: NUL is valid nowhere, and `unexpected`
  /// distinguishes the two cases.
  var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  /// The error for the byte at the position, or for the end of the text there.
  func unexpected(_ expected: String) -> JSONError {
    let kind: JSONError.Kind =
      position < bytes.count
      ? .unexpectedByte(bytes[position], expected: expected) : .unexpectedEnd(expected: expected)
    return JSONError(kind, at: position)
  }

  /// The bytes from an offset to the position.
  func bytes(from start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[start..<position])
  }

  private mutating func skipWhiteSpace() {
    while true {
      switch next {
      case .space, .newline, .tab, .carriageReturn: position += 1
      default: return
      }
    }
  }

  /// Skips one byte and the white space after it.
  private mutating func skipSeparator() {
    position += 1
    skipWhiteSpace()
  }
}

/// The members of an object being parsed, with a check for duplicate names.
private struct DistinctMembers {
  /// Up to this number of names, pairwise comparison is faster than hashing.
  private static let scanCountMax = 16

  private var members: [JSONObject.Member] = []
  /// The names so far, once they are too many to scan.
  private var names: Set<JSONString> = []

  var isEmpty: Bool { members.isEmpty }
  var object: JSONObject { JSONObject(distinct: members) }

  /// Whether the name is new; if so, the next `append` must use it.
  mutating func claim(_ name: JSONString) -> Bool {
    guard members.count >= DistinctMembers.scanCountMax else {
      return !members.contains { $0.name == name }
    }
    if names.isEmpty { names = Set(members.lazy.map(\.name)) }
    return names.insert(name).inserted
  }

  mutating func append(_ name: JSONString, _ value: JSONValue) {
    members.append(JSONObject.Member(name, value))
  }
}
