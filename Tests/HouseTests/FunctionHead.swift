/// The name and the parameters of a function or an initializer in a Swift source.
struct FunctionHead {
  let name: String
  /// The line of the name, from 1.
  let line: Int
  private(set) var parameters: [Substring]

  /// The number of parameters that a call gives without a label.
  var unlabelledCount: Int {
    parameters.count { parameter in
      let words = parameter.split { $0.isWhitespace }.drop { $0.hasPrefix("@") }
      return words.first == "_" || words.first?.hasPrefix("_:") == true
    }
  }

  /// Returns the functions and initializers that lines declare, in their order.
  static func all(in lines: [Substring]) -> [FunctionHead] {
    var heads: [FunctionHead] = []
    for (index, line) in lines.enumerated() {
      guard let start = declaration(in: line) else { continue }
      let rest =
        ([start.prefix(beforeComment: "//")]
        + lines[(index + 1)...].prefix(20).map { $0.prefix(beforeComment: "//") })
        .joined(separator: "\n")
      guard let opening = openingParenthesis(in: rest) else { continue }
      heads.append(
        FunctionHead(
          name: String(rest[..<opening]), line: index + 1,
          parameters: parameters(in: rest[rest.index(after: opening)...])))
    }
    return heads
  }

  /// Returns the text of a line from the declared name on; nil if the line declares no function.
  private static func declaration(in line: Substring) -> Substring? {
    var rest = line.drop { $0 == " " }
    while !rest.isEmpty {
      if rest.hasPrefix("func ") { return rest.dropFirst("func ".count) }
      if ["init(", "init?(", "init<", "init?<"].contains(where: { rest.hasPrefix($0) }) {
        return rest
      }
      // Modifiers and attributes precede the keyword.
      guard let end = rest.firstIndex(of: " "),
        rest[..<end].allSatisfy({ $0.isLetter || "@_()".contains($0) })
      else { return nil }
      rest = rest[end...].drop { $0 == " " }
    }
    return nil
  }

  /// Returns the parenthesis after a name and its generic parameters.
  private static func openingParenthesis(in text: String) -> String.Index? {
    var depth = 0
    return text.indices.first { place in
      // An operator may contain the characters of generic parameters.
      let isOperator = text[..<place].allSatisfy { !$0.isLetter }
      if !isOperator { depth += text[place] == "<" ? 1 : text[place] == ">" ? -1 : 0 }
      return text[place] == "(" && depth == 0
    }
  }

  /// Returns the parts between commas, up to the parenthesis that closes the list.
  private static func parameters(in text: Substring) -> [Substring] {
    var parts: [Substring] = []
    var (depth, start) = (0, text.startIndex)
    for place in text.indices {
      switch text[place] {
      case "(", "[", "{": depth += 1
      case ")" where depth == 0:
        return parts + [text[start..<place]]
      case ")", "]", "}": depth -= 1
      case "," where depth == 0:
        parts.append(text[start..<place])
        start = text.index(after: place)
      default: break
      }
    }
    return parts
  }
}

extension Substring {
  fileprivate func prefix(beforeComment mark: String) -> Substring {
    ranges(of: mark).first.map { self[..<$0.lowerBound] } ?? self
  }
}
