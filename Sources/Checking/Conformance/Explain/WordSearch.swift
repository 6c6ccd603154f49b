internal import Datastore
internal import JSON
internal import Scenarios

/// A search for what holds all the words of a question.
///
/// A word that stands alone counts more than one that others begin with, and that more than one
/// inside of another; where it is found counts as well. Letter case counts for nothing.
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
    // Only a word that is no term itself is looked for in what is said about others.
    if findings.terms.isEmpty { findings.terms = best(handbook.terms) { [($0.text, 1)] } }
    findings.clauses = best(corpus.clauses) { clause in
      [(clause.id.text, 6), (clause.text, 4), (clause.source, 1)]
        + clause.observed.flatMap { [($0.product, 2), ($0.behaviour, 2)] }
    }
    // What people wrote says more about a word than what scripts did.
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

  /// Those that hold every word, the best first and else in their order.
  private func best<Thing>(
    _ things: [Thing], _ fields: (Thing) -> [(text: JSONString, weight: Int)]
  ) -> [Thing] {
    var found: [(thing: Thing, score: Int, place: Int)] = []
    for (place, thing) in things.enumerated() {
      if let score = score(fields(thing)) { found.append((thing, score, place)) }
    }
    found.sort { ($1.score, $0.place) < ($0.score, $1.place) }
    return found.map(\.thing)
  }

  /// How well the fields hold the words; nil when one is missing.
  private func score(_ fields: [(text: JSONString, weight: Int)]) -> Int? {
    let fields = fields.map { (words: Self.words(of: $0.text), weight: $0.weight) }
    var sum = 0
    for word in words {
      let best = fields.map { field in
        (field.words.map { Self.likeness($0, word) }.max() ?? 0) * field.weight
      }.max()
      guard let best, best > 0 else { return nil }
      sum += best
    }
    return sum
  }

  private static func likeness(_ candidate: [UInt8], _ word: [UInt8]) -> Int {
    if candidate == word { return 3 }
    if candidate.starts(with: word) { return 2 }
    // Short words are inside of too many.
    return word.count >= 4 && candidate.contains(word) ? 1 : 0
  }

  /// Runs of letters and digits; all that is not ASCII is a letter.
  private static func words(of text: JSONString) -> [[UInt8]] {
    text.folded.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): false
      default: byte < 0x80
      }
    }.map { Array($0) }
  }
}
