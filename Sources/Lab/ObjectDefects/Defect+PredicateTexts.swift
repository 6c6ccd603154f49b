internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Mutants in comparing texts.

extension Defect {
  static let predicateTexts: [Defect] = textOrder + textParts + textCase

  private static let textOrder: [Defect] = [
    rewording(
      "texts-are-composed", "PRED-025", sentence: "Texts are normalised.", operators: [.equal]
    ) { $0.composed },
    comparing("texts-without-case", "PRED-025", sentence: "Texts are compared without case.") {
      comparison in
      guard comparison.text != nil, comparison.operator == .equal, !comparison.ignoresMarks else {
        return nil
      }
      return comparison.with { $0.ignoresCase = true }
    },
    overlooking("texts-by-utf16", "PRED-025", sentence: "Texts are ordered by UTF-16 code units.") {
      body, comparison in
      guard let text = comparison.text, comparison.operator == .greater,
        let name = comparison.name, let value = body[name]?.textValue
      else { return false }
      return value.string.utf16.lexicographicallyPrecedes(text.string.utf16)
    },
    comparing("empty-is-nil", "PRED-025", sentence: "An empty text is nil.") { comparison in
      guard comparison.operator == .equal, comparison.text == "", let name = comparison.name else {
        return nil
      }
      return .or([.comparison(comparison), PredicateComparison.isNil([name])])
    },
    comparing("texts-of-digits", "PRED-025", sentence: "Texts that are the same number are equal.")
    {
      comparison in
      guard comparison.operator == .equal, let text = comparison.text,
        let number = Int64(text.string), !comparison.ignoresCase
      else { return nil }
      return comparison.with {
        $0.operator = .isIn
        $0.operand = .list([.text(text), .text(JSONString("\(number).0"))])
      }
    },
  ]

  private static let textParts: [Defect] = [
    meaning(
      "begins-anywhere", "PRED-026", sentence: "BEGINSWITH matches at any position.",
      operator: .beginsWith, other: .contains
    ) { $0 },
    meaning(
      "ends-anywhere", "PRED-026", sentence: "ENDSWITH matches at any position.",
      operator: .endsWith,
      other: .contains
    ) {
      $0
    },
    meaning(
      "contains-begins", "PRED-026", sentence: "CONTAINS matches only at the beginning.",
      operator: .contains,
      other: .beginsWith
    ) {
      $0
    },
    meaning(
      "parts-are-expressions", "PRED-026",
      sentence: "CONTAINS interprets its text as a regular expression.",
      operator: .contains, other: .matches
    ) { JSONString("(.|\n)*\($0)(.|\n)*") },
    rewording(
      "like-anywhere", "PRED-027", sentence: "LIKE matches at any position.", operators: [.like]
    ) {
      JSONString("*\($0)*")
    },
    meaning(
      "like-within-lines", "PRED-027", sentence: "Wildcards of LIKE do not match line ends.",
      operator: .like,
      other: .matches
    ) {
      text in
      guard !text.utf8.contains(UInt8(ascii: "\\")) else { return nil }
      var pattern = ""
      for scalar in text.string.unicodeScalars {
        switch scalar {
        case "*": pattern += ".*"
        case "?": pattern += "."
        case "%", "_", ".": pattern += "[\(scalar)]"
        default: pattern.unicodeScalars.append(scalar)
        }
      }
      return JSONString(pattern)
    },
    rewording(
      "wildcards-always", "PRED-027", sentence: "A wildcard after a backslash is still a wildcard.",
      operators: [.like]
    ) { JSONString($0.string.split(separator: "\\").joined()) },
    rewording(
      "percent-is-any", "PRED-027", sentence: "LIKE also has the wildcards of SQL.",
      operators: [.like]
    ) {
      let anything = $0.string.split(separator: "%", omittingEmptySubsequences: false)
      let one = anything.joined(separator: "*").split(
        separator: "_", omittingEmptySubsequences: false)
      return JSONString(one.joined(separator: "?"))
    },
    rewording(
      "matches-anywhere", "PRED-028", sentence: "MATCHES matches at any position.",
      operators: [.matches]
    ) {
      JSONString("(.|\n)*(\($0))(.|\n)*")
    },
    shrugging(
      "other-dialects-match-nothing", "PRED-028",
      sentence: "An invalid expression in MATCHES matches nothing.",
      what: "unsupported"
    ) {
      _, name in name == "MATCHES"
    },
  ]

  private static let textCase: [Defect] = [
    comparing("case-always-counts", "PRED-029", sentence: "[c] is ignored.") { comparison in
      guard comparison.ignoresCase, comparison.integer == nil else { return nil }
      return comparison.with { $0.ignoresCase = false }
    },
    comparing(
      "all-letters-fold", "PRED-029", sentence: "[c] ignores the case of letters of all scripts."
    ) {
      comparison in
      guard comparison.ignoresCase, let text = comparison.text, comparison.operator == .equal else {
        return nil
      }
      return .or([
        .comparison(comparison),
        comparison.with { $0.operand = .value(.text(JSONString(text.string.lowercased()))) },
      ])
    },
    shrugging(
      "case-where-it-is-known", "PRED-029",
      sentence: "[c] after an operator that does not support it returns an empty result.",
      what: "unsupported"
    ) {
      _, name in name == "[c]" || name == "MATCHES[c]"
    },
  ]

  /// Replaces the texts after some operators.
  private static func rewording(
    _ name: String, _ clause: String, sentence: String,
    operators: Set<PredicateComparison.Operator>,
    change: @escaping @Sendable (JSONString) -> JSONString
  ) -> Defect {
    comparing(name, clause, sentence: sentence) { comparison in
      guard operators.contains(comparison.operator), let text = comparison.text,
        !comparison.ignoresCase, !comparison.ignoresMarks
      else { return nil }
      return comparison.with { $0.operand = .value(.text(change(text))) }
    }
  }

  /// Replaces one operator by another, with a text computed from the first one's.
  private static func meaning(
    _ name: String, _ clause: String, sentence: String,
    operator: PredicateComparison.Operator, other: PredicateComparison.Operator,
    change: @escaping @Sendable (JSONString) -> JSONString?
  ) -> Defect {
    comparing(name, clause, sentence: sentence) { comparison in
      guard comparison.operator == `operator`, let text = comparison.text,
        !comparison.ignoresCase, let meant = change(text)
      else { return nil }
      return comparison.with {
        $0.operator = other
        $0.operand = .value(.text(meant))
      }
    }
  }
}
