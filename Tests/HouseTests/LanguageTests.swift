import Foundation
import Testing

/// The texts of the project use the terms of its glossary, and none of the idioms listed here.
///
/// The texts are comments and string literals of the sources, Markdown, and the text members of the
/// hand-written JSON of the corpus. Names in code and between backticks are not text.
struct LanguageTests {
  /// Regular expressions; letter case does not count.
  private static let idioms = [
    #"\bnobody\b"#, #"\bsomebody\b"#, #"\bwhoever\b"#,
    // "There is none" is plain English; "an id that is none" is not.
    #"(?<!there )\b(?:is|are|was|were) none\b"#, #"\bhas none of\b"#, #"\banew\b"#,
    #"of another make"#, #"\bone of its own make\b"#, #"\bnothing of (?:it|them|that)\b"#,
    #"how manieth"#, #"what is asked"#, #"\bmistakes?\b"#, #"\bjudg(?:es?|ed|ing)\b"#,
    #"\btwins?\b"#, #"\bmuseum\b"#, #"\bhostile world\b"#, #"there and back"#,
    #"lives? through"#, #"\bm(?:ade|akes?) small\b"#, #"\bshortened\b"#, #"the power goes"#,
    #"\bline that is no answer\b"#, #"\bbreakdowns?\b"#, #"time in the middle"#,
    #"ways that lead nowhere"#, #"\bseams?\b"#, #"\bcensus\b"#, #"\bparcels?\b"#,
    #"\blateness\b"#, #"who leads to whom"#, #"\bspell(?:s|ed|ings?)?\b"#,
    #"\bmisspel(?:t|led)\b"#, #"written over unseen"#, #"removed unseen"#, #"made once more"#,
    #"without chance"#, #"by name only"#, #"\ball the same\b"#, #"\bmend(?:s|ed|ing)?\b"#,
    #"\bfates?\b"#,
  ]

  /// A text in which a match is correct English or a fixed name.
  struct Exception: Hashable {
    let file: String
    let text: String
    let reason: String

    init(_ file: String, _ text: String, reason: String) {
      (self.file, self.text, self.reason) = (file, text, reason)
    }

    /// True if the exception is a sentence of the text, and the match is within it.
    func covers(_ match: Range<String.Index>, of whole: String) -> Bool {
      guard self.text.contains(" "), let range = whole.range(of: self.text) else { return false }
      return range.lowerBound <= match.lowerBound && match.upperBound <= range.upperBound
    }
  }

  private static let earlier = "A name of version 0.1, which is still read."
  private static let oracle = "The id of an oracle in traces and reports; ids do not change."

  private static let exceptions: [Exception] = [
    .init(
      "Sources/Application/touchstone/Implementations+Mutants.swift", "mistake:", reason: earlier),
    .init("Sources/Checking/Conformance/Mutants/Mutant.swift", "mistakes.json", reason: earlier),
    .init("Sources/Checking/Conformance/Mutants/Mutant+JSON.swift", "mistakes", reason: earlier),
    .init("Sources/Checking/Oracles/Findings/OracleFinding+Words.swift", "fate", reason: oracle),
    .init("Sources/Checking/Rendering/Page/FailurePage.swift", "fate", reason: oracle),
    .init(
      "Sources/Checking/Simulation/Continuations/ContinuationGoal.swift", "fate", reason: oracle),
    .init("Sources/Checking/Simulation/World/WorldFinding.swift", "breakdown", reason: oracle),
    .init(
      "Sources/Stores/SQLiteDatastore/SQLite/Schema.swift", "NULL: known by name only",
      reason: "SQLite keeps the text of the schema in every store; upgraded and new ones are equal."
    ),
  ]

  /// The parts of the project, one argument each.
  struct Part: CustomTestStringConvertible, Sendable {
    let name: String
    let texts: @Sendable () throws -> [Text]

    var testDescription: String { name }
  }

