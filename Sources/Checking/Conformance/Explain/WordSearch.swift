internal import Datastore
internal import JSON
internal import Scenarios

/// A search for entries with all words of a query.
///
/// A whole word ranks above a prefix, and a prefix above an inner match; the field of the match
/// counts as well. Letter case is ignored.
struct WordSearch {
  private let words: [[UInt8]]

  init(_ query: JSONString) {
    words = Self.words(of: query)
  }

  func findings(in handbook: Handbook) -> Explanation.Findings {
    guard !words.isEmpty else { return Explanation.Findings() }
    let corpus = handbook.corpus
    var findings = Explanation.Findings()
    findings.terms = best(handbook.terms) { term in
      [(term.name, 2)] + term.others.map { ($0, 1) }
    }
    // The texts of entries are searched only for words that are not terms.
    if findings.terms.isEmpty { findings.terms = best(handbook.terms) { [($0.text, 1)] } }
    findings.names = best(handbook.foreignNames, leastLikeness: 2) { name in
      [(name.product, 1)]
        + ([name.name] + name.others).flatMap { [($0, 3), (Self.separated($0), 2)] }
    }
    findings.clauses = best(corpus.clauses) { clause in
      [(clause.id.text, 6), (clause.text, 4), (clause.source, 1)]
        + clause.observed.flatMap { [($0.product, 2), ($0.behaviour, 2)] }
    }
    // Hand-written vectors rank above generated ones.
    findings.vectors = CorpusVector.Origin.allCases.flatMap { origin in
      best(corpus.vectors.filter { $0.origin == origin }) { vector in
        [(vector.id.text, 4), (vector.vector.note, 2)]
          + vector.vector.steps.map { ($0.name, 1) }
      }
    }
    findings.mutants = best(handbook.mutants) { mutant in
      [(mutant.name, 4), (mutant.sentence, 4)]
    }
    return findings
  }

  /// Returns the entries with every word, best first, otherwise in their order.
  ///
  /// - Parameter leastLikeness: 1 to include matches inside of words, 2 for prefixes and whole
  ///   words.
  private func best<Thing>(
    _ things: [Thing], leastLikeness: Int = 1,
    _ fields: (Thing) -> [(text: JSONString, weight: Int)]
  ) -> [Thing] {
    var found: [(thing: Thing, score: Int, place: Int)] = []
    for (place, thing) in things.enumerated() {
      if let score = score(fields(thing), leastLikeness) { found.append((thing, score, place)) }
    }
    found.sort { ($1.score, $0.place) < ($0.score, $1.place) }
    return found.map(\.thing)
  }

  /// Returns how well the fields match the words; nil if a word is missing.
  private func score(_ fields: [(text: JSONString, weight: Int)], _ leastLikeness: Int) -> Int? {
    let fields = fields.map { (words: Self.words(of: $0.text), weight: $0.weight) }
    var sum = 0
    for word in words {
      let best = fields.map { field in
        let likeness = field.words.map { Self.likeness($0, word) }.max() ?? 0
        return likeness < leastLikeness ? 0 : likeness * field.weight
      }.max()
      guard let best, best > 0 else { return nil }
      sum += best
    }
    return sum
  }

  private static func likeness(_ candidate: [UInt8], _ word: [UInt8]) -> Int {
    if candidate == word { return 3 }
    if candidate.starts(with: word) { return 2 }
    // Short words would match inside too many words. The library reads a word that is too long first.
    guard word.count >= 4, word.count < candidate.count else { return 0 }
    return candidate.contains(word) ? 1 : 0
  }

  /// Returns a name with a space before each upper-case letter that follows a lower-case one, and
  /// before the last of several if a lower-case one follows.
  private static func separated(_ name: JSONString) -> JSONString {
    let bytes = Array(name.utf8)
    func isUpper(_ place: Int) -> Bool {
      bytes.indices.contains(place)
        && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[place])
    }
    func isLower(_ place: Int) -> Bool {
      bytes.indices.contains(place)
        && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[place])
    }
    var result: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      if isUpper(place), isLower(place - 1) || isUpper(place - 1) && isLower(place + 1) {
        result.append(UInt8(ascii: " "))
      }
      result.append(byte)
    }
    return JSONString(String(decoding: result, as: UTF8.self))
  }

  /// Returns runs of letters and digits; every non-ASCII character counts as a letter.
  private static func words(of text: JSONString) -> [[UInt8]] {
    text.folded.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): false
      default: byte < 0x80
      }
    }.map { Array($0) }
  }
}
