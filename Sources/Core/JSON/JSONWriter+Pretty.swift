extension JSONValue {
  /// The value as JSON text formatted for people, without a final newline.
  ///
  /// An array or object that fits on the rest of its line is written there; otherwise each element
  /// or member gets a separate line. Lines are measured in bytes.
  public func pretty(indent: Int = 2, width: Int = 100, sortingNames: Bool = false) -> String {
    var writer = PrettyJSONWriter(indent: indent, width: width, sortsNames: sortingNames)
    writer.write(self, trailing: 0)
    return String(decoding: writer.compact.bytes, as: UTF8.self)
  }
}

/// A writer of text with white space.
private struct PrettyJSONWriter {
  /// The writer of the scalars, with the text so far.
  var compact: JSONWriter
  /// The number of spaces of indentation for each level.
  let indent: Int
  /// The maximum length of a line in bytes, unless it cannot be broken.
  let width: Int
  private var depth = 0
  /// The offset at which the current line starts.
  private var lineStart = 0

  init(indent: Int, width: Int, sortsNames: Bool) {
    compact = JSONWriter(sortsNames: sortsNames)
    self.indent = indent
    self.width = width
  }

  /// Writes a value that `trailing` more bytes follow on its line.
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

  /// Writes each item on a separate line between two brackets.
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

  /// Writes a value on the current line; stops and returns false soon after it passes `end`.
  ///
  /// The early stop keeps the total time linear: no level of nesting writes more than one line that
  /// is discarded.
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
      // A string that is too long even without escapes does not have to be written.
      guard compact.bytes.count + text.utf8.count <= end else { return false }
      compact.write(text)
    default: compact.writeScalar(value)
    }
    return compact.bytes.count <= end
  }
}
