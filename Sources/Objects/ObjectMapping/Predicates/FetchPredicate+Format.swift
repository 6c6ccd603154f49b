public import JSON

// Predicates as texts, with arguments for all names and constants.

extension FetchPredicate {
  /// The text and its arguments; parsing them yields the same predicate, except for `AND` and `OR`
  /// of fewer than two operands.
  public var format: (text: JSONString, arguments: [PredicateArgument]) {
    var writer = FormatWriter()
    writer.write(self)
    return (JSONString(writer.text), writer.arguments)
  }
}

private struct FormatWriter {
  var text = ""
  var arguments: [PredicateArgument] = []

  mutating func write(_ predicate: FetchPredicate) {
    switch predicate {
    case .truth(let isTrue): text += isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): write(parts, joinedBy: " AND ", empty: "TRUEPREDICATE")
    case .or(let parts): write(parts, joinedBy: " OR ", empty: "FALSEPREDICATE")
    case .not(let part):
      text += "NOT ("
      write(part)
      text += ")"
    case .comparison(let comparison): write(comparison)
    }
  }

  private mutating func write(_ parts: [FetchPredicate], joinedBy word: String, empty: String) {
    guard !parts.isEmpty else {
      text += empty
      return
    }
    text += "("
    for (place, part) in parts.enumerated() {
      if place > 0 { text += word }
      write(part)
    }
    text += ")"
  }

  private mutating func write(_ comparison: PredicateComparison) {
    if let quantifier = comparison.quantifier { text += quantifier.rawValue + " " }
    switch comparison.subject {
    case .object: text += "SELF"
    case .path(let names): write(path: names)
    case .count(let names): write(path: names + ["@count"])
    }
    text += " " + comparison.operator.rawValue
    let options = (comparison.ignoresCase ? "c" : "") + (comparison.ignoresMarks ? "d" : "")
    text += (options.isEmpty ? "" : "[\(options)]") + " %@"
    arguments.append(comparison.operand)
  }

  private mutating func write(path names: [JSONString]) {
    text += "%K"
    let path = names.map { $0.string }.joined(separator: ".")
    arguments.append(.value(.text(JSONString(path))))
  }
}
