import Foundation

extension LanguageTests {
  /// A text for readers: a comment, a literal, a paragraph, or a member of JSON.
  struct Text {
    let file: String
    /// The words on one line, with spaces in place of code.
    private(set) var words = ""
    /// The offset of each line of the file in the UTF-8 of the words.
    private var starts: [(offset: Int, line: Int)] = []

    fileprivate init(_ file: String) { self.file = file }

    fileprivate mutating func append(_ text: some StringProtocol, line: Int) {
      if !words.isEmpty { words += " " }
      starts.append((words.utf8.count, line))
      words += text
    }

    /// The line of the file at an offset of the words.
    func line(at offset: Int) -> Int { starts.last { $0.offset <= offset }?.line ?? 0 }

    /// The text with spaces in place of code between backticks.
    fileprivate var withoutNames: Text {
      var text = self
      var isName = false
      text.words = String(
        decoding: words.utf8.map { byte in
          if byte == UInt8(ascii: "`") { isName.toggle() }
          return isName || byte == UInt8(ascii: "`") ? UInt8(ascii: " ") : byte
        }, as: UTF8.self)
      return text
    }
  }
}

// MARK: Files

extension LanguageTests.Text {
  private static func paths(_ folder: String, _ suffix: String, isDeep: Bool) throws -> [String] {
    let top = SourceTree.top.appending(path: folder)
    let manager = FileManager.default
    let names =
      isDeep
      ? try manager.subpathsOfDirectory(atPath: top.path())
      : try manager.contentsOfDirectory(atPath: top.path())
    return names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") && !$0.contains("/.") }
      .sorted().map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
  }

