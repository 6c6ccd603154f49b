internal import Datastore
package import JSON
internal import Scenarios

/// The index of everything that `explain` finds: rules, vectors, mutants, terms and names of
/// other products.
package struct Handbook: Sendable {
  package let corpus: Corpus
  package let mutants: [Mutant]
  package let terms: [Glossary.Term]
  package let retired: [RetiredMutant]
  package let foreignNames: [ForeignName]

  package init(
    _ corpus: Corpus, _ mutants: [Mutant] = [], terms: [Glossary.Term] = [],
    retired: [RetiredMutant] = [], foreignNames: [ForeignName] = []
  ) {
    self.corpus = corpus
    self.mutants = mutants
    self.terms = terms
    self.retired = retired
    self.foreignNames = foreignNames
  }

  /// Creates the index of a corpus with the files beside its clauses.
  package init(of corpus: Corpus) throws(CorpusError) {
    let list = try MutantList.read(corpus.folder)
    self.init(
      corpus, list?.mutants ?? [], terms: try Glossary.read(corpus.folder)?.terms ?? [],
      retired: list?.retired ?? [], foreignNames: try NameList.read(corpus.folder)?.names ?? [])
  }

  /// Returns the explanation of a name or a word; nil if nothing matches.
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
    let name = NameQuery(query)
    let matches = name.matches(in: foreignNames)
    guard matches.isEmpty else {
      // A name is not searched as a word: its parts occur in rules about other subjects.
      var found =
        name.isWord
        ? WordSearch(query).findings(in: self)
        : Explanation.Findings(
          terms: terms.filter { $0.name == query || $0.others.contains(query) })
      found.names = []
      return .name(matches, found)
    }
    let found = WordSearch(query).findings(in: self)
    return found.isEmpty ? nil : .word(query, found)
  }

  /// All names, for suggestions.
  package var names: [JSONString] {
    corpus.clauses.map(\.id.text) + terms.flatMap { [$0.name] + $0.others }
      + foreignNames.flatMap { [$0.name] + $0.others } + mutants.map(\.name) + retired.map(\.name)
      + corpus.vectors.map(\.id.text)
  }

  // MARK: What belongs together

  /// Returns the vectors that show a rule, hand-written ones first.
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

/// The result of a search.
package enum Explanation: Sendable {
  case clause(Clause)
  case vector(CorpusVector)
  /// One mutant, perhaps of several implementations.
  case mutant([Mutant])
  case retired(RetiredMutant)
  /// Names of other products, and the matches of the same word.
  case name([ForeignName], Findings)
  case word(JSONString, Findings)

  /// The matches of a word, best first.
  package struct Findings: Sendable {
    package var terms: [Glossary.Term] = []
    package var names: [ForeignName] = []
    package var clauses: [Clause] = []
    package var vectors: [CorpusVector] = []
    package var mutants: [Mutant] = []

    var isEmpty: Bool {
      terms.isEmpty && names.isEmpty && clauses.isEmpty && vectors.isEmpty && mutants.isEmpty
    }
  }
}

extension JSONString {
  /// The text with ASCII letters in lower case.
  var folded: String {
    let bytes = utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
