internal import JSON

/// Reads the notation of tables of operations.
///
/// ```
/// # A description of the entry below.
/// purge(id: name, revs: [name]) needs purge -> purged ! badID, badRevision
/// purged = {purged: unordered [text]}
/// error tooLarge(limit: integer)
/// ```
///
/// | notation | shape |
/// |---|---|
/// | `text`, `integer`, `number`, `bool`, `null` | a scalar |
/// | `text(1..)`, `integer(0..9)` | of at least 1 character; in a range |
/// | `text(^a$)` | matching a regular expression without parentheses |
/// | `"a"`, `7`, `true` | a constant |
/// | `name`, `sequence` | where a vector may refer to a bound name |
/// | `data`, `data S` | any value, or one of the shape `S`, compared as a whole |
/// | `object`, `array` | any object, any list |
/// | `{a: S, b?: S, (c: S / d: S)}` | an object: `b` is optional, and it has either `c` or `d` |
/// | `{*: S}`, `{1: S}` | an object with any names; with one name |
/// | `[S]`, `<S, S>` | a list; a list of 2 elements |
/// | `unordered [S]`, `winnerFirst [S]`, `dense [S]`, `results [S]` | a list in another order |
/// | `S \| S` | one of several |
/// | anything else | the definition of this name |
///
/// A member may end in `needs CAPABILITY`, `with MEMBER` and `matched MEMBER`. After the arguments of
/// an operation, `as TYPE.CASE` names the enum case that holds them, from which
/// `tools/operations/generate.py` writes the reader and the writer; without it the case has the name
/// of the operation.
struct TableParser {
  private let bytes: [UInt8]
  private var place = 0
  /// The end of the last word that was read.
  private var wordEnd = 0
  private var comment: [String] = []
  private(set) var table = OperationTable()

  /// Parses a table that is part of the program; stops the program if the text is not valid.
  static func table(_ text: String) -> OperationTable {
    var parser = TableParser(bytes: Array(text.utf8))
    while !parser.isAtEnd { parser.readEntry() }
    return parser.table
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func readEntry() {
    let description = comment.isEmpty ? nil : comment.joined(separator: " ")
    comment = []
    let name = word()
    if name == "error" {
      let kind = word()
      table.errors.append((JSONString(kind), next(is: "(") ? arguments() : []))
    } else if accept("=") {
      let start = place
      let shape = shape()
      table.define(
        JSONString(name), shape, notation: notation(from: start), description: description)
    } else {
      table.add(operation(name, description))
    }
  }

  private mutating func operation(_ name: String, _ description: String?) -> OperationRow {
    var row = OperationRow(name: name, arguments: arguments(), description: description)
    if accept("as") {
      repeat { _ = word() } while accept(".")
    }
    if accept("needs") { row.capabilities = Set(words().map { Capability($0) }) }
    expect("->")
    row.result = JSONString(word())
    while accept("if") {
      let argument = JSONString(word())
      expect("=")
      guard case .scalar(_, let keywords) = constant(), let value = keywords["const"] else {
        fail("expected a constant")
      }
      expect(":")
      row.variants.append(.init(argument: argument, value: value, result: JSONString(word())))
    }
    if accept("!") { row.errors = words() }
    return row
  }

  private mutating func arguments() -> [ValueShape.Member] {
    expect("(")
    return members(until: ")")
  }

  private mutating func members(until end: String) -> [ValueShape.Member] {
    var members: [ValueShape.Member] = []
    while !accept(end) {
      if accept("(") {
        repeat {
          var member = member()
          member.presence = .choice
          members.append(member)
        } while accept("/")
        expect(")")
      } else {
        members.append(member())
      }
      if !next(is: end) { expect(",") }
    }
    return members
  }

  private mutating func member() -> ValueShape.Member {
    let name = JSONString(word())
    let isOptional = accept("?")
    expect(":")
    let start = place
    var member = ValueShape.Member(name, shape())
    member.notation = notation(from: start)
    if isOptional { member.presence = .optional }
    if accept("needs") { member.capability = Capability(word()) }
    if accept("with") { member.companion = JSONString(word()) }
    if accept("matched") { member.pattern = JSONString(word()) }
    return member
  }

  // MARK: Shapes

  private mutating func shape() -> ValueShape {
    var shapes = [single()]
    while accept("|") { shapes.append(single()) }
    if shapes.count == 1 { return shapes[0] }
    // Constants of one kind are one scalar.
    let constants = shapes.compactMap { shape in
      if case .scalar(let kind, let keywords) = shape, let value = keywords["const"] {
        (kind, value)
      } else {
        nil
      }
    }
    if constants.count == shapes.count, constants.allSatisfy({ $0.0 == constants[0].0 }) {
      return .scalar(constants[0].0, ["enum": .array(constants.map { $0.1 })])
    }
    return .alternatives(shapes)
  }

  private mutating func single() -> ValueShape {
    if next(is: "\"") || isDigit(peek()) || peek() == UInt8(ascii: "-") { return constant() }
    if accept("{") { return braces() }
    if next(is: "[") { return list(.inOrder) }
    if accept("<") {
      var shapes: [ValueShape] = []
      repeat { shapes.append(shape()) } while accept(",")
      expect(">")
      return .tuple(shapes)
    }
    if accept("(") {
      let inner = shape()
      expect(")")
      return inner
    }
    let name = word()
    switch name {
    case "true", "false": return .scalar(.bool, ["const": .bool(name == "true")])
    case "text": return .scalar(.text, textKeywords())
    case "integer": return .scalar(.integer, range("minimum", "maximum") ?? Self.integers)
    case "number": return .scalar(.number, [:])
    case "bool": return .scalar(.bool, [:])
    case "null": return .null
    case "name": return .name
    case "sequence": return .sequence
    case "object": return .object
    case "array": return .array
    case "data": return .data(isShapeNext ? single() : nil)
    case "unordered": return list(.open)
    case "winnerFirst": return list(.winnerFirst)
    case "dense": return list(.inOrderIfDense)
    case "results": return list(.results)
    default: return .definition(JSONString(name))
    }
  }

  private mutating func list(_ order: ValueShape.Order) -> ValueShape {
    expect("[")
    let element = shape()
    expect("]")
    return .list(of: element, order)
  }

  private mutating func braces() -> ValueShape {
    let isSingle = accept("1")
    guard isSingle || accept("*") else { return .members(members(until: "}")) }
    expect(":")
    let value = shape()
    expect("}")
    return .map(of: value, isSingle: isSingle)
  }

  private mutating func constant() -> ValueShape {
    if accept("true") { return .scalar(.bool, ["const": true]) }
    if accept("\"") {
      let value = raw(until: UInt8(ascii: "\""))
      return .scalar(.text, ["const": .text(value)])
    }
    return .scalar(.integer, ["const": .integer(integer())])
  }

  private static let integers: JSONObject = [
    "minimum": .integer(.min), "maximum": .integer(.max),
  ]

  private mutating func textKeywords() -> JSONObject {
    guard next(is: "("), place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "^") else {
      return range("minLength", "maxLength") ?? [:]
    }
    expect("(")
    return ["pattern": .text(raw(until: UInt8(ascii: ")")))]
  }