  private static func lines(_ path: String) throws -> [Substring] {
    try String(contentsOf: SourceTree.top.appending(path: path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  static func ofSources(below folder: String) throws -> [Self] {
    try SourceTree.files(below: folder).flatMap { ofSource($0.lines, file: $0.path) }
  }

  /// The paragraphs of all pages of Markdown.
  static func ofPages(below folder: String, isDeep: Bool = true) throws -> [Self] {
    try paths(folder, ".md", isDeep: isDeep).flatMap { ofPage(try lines($0), file: $0) }
  }

  /// The text members of the JSON files below a folder of the corpus.
  static func ofCorpus(below folder: String, isDeep: Bool = true) throws -> [Self] {
    let folder = folder.isEmpty ? "Vectors" : "Vectors/\(folder)"
    let top = SourceTree.top.appending(path: folder)
    guard FileManager.default.fileExists(atPath: top.path()) else { return [] }
    return try paths(folder, ".json", isDeep: isDeep).flatMap { ofJSON(try lines($0), file: $0) }
  }

  /// The text members of JSON; each is on one line.
  static func ofJSON(_ lines: [Substring], file: String) -> [Self] {
    let members = "note|text|about|sentence|reason|message|title|description|behaviour|rule"
    guard
      let member = try? NSRegularExpression(
        pattern: #""(?:\#(members))": "((?:[^"\\]|\\.)*)""#)
    else { return [] }
    return lines.enumerated().flatMap { number, line -> [Self] in
      let line = String(line)
      return member.matches(in: line, range: NSRange(line.startIndex..., in: line)).map { match in
        var text = Self(file)
        let value = Range(match.range(at: 1), in: line).map { line[$0] } ?? ""
        text.append(value.replacing(#"\""#, with: " "), line: number + 1)
        return text.withoutNames
      }
    }
  }

  /// The paragraphs of a page, without blocks of code.
  static func ofPage(_ lines: [Substring], file: String) -> [Self] {
    var texts: [Self] = []
    var text = Self(file)
    var isCode = false
    for (number, line) in lines.enumerated() {
      let isFence = line.drop { $0 == " " }.hasPrefix("```")
      if isFence { isCode.toggle() }
      if isFence || isCode || line.allSatisfy({ $0 == " " }) {
        if !text.words.isEmpty { texts.append(text.withoutNames) }
        text = Self(file)
      } else {
        text.append(line, line: number + 1)
      }
    }
    if !text.words.isEmpty { texts.append(text.withoutNames) }
    return texts
  }
}

// MARK: Swift

extension LanguageTests.Text {
  /// The comments and literals of a source; comments on consecutive lines are one text.
  static func ofSource(_ lines: [Substring], file: String) -> [Self] {
    var reader = SwiftTextReader(file: file)
    for (number, line) in lines.enumerated() { reader.read(Array(line.utf8), line: number + 1) }
    return reader.finish()
  }

  /// A reader of Swift that finds comments and literals, line by line.
  private struct SwiftTextReader {
    /// An open literal; `depth` counts the open brackets of its interpolation, nil outside of one.
    private struct Literal {
      var text: LanguageTests.Text
      let pounds: Int
      let isLong: Bool
      var depth: Int?
      var bytes: [UInt8] = []
    }

    let file: String
    private var texts: [LanguageTests.Text] = []
    private var comment: LanguageTests.Text?
    private var open: [Literal] = []

    init(file: String) { self.file = file }

    mutating func finish() -> [LanguageTests.Text] {
      endComment()
      return texts
    }

    private mutating func endComment() {
      if let comment { texts.append(comment.withoutNames) }
      comment = nil
    }

    mutating func read(_ line: [UInt8], line number: Int) {
      var place = line.firstIndex { $0 != UInt8(ascii: " ") } ?? line.count
      let isComment = open.isEmpty && line[place...].starts(with: "//".utf8)
      if !isComment { endComment() }
      while place < line.count {
        if let last = open.last, last.depth == nil {
          place = readLiteral(line, from: place, number)
        } else if line[place...].starts(with: "//".utf8) {
          let text = line[place...].drop { $0 == UInt8(ascii: "/") }
          if comment == nil { comment = LanguageTests.Text(file) }
          comment?.append(String(decoding: text, as: UTF8.self), line: number)
          if !isComment { endComment() }
          return
        } else {
          place = readCode(line, from: place, number)
        }
      }
      // Only multi-line literals continue on the next line.
      if let last = open.last, last.depth == nil, last.isLong { endLine(number) }
    }

    /// Reads one token of code, or the start of a literal.
    private mutating func readCode(_ line: [UInt8], from start: Int, _ number: Int) -> Int {
      let pounds = line[start...].prefix { $0 == UInt8(ascii: "#") }.count
      let place = start + pounds
      if place < line.count, line[place] == UInt8(ascii: "\"") {
        let isLong = line[place...].starts(with: "\"\"\"".utf8)
        // The first line of a multi-line literal has no text.
        var text = LanguageTests.Text(file)
        if isLong { text.append("", line: number) }
        open.append(Literal(text: text, pounds: pounds, isLong: isLong, depth: nil))
        return place + (isLong ? 3 : 1)
      }
      if let last = open.indices.last, let depth = open[last].depth, pounds == 0 {
        let change =
          line[place] == UInt8(ascii: "(") ? 1 : line[place] == UInt8(ascii: ")") ? -1 : 0
        open[last].depth = depth + change == 0 ? nil : depth + change
      }
      return start + max(1, pounds)
    }

    /// Reads a byte of a literal, an escape, or the end of the literal.
    private mutating func readLiteral(_ line: [UInt8], from start: Int, _ number: Int) -> Int {
      let last = open.count - 1
      let pounds = [UInt8](repeating: UInt8(ascii: "#"), count: open[last].pounds)
      let closing = Array((open[last].isLong ? "\"\"\"" : "\"").utf8) + pounds
      if line[start...].starts(with: closing) {
        endLine(number)
        let literal = open.removeLast()
        texts.append(literal.text)
        return start + closing.count
      }
      let escape = [UInt8(ascii: "\\")] + pounds
      guard line[start...].starts(with: escape) else {
        open[last].bytes.append(line[start])
        return start + 1
      }
      let next = start + escape.count
      if next < line.count, line[next] == UInt8(ascii: "(") { open[last].depth = 1 }
      return min(next + 1, line.count)
    }

    private mutating func endLine(_ number: Int) {
      let last = open.count - 1
      open[last].text.append(String(decoding: open[last].bytes, as: UTF8.self), line: number)
      open[last].bytes = []
    }
  }
}
