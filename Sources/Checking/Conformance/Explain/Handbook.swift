internal import Datastore
package import JSON
internal import Scenarios

/// All that can be looked up: rules, vectors, mutants and words.
package struct Handbook: Sendable {
  package let corpus: Corpus
  package let mutants: [Mutant]
  package let terms: [Glossary.Term]
  package let retired: [RetiredMutant]

  package init(
    _ corpus: Corpus, _ mutants: [Mutant] = [], terms: [Glossary.Term] = [],
    retired: [RetiredMutant] = []
  ) {
    self.corpus = corpus
    self.mutants = mutants
    self.terms = terms
    self.retired = retired
  }

  /// That of a corpus, with what lies beside its clauses.
  package init(of corpus: Corpus) throws(CorpusError) {
    let list = try MutantList.read(corpus.folder)
    self.init(
      corpus, list?.mutants ?? [], terms: try Glossary.read(corpus.folder)?.terms ?? [],
      retired: list?.retired ?? [])
  }

  /// What there is to say about a name or a word; nil when nobody knows it.
  package func explanation(of query: JSONString) -> Explanation? {
    let folded = JSONString(query.folded)
    if let clause = corpus.clauses.first(where: { JSONString($0.id.text.folded) == folded }) {
      return .clause(clause)
    }
    if let vector = corpus.vectors.first(where: { JSONString($0.id.text.folded) == folded }) {
      return .vector(vector)
    }
    let named = mutants.filter { JSONString($0.name.folded) == folded }
    if !named.isEmpty { return .mutant(named) }
    if let mutant = retired.first(where: { JSONString($0.name.folded) == folded }) {
      return .retired(mutant)
    }
    let found = WordSearch(query).findings(in: self)
    return found.isEmpty ? nil : .word(query, found)
  }

  /// All names that can be looked up, for who misspelt one.
  package var names: [JSONString] {
    corpus.clauses.map(\.id.text) + terms.flatMap { [$0.name] + $0.others }
      + mutants.map(\.name) + retired.map(\.name) + corpus.vectors.map(\.id.text)
  }

  // MARK: What belongs together

  /// The vectors that show a rule: those that people wrote first.
  func vectors(showing clause: Clause) -> [CorpusVector] {
    let showing = corpus.vectors.filter { $0.vector.clauses.contains(clause.id) }
    return CorpusVector.Origin.allCases.flatMap { origin in
      showing.filter { $0.origin == origin }
    }
  }

  /// Returns the mutants that break a rule, and the others that its hand-written vectors kill.
  func mutants(about clause: Clause) -> (breaking: [Mutant], killed: [Mutant]) {
    let vectors = Set(vectors(showing: clause).map(\.id))
    let breaking = mutants.filter { $0.clause == clause.id }
    let killed = mutants.filter { mutant in
      mutant.clause != clause.id && mutant.vectors.contains { vectors.contains($0) }
    }
    return (breaking, killed)
  }

  func mutants(killedBy vector: CorpusVector) -> [Mutant] {
    mutants.filter { $0.vectors.contains(vector.id) }
  }
}

/// What there is to say.
package enum Explanation: Sendable {
  case clause(Clause)
  case vector(CorpusVector)
  /// One mutant, perhaps in several implementations.
  case mutant([Mutant])
  case retired(RetiredMutant)
  case word(JSONString, Findings)

  /// Where a word stands, best first.
  package struct Findings: Sendable {
    package var terms: [Glossary.Term] = []
    package var clauses: [Clause] = []
    package var vectors: [CorpusVector] = []
    package var mutants: [Mutant] = []

    var isEmpty: Bool {
      terms.isEmpty && clauses.isEmpty && vectors.isEmpty && mutants.isEmpty
    }
  }
}

extension JSONString {
  /// The text with lower-case letters of ASCII.
  var folded: String {
    let bytes = utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
