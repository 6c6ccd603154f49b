/// A Markdown page: its link targets and its links.
struct MarkdownPage {
  /// A link, and the line on which its block of text begins, counted from 1.
  struct Link: Hashable {
    var target: String
    var line: Int
  }

  /// Names of headings by GitHub's rule, and ids of HTML elements in the page.
  private(set) var anchors: Set<String> = []
  private(set) var links: [Link] = []
  /// Labels of links whose definition is missing.
  private(set) var undefined: [Link] = []

  init(_ text: String) {
    var labels: Set<String> = []
    var blocks: [Block] = []
    for block in Self.blocks(of: text) {
      if let (label, target) = Self.definition(block.text) {
        labels.insert(label)
        links.append(Link(target: target, line: block.line))
      } else {
        blocks.append(block)
      }
    }
    var headings: [String: Int] = [:]
    for block in blocks {
      if let heading = Self.heading(block.text) {
        let name = Self.anchor(of: heading)
        let count = headings[name, default: 0]
        headings[name] = count + 1
        anchors.insert(count == 0 ? name : "\(name)-\(count)")
      }
      let prose = Self.withoutCode(block.text)
      for attribute in ["id", "name"] { anchors.formUnion(Self.values(of: attribute, in: prose)) }
      for attribute in ["href", "src"] {
        links += Self.values(of: attribute, in: prose).map { Link(target: $0, line: block.line) }
      }
      for reference in Self.references(in: prose) {
        switch reference {
        case .inline(let target): links.append(Link(target: target, line: block.line))
        case .label(let label):
          if !labels.contains(label.lowercased()) {
            undefined.append(Link(target: label, line: block.line))
          }
        }
      }
    }
  }

  /// The name that GitHub gives to a heading: letters, digits, `_` and `-` in lower case, and `-`
  /// for each space.
  static func anchor(of heading: String) -> String {
    var name = ""
    for scalar in withoutLinks(heading).lowercased().unicodeScalars {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation:
        name.unicodeScalars.append(scalar)
      default:
        if scalar == "-" || scalar == " " { name += "-" }
      }
    }
    return name
  }

  /// The text of a heading, with each link replaced by its words.
  private static func withoutLinks(_ heading: String) -> String {
    heading.replacing(/!?\[(?<words>[^\]]*)\]\([^)]*\)/) { String($0.words) }
  }

  private static func heading(_ block: String) -> String? {
    guard let match = block.wholeMatch(of: /#{1,6}[ \t]+(?<text>.*?)(?:[ \t]+#+)?[ \t]*/) else {
      return nil
    }
    return String(match.text)
  }
}

// Blocks of a page and their contents.

extension MarkdownPage {
  private struct Block {
    var text: String
    var line: Int
  }

  /// Paragraphs, headings, list items and rows of tables; code between fences is left out.
  private static func blocks(of text: String) -> [Block] {
    var blocks: [Block] = []
    var isOpen = false
    var fence: Substring?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let content = line.drop { $0 == " " || $0 == "\t" }
      if let mark = fence {
        let isEnd =
          content.hasPrefix(mark)
          && content.allSatisfy { $0 == mark.first || $0 == " " || $0 == "\t" }
        if isEnd { fence = nil }
        continue
      }
      if content.hasPrefix("```") || content.hasPrefix("~~~") {
        fence = content.prefix { $0 == content.first }
        isOpen = false
      } else if content.isEmpty {
        isOpen = false
      } else if isOpen, !startsBlock(content) {
        blocks[blocks.count - 1].text += "\n" + line
      } else {
        blocks.append(Block(text: String(line), line: index + 1))
        isOpen = !content.hasPrefix("#")
      }
    }
    return blocks
  }

  private static func startsBlock(_ content: Substring) -> Bool {
    content.hasPrefix("|") || content.hasPrefix("#") || content.hasPrefix("* ")
      || content.hasPrefix("- ") || content.prefixMatch(of: /\d+[.)][ ]/) != nil
      || content.prefixMatch(of: /\[[^\]]+\]:/) != nil
  }

  /// The text with code between backticks replaced by spaces.
  private static func withoutCode(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "`") {
      result += rest[..<start]
      let marks = rest[start...].prefix { $0 == "`" }
      let code = rest[marks.endIndex...]
      if let end = endOfCode(code, marks: marks.count) {
        result += " "
        rest = code[end...]
      } else {
        result += marks
        rest = code
      }
    }
    return result + rest
  }

  private static func endOfCode(_ code: Substring, marks: Int) -> Substring.Index? {
    var rest = code
    while let start = rest.firstIndex(of: "`") {
      let run = rest[start...].prefix { $0 == "`" }
      if run.count == marks { return run.endIndex }
      rest = rest[run.endIndex...]
    }
    return nil
  }

  private static func values(of attribute: String, in text: String) -> [String] {
    guard text.contains("<"), text.contains("\(attribute)=\"") else { return [] }
    return text.split(separator: "\(attribute)=\"").dropFirst().compactMap { part in
      part.firstIndex(of: "\"").map { String(part[..<$0]) }
    }
  }

  private static func definition(_ block: String) -> (label: String, target: String)? {
    let form = /[ ]{0,3}\[(?<label>[^\]]+)\]:\s*<?(?<target>[^\s>]+)>?/
    guard let match = block.prefixMatch(of: form) else { return nil }
    return (match.label.lowercased(), String(match.target))
  }
}

// Links in the text of a block.

extension MarkdownPage {
  private enum Reference {
    case inline(String)
    /// A label between brackets, behind the words of a link.
    case label(String)
  }

  private static func references(in text: String) -> [Reference] {
    var references: [Reference] = []
    var open: [String.Index] = []
    var place = text.startIndex
    while place < text.endIndex {
      let next = text.index(after: place)
      switch text[place] {
      case "\\":
        place = next < text.endIndex ? text.index(after: next) : next
        continue
      case "[": open.append(next)
      case "]":
        if let start = open.popLast() {
          if let (reference, end) = reference(text[start..<place], text[next...]) {
            references.append(reference)
            place = end
            continue
          }
        }
      default: break
      }
      place = next
    }
    return references
  }

  /// Returns what follows the words of a link, and where it ends. Returns nil for words in brackets
  /// alone: these are a link only if the page defines their label.
  private static func reference(
    _ words: Substring, _ rest: Substring
  ) -> (Reference, end: String.Index)? {
    if rest.first == "(", let (target, end) = target(rest.dropFirst()) {
      return (.inline(target), end)
    }
    if rest.first == "[", let end = rest.firstIndex(of: "]") {
      let label = rest[rest.index(after: rest.startIndex)..<end]
      let name = label.isEmpty ? words : label
      return (.label(String(name)), rest.index(after: end))
    }
    return nil
  }

  /// The target between parentheses, without a title; nil if the parentheses are not closed.
  private static func target(_ rest: Substring) -> (String, end: String.Index)? {
    var depth = 1
    for place in rest.indices {
      switch rest[place] {
      case "(": depth += 1
      case ")": depth -= 1
      default: break
      }
      guard depth == 0 else { continue }
      let words = rest[..<place].split { $0.isWhitespace }
      let target = words.first.map(String.init) ?? ""
      let isBracketed = target.hasPrefix("<") && target.hasSuffix(">")
      return (
        isBracketed ? String(target.dropFirst().dropLast()) : target, rest.index(after: place)
      )
    }
    return nil
  }
}
