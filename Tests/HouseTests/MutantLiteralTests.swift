import Foundation
import Testing

/// A mutant must not depend on an id, a member or a value that only vectors contain: it would be
/// killed by that vector alone, which proves nothing.
///
/// A literal of a wrapper mutant may occur in the corpus only if the correct sources also contain
/// it: the vocabulary of the contract. A number may also occur in the mutant's own sentence. Names
/// of 1 letter always count as literals of vectors.
struct MutantLiteralTests {
  /// Literals that vectors also contain, but that do not come from a vector.
  static let allowed: [String: Set<String>] = [
    // Base64 digits.
    "decimals-not-compact": ["B", "C"], "locals-closed-without-nulls": ["A", "B"],
    // Letters that can have an accent, the letters with it, and the digest of empty content.
    "": [
      "a", "e", "o", "u", "á", "é", "ó", "ú", "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    ],
    // The mutant's sentence states them.
    "language-names-dropped": ["__proto__", "constructor"],
    // The box that covers the whole Earth.
    "denials-need-places": ["90", "180"],
  ]

  /// The corpus and the vocabulary are read once, because that takes seconds.
  private static let corpus = Result { try CorpusWords.ofVectors() }
  private static let vocabulary = Result { try SourceWords.vocabulary() }

  @Test func mutantsHaveNoLiteralsOfVectors() throws {
    let corpus = try Self.corpus.get()
    let vocabulary = try Self.vocabulary.get()
    var found: [String] = []
    for folder in ["Sources/Lab/Defects", "Sources/Lab/ObjectDefects"] {
      for file in try SourceTree.files(below: folder) {
        found += Self.findings(
          file.lines.joined(separator: "\n"), corpus, vocabulary
        ).map { "\(file.path): \($0)" }
      }
    }
    #expect(found == [])
  }

  /// Mutants of earlier versions.
  @Test(arguments: [
    (#"guard comparison.path == ["o", "n"] else { return nil }"#, ["o", "n"]),
    (#"body.members.contains { $0.value == .null } || body["p"] == "-2.5""#, ["p", "-2.5"]),
    (#"return body["CDTISMeta_d"]?.member("nonFinite") == "nan""#, ["CDTISMeta_d"]),
    (#"if let text, text.contains("d >") { return nil }"#, ["d"]),
    ("guard comparison.number == 48.8566 else { return nil }", ["48.8566"]),
    ("guard body.count > 2, text.utf8.count <= 64 else { return nil }", []),
  ])
  func literalsOfVectorsAreFound(code: String, literals: [String]) throws {
    let source = #"comparing("a-mutant", "PRED-030", "A path of 64 names.") { body in \#(code) }"#
    let found = Self.findings(source, try Self.corpus.get(), try Self.vocabulary.get())
    #expect(found == literals.map { "a-mutant has '\($0)' of a vector" })
  }

  /// Returns the literals of a source that stand in vectors and nowhere else.
  static func findings(
    _ source: String, _ corpus: CorpusWords, _ vocabulary: SourceWords
  ) -> [String] {
    var found: [String] = []
    for mutant in SourceWords(source).byMutant {
      let allowed = allowed[mutant.name] ?? []
      var literals: [String] = []
      for text in mutant.texts where !vocabulary.has(text) {
        let words = text.isEmpty ? [] : SourceWords.words(of: text)
        literals +=
          corpus.texts.contains(text) && !words.isEmpty
          ? [text] : words.filter { corpus.words.contains($0) && !vocabulary.has($0) }
      }
      for number in mutant.numbers {
        guard let value = SourceWords.value(number), value > 2, corpus.numbers.contains(value),
          !vocabulary.numbers.contains(value), !mutant.sentenceNumbers.contains(value)
        else { continue }
        literals.append(number)
      }
      found += literals.filter { !allowed.contains($0) }.map {
        "\(mutant.name) has '\($0)' of a vector"
      }
    }
    return found
  }
}

/// The ids, members and values of the hand-written vectors.
struct CorpusWords {
  private(set) var texts: Set<String> = []
  private(set) var words: Set<String> = []
  private(set) var numbers: Set<Double> = []

  static func ofVectors() throws -> CorpusWords {
    var result = CorpusWords()
    let folder = SourceTree.top.appending(path: "Vectors")
    for name in ["core", "capabilities", "profiles"] {
      let below = folder.appending(path: name)
      for path in try FileManager.default.subpathsOfDirectory(atPath: below.path())
      where path.hasSuffix(".json") {
        let data = try Data(contentsOf: below.appending(path: path))
        let file = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        for vector in file?["vectors"] as? [[String: Any]] ?? [] {
          result.add(vector["steps"] ?? [])
        }
      }
    }
    try #require(result.texts.count > 1000)
    return result
  }

  private mutating func add(_ value: Any) {
    switch value {
    case let object as [String: Any]:
      for (name, member) in object {
        add(text: name)
        add(member)
      }
    case let array as [Any]: for element in array { add(element) }
    case let text as String: add(text: text)
    case let number as NSNumber: numbers.insert(number.doubleValue.magnitude)
    default: break
    }
  }

  private mutating func add(text: String) {
    if texts.insert(text).inserted { words.formUnion(SourceWords.words(of: text)) }
  }
}