  private static let parts =
    ["Core", "Stores", "Objects", "Checking", "Lab", "Application"].map { folder in
      Part(name: "Sources/\(folder)") {
        try Text.ofSources(below: "Sources/\(folder)") + Text.ofPages(below: "Sources/\(folder)")
      }
    } + [
      Part(name: "pages") {
        try Text.ofPages(below: "", isDeep: false) + Text.ofPages(below: "docs")
          + Text.ofPages(below: "tools")
      },
      Part(name: "Vectors") {
        try Text.ofPages(below: "Vectors")
          + ["", "schemas"].flatMap { try Text.ofCorpus(below: $0, isDeep: false) }
          + ["core", "capabilities", "profiles", "objects", "protocol", "http"].flatMap {
            try Text.ofCorpus(below: $0)
          }
      },
    ]

  @Test(arguments: parts)
  func hasNoIdioms(part: Part) throws {
    let expression = try NSRegularExpression(
      pattern: Self.idioms.joined(separator: "|"), options: .caseInsensitive)
    let texts = try part.texts()
    #expect(!texts.isEmpty)
    var unused = Set(Self.exceptions)
    for text in texts {
      let whole = text.words
      let all = NSRange(whole.startIndex..., in: whole)
      for match in expression.matches(in: whole, range: all) {
        guard let range = Range(match.range, in: whole), !Self.isPartOfAnID(range, whole) else {
          continue
        }
        let known = Self.exceptions.first {
          $0.file == text.file && ($0.text == whole || $0.covers(range, of: whole))
        }
        if let known {
          unused.remove(known)
          continue
        }
        let line = text.line(at: whole.utf8.distance(from: whole.startIndex, to: range.lowerBound))
        Issue.record("\(text.file):\(line): '\(whole[range])'")
      }
    }
    let files = Set(texts.map(\.file))
    for exception in unused where files.contains(exception.file) {
      Issue.record("the exception for '\(exception.text)' in \(exception.file) matches nothing")
    }
  }

  /// True if a hyphen joins the words to others: ids of vectors and mutants never change.
  private static func isPartOfAnID(_ range: Range<String.Index>, _ text: String) -> Bool {
    text[..<range.lowerBound].hasSuffix("-") || text[range.upperBound...].hasPrefix("-")
  }

  /// The exceptions name files of the project, and give reasons.
  @Test(arguments: exceptions)
  func hasAReason(exception: Exception) {
    let file = SourceTree.top.appending(path: exception.file)
    #expect(FileManager.default.fileExists(atPath: file.path()), "\(exception.file)")
    #expect(exception.reason.hasSuffix("."))
  }

  /// The texts that the reader finds in each form.
  @Test func theReaderFindsTexts() {
    let source = #####"""
      /// A first line
      /// and a second `name`.
      let text = "one \(count("two")) three"  // four
      let raw = #"five "six""#
      let many = """
        seven \
        eight
        """
      """#####
    let texts = Text.ofSource(source.split(separator: "\n"), file: "a.swift")
    #expect(
      texts.map(\.words) == [
        " A first line  and a second       .", "two", "one  three", " four", "five \"six\"",
        "seven  eight ",
      ])
    #expect(texts.map { $0.line(at: 0) } == [1, 3, 3, 3, 4, 6])
    #expect(texts[0].line(at: 16) == 2)
    let page = ["# One `two`", "", "```swift", "three", "```", "", "four", "five"]
    let pages = Text.ofPage(page.map { $0[...] }, file: "a.md")
    #expect(pages.map(\.words) == ["# One      ", "four five"])
    #expect(pages.map { $0.line(at: 5) } == [1, 8])
    let json = [#" {"id": "a", "note": "One \"two\".", "n": 1, "text": "three"}"#]
    #expect(
      Text.ofJSON(json.map { $0[...] }, file: "a.json").map(\.words) == ["One  two .", "three"])
  }
}