  private mutating func range(_ lower: JSONString, _ upper: JSONString) -> JSONObject? {
    guard accept("(") else { return nil }
    var keywords: JSONObject = [lower: .integer(integer())]
    expect("..")
    if !next(is: ")") { keywords[upper] = .integer(integer()) }
    expect(")")
    return keywords
  }

  // MARK: Tokens

  private var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return place == bytes.count
    }
  }

  /// Whether another shape follows, and not the end of a member.
  private var isShapeNext: Bool {
    mutating get {
      let ends = [",", ")", "}", "]", ">", "|", "/"] + ["needs", "with", "matched"]
      return !isAtEnd && !ends.contains { next(is: $0) }
    }
  }

  private mutating func skipSpace() {
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "#") {
        place += 1
        comment.append(raw(until: UInt8(ascii: "\n")).trimmed)
      } else if Self.isSpace(bytes[place]) {
        place += 1
      } else {
        return
      }
    }
  }

  private mutating func peek() -> UInt8? { isAtEnd ? nil : bytes[place] }

  private func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }

  private func isWord(at place: Int) -> Bool {
    guard place < bytes.count else { return false }
    switch bytes[place] {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return true
    case UInt8(ascii: "-"): return isWord(at: place + 1)
    default: return false
    }
  }

  private mutating func next(is token: String) -> Bool {
    skipSpace()
    let token = Array(token.utf8)
    let end = place + token.count
    guard end <= bytes.count, bytes[place..<end].elementsEqual(token) else { return false }
    return !isWord(at: end - 1) || !isWord(at: end)
  }

  private mutating func accept(_ token: String) -> Bool {
    guard next(is: token) else { return false }
    place += token.utf8.count
    return true
  }

  private mutating func expect(_ token: String) {
    if !accept(token) { fail("expected '\(token)'") }
  }

  private mutating func word() -> String {
    skipSpace()
    let start = place
    while isWord(at: place) { place += 1 }
    if place == start { fail("expected a word") }
    wordEnd = place
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func words() -> [String] {
    var words = [word()]
    while accept(",") { words.append(word()) }
    return words
  }

  private mutating func integer() -> Int64 {
    let text = word()
    guard let value = Int64(text) else { fail("expected an integer, found '\(text)'") }
    return value
  }

  private mutating func raw(until end: UInt8) -> String {
    let start = place
    while place < bytes.count, bytes[place] != end { place += 1 }
    defer { place = min(place + 1, bytes.count) }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  /// The text since a place, with single spaces.
  private func notation(from start: Int) -> String {
    bytes[start..<place].split(whereSeparator: Self.isSpace)
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
  }

  private func fail(_ message: String) -> Never {
    // The place may be in a later entry: a missing sign shows only there.
    let line = bytes[..<wordEnd].count { $0 == UInt8(ascii: "\n") } + 1
    let start = bytes[..<wordEnd].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let text = String(decoding: bytes[start..<wordEnd], as: UTF8.self).trimmed
    preconditionFailure("table of operations, line \(line): \(message) after '\(text)'")
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
