internal import Datastore
package import JSON
package import Scenarios

/// A store with one known error, and the vectors that kill it.
package struct Mutant: Hashable, Sendable {
  package let name: JSONString
  package let kind: Kind
  /// The bundled implementation that it changes.
  package let implementation: JSONString
  /// What is wrong with such a store.
  package let sentence: JSONString
  /// The rule that it breaks.
  package let clause: ClauseID
  /// The issue of a product that had this error.
  package let link: JSONString?
  package let end: End
  /// Whether hand-written vectors show that it breaks its rule, and no other rule of the family.
  package let provesClause: Bool
  /// The hand-written vectors that kill it, in the order of the corpus.
  package let vectors: [VectorID]
  /// The number of observed vectors that kill it.
  package let observedCount: Int
  /// The number of generated vectors that kill it.
  package let generatedCount: Int

  /// How a mutant is implemented.
  package enum Kind: String, CaseIterable, Sendable {
    /// A wrapper around a correct store.
    case wrapper
    /// A patch of the sources of a store.
    case source
  }

  /// How the run of the vectors against the mutant ended.
  package enum End: String, CaseIterable, Sendable {
    /// Vectors failed.
    case killed
    /// The process ended before the run did.
    case crashed
    /// The run exceeded its time limit.
    case timeout
    /// All vectors passed.
    case survived
  }

  /// Creates a mutant that the given vectors of a corpus kill.
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

/// The mutant catalogue: the content of `mutants.json` beside the clauses.
package struct MutantList: Hashable, Sendable {
  package let mutants: [Mutant]
  /// Written by hand; `touchstone defects --write` keeps it.
  package let retired: [RetiredMutant]
  /// The name of the file that the list was read from.
  package let file: String

  package init(_ mutants: [Mutant], retired: [RetiredMutant] = []) {
    self.mutants = mutants
    self.retired = retired
    file = Self.fileName
  }

  package static let fileName = "mutants.json"
  /// The name of the file in version 0.1, read where there is no `mutants.json`.
  package static let earlierFileName = "mistakes.json"

  /// Returns the list of a folder; nil when the folder has no such file.
  package static func read(_ folder: String) throws(CorpusError) -> MutantList? {
    let list = try CorpusFile.read(fileName, in: folder) { (json) throws(DecodingFailure) in
      try MutantList(json)
    }
    if let list { return list }
    return try CorpusFile.read(earlierFileName, in: folder) { (json) throws(DecodingFailure) in
      try MutantList(earlier: json)
    }
  }

  /// Returns unknown clauses and vectors, and retired names that are in use.
  package func problems(in corpus: Corpus) -> [CorpusProblem] {
    let used = Set(mutants.map(\.name))
    let reused = retired.filter { used.contains($0.name) }.map { mutant in
      CorpusProblem(
        file: file, path: mutant.name.string,
        message: "this name belongs to a retired mutant; give the new mutant another name")
    }
    let (clauses, vectors) = (Set(corpus.clauses.map(\.id)), Set(corpus.vectors.map(\.id)))
    return reused
      + mutants.flatMap { mutant -> [CorpusProblem] in
        let strayClause = clauses.contains(mutant.clause) ? [] : ["clause '\(mutant.clause)'"]
        let strays = mutant.vectors.filter { !vectors.contains($0) }.map { "vector '\($0)'" }
        return (strayClause + strays).map {
          CorpusProblem(
            file: file, path: mutant.name.string,
            message: "unknown \($0); run 'touchstone defects --write' to update the file")
        }
      }
  }
}

extension CorpusVector {
  /// The origin of a vector.
  package enum Origin: String, CaseIterable, Sendable {
    /// Written by hand, to show a rule.
    case written
    /// Converted from the recorded behaviour of a product.
    case observed
    /// Generated from the model.
    case generated
  }

  package var origin: Origin {
    if vector.generated != nil { return .generated }
    // Hand-written vectors may have a provenance, too; the folder decides.
    return file.utf8.starts(with: "observed/".utf8) ? .observed : .written
  }
}
