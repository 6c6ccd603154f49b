internal import Datastore
package import JSON
package import Scenarios

/// A mistake that somebody made, or could have made, and which vectors see it.
package struct Mistake: Hashable, Sendable {
  package let name: JSONString
  package let kind: Kind
  /// The bundled implementation in which it was made.
  package let implementation: JSONString
  /// What is wrong with such a store.
  package let sentence: JSONString
  /// The rule that it breaks.
  package let clause: ClauseID
  /// Where a product made it.
  package let link: JSONString?
  package let end: End
  /// Whether vectors written by hand see that it breaks its rule, and no other one of the family.
  package let provesClause: Bool
  /// The vectors written by hand that see it, in the order of the corpus.
  package let vectors: [VectorID]
  /// How many observed vectors see it.
  package let observedCount: Int
  /// How many generated vectors see it.
  package let generatedCount: Int

  /// How a mistake is made.
  package enum Kind: String, CaseIterable, Sendable {
    /// In front of an honest store.
    case wrapper
    /// In the sources of a store.
    case source
  }

  /// How the run ended that made it.
  package enum End: String, CaseIterable, Sendable {
    /// Vectors failed.
    case killed
    /// The process ended in the middle.
    case crashed
    /// It did not end in time.
    case timeout
    /// Nobody noticed.
    case survived
  }

  /// A mistake and those of a corpus that see it.
  package init(
    name: JSONString, kind: Kind, implementation: JSONString, sentence: JSONString,
    clause: ClauseID,
    link: JSONString? = nil, end: End, provesClause: Bool, killers: [CorpusVector]
  ) {
    self.name = name
    self.kind = kind
    self.implementation = implementation
    self.sentence = sentence
    self.clause = clause
    self.link = link
    self.end = end
    self.provesClause = provesClause
    vectors = killers.filter { $0.origin == .written }.map(\.id)
    observedCount = killers.count { $0.origin == .observed }
    generatedCount = killers.count { $0.origin == .generated }
  }
}

/// All known mistakes, as `mistakes.json` beside the clauses has them.
package struct MistakeList: Hashable, Sendable {
  package let mistakes: [Mistake]
  /// Written by hand; `touchstone defects --write` keeps it.
  package let retired: [RetiredMutant]

  package init(_ mistakes: [Mistake], retired: [RetiredMutant] = []) {
    self.mistakes = mistakes
    self.retired = retired
  }

  package static let fileName = "mistakes.json"

  /// Those of a folder; nil when it has no such file.
  package static func read(_ folder: String) throws(CorpusError) -> MistakeList? {
    try CorpusFile.read(fileName, in: folder) { (json) throws(DecodingFailure) in
      try MistakeList(json)
    }
  }

  /// Clauses and vectors that are named here and nowhere else, and retired names that are in use.
  package func problems(in corpus: Corpus) -> [CorpusProblem] {
    let used = Set(mistakes.map(\.name))
    let reused = retired.filter { used.contains($0.name) }.map { mutant in
      CorpusProblem(
        file: Self.fileName, path: mutant.name.string,
        message: "this name belongs to a retired mutant; give the new mutant another name")
    }
    let (clauses, vectors) = (Set(corpus.clauses.map(\.id)), Set(corpus.vectors.map(\.id)))
    return reused
      + mistakes.flatMap { mistake -> [CorpusProblem] in
        let strayClause = clauses.contains(mistake.clause) ? [] : ["clause '\(mistake.clause)'"]
        let strays = mistake.vectors.filter { !vectors.contains($0) }.map { "vector '\($0)'" }
        return (strayClause + strays).map {
          CorpusProblem(
            file: Self.fileName, path: mistake.name.string,
            message: "unknown \($0); run 'touchstone defects --write' to update the file")
        }
      }
  }
}

extension CorpusVector {
  /// Who wrote a vector.
  package enum Origin: String, CaseIterable, Sendable {
    /// A person, to show a rule.
    case written
    /// A converter, of what a product was seen to do.
    case observed
    /// A generator, of what the model does.
    case generated
  }

  package var origin: Origin {
    if vector.generated != nil { return .generated }
    // People, too, say where they have seen what they write down.
    return file.utf8.starts(with: "observed/".utf8) ? .observed : .written
  }
}
