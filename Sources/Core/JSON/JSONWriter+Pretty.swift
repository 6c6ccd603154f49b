extension JSONValue {
  /// The value as JSON text to be read by people; without a newline at its end.
  ///
  /// An array or object that fits in what is left of its line stays there; of any other, each
  /// element or member gets a line of its own. Lines are measured in bytes.
  public func pretty(indent: Int = 2, width: Int = 100, sortingNames: Bool = false) -> String {
    var writer = PrettyJSONWriter(indent: indent, width: width, sortsNames: sortingNames)
    writer.write(self, trailing: 0)
    return String(decoding: writer.compact.bytes, as: UTF8.self)
  }
}

/// Text being written with white space.
private struct PrettyJSONWriter {
  /// Holds the text so far and writes the scalars.
  var compact: JSONWriter
  /// How many spaces each level is indented by.
  let indent: Int
  /// How many bytes a line has at most, when it can be broken at all.
  let width: Int
  private var depth = 0
  /// The offset at which the current line starts.
  private var lineStart = 0

  init(indent: Int, width: Int, sortsNames: Bool) {
    compact = JSONWriter(sortsNames: sortsNames)
    self.indent = indent
    self.width = width
  }

  /// Writes a value that `trailing` more bytes will follow on its line.
  mutating func write(_ value: JSONValue, trailing: Int) {
    let start = compact.bytes.count
    if writeInline(value, until: lineStart + width - trailing) { return }
    compact.bytes.removeSubrange(start...)
    switch value {
    case .array(let elements) where !elements.isEmpty:
      writeLines(elements, .openBracket, closing: .closeBracket) { writer, element, trailing in
        writer.write(element, trailing: trailing)
      }
    case .object(let object) where !object.isEmpty:
      writeLines(compact.members(of: object), .openBrace, closing: .closeBrace) {
        writer, member, trailing in
        writer.compact.write(member.name)
        writer.compact.bytes += [.colon, .space]
        writer.write(member.value, trailing: trailing)
      }
    default: compact.write(value)
    }
  }

  /// Writes each item on a line of its own between two brackets.
  private mutating func writeLines<Item>(
    _ items: [Item], _ opening: UInt8, closing: UInt8,
    writeItem: (inout PrettyJSONWriter, Item, _ trailing: Int) -> Void
  ) {
    compact.bytes.append(opening)
    depth += 1
    for (index, item) in items.enumerated() {
      breakLine()
      let isLast = index == items.count - 1
      writeItem(&self, item, isLast ? 0 : 1)
      if !isLast { compact.bytes.append(.comma) }
    }
    depth -= 1
    breakLine()
    compact.bytes.append(closing)
  }

  private mutating func breakLine() {
    compact.bytes.append(.newline)
    lineStart = compact.bytes.count
    compact.bytes.append(contentsOf: repeatElement(.space, count: depth * indent))
  }

  /// Writes a value on the current line; gives up and returns false soon after passing `end`.
  ///
  /// Giving up soon keeps the whole linear: no level of nesting writes more than a line in vain.
  private mutating func writeInline(_ value: JSONValue, until end: Int) -> Bool {
    switch value {
    case .array(let elements):
      compact.bytes.append(.openBracket)
      for (index, element) in elements.enumerated() {
        if index > 0 { compact.bytes += [.comma, .space] }
        guard writeInline(element, until: end) else { return false }
      }
      compact.bytes.append(.closeBracket)
    case .object(let object):
      compact.bytes.append(.openBrace)
      for (index, member) in compact.members(of: object).enumerated() {
        if index > 0 { compact.bytes += [.comma, .space] }
        compact.write(member.name)
        compact.bytes += [.colon, .space]
        guard writeInline(member.value, until: end) else { return false }
      }
      compact.bytes.append(.closeBrace)
    case .string(let text):
      // A string that is too long even without escapes need not be written to know.
      guard compact.bytes.count + text.utf8.count <= end else { return false }
      compact.write(text)
    default: compact.writeScalar(value)
    }
    return compact.bytes.count <= end
  }
}
