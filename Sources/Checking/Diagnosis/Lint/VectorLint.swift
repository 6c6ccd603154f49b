package import Conformance
internal import Datastore
package import ReferenceDatastore
internal import Scenarios

/// The search for vectors that depend on a second behaviour beside the one that they show.
///
/// A vector depends on a deviation if a model with this deviation alone fails it. The vector should
/// then cite a clause that the deviation breaks. Otherwise a product with the deviation fails a
/// vector about another rule.
package struct VectorLint: Sendable {
  /// The hand-written and generated vectors. Vectors of a profile for one product or one order of
  /// revision ids have that product as their subject, and recorded ones replay it.
  package let vectors: [CorpusVector]

  private static let productProfiles: Set<Profile> = [.couchdb, .cdtDigest, .cdtCollation]

  package init(_ corpus: Corpus) {
    vectors = corpus.vectors.filter {
      $0.origin != .observed && !Self.productProfiles.contains($0.vector.profile)
    }
  }

  /// The vectors that fail under one deviation and cite none of its clauses.
  package struct Finding: Sendable {
    package let deviation: Deviation
    /// The vectors in the order of the corpus.
    package let vectors: [CorpusVector]
  }

  /// Runs the vectors on the model with one deviation.
  package func finding(under deviation: Deviation) -> Finding {
    let runner = Runner(DeviatingDatastore([deviation]))
    let broken = Set(deviation.clauses)
    return Finding(
      deviation: deviation,
      vectors: vectors.filter { vector in
        guard !vector.clauses.contains(where: { broken.contains($0.id.description) }),
          case .fail = runner.verdict(on: vector)
        else { return false }
        return true
      })
  }
}

/// The findings of a lint, compared with the list of known ones.
package struct LintReport: Sendable {
  /// The vectors that no entry explains, by deviation; without deviations that have none.
  package let unexplained: [VectorLint.Finding]
  /// The number of vectors with an entry, counted once per deviation.
  package let explainedCount: Int
  /// The entries that explain another number of vectors than they state.
  package let miscounts: [Miscount]

  /// An entry that explains another number of vectors than it states.
  package struct Miscount: Sendable {
    /// The position in the list, from 1.
    package let number: Int
    package let entry: LintList.Entry
    /// The number of vectors that it explains.
    package let count: Int
  }

  /// Compares the findings with a list. Entries of deviations without a finding in `findings` were
  /// not checked, and are ignored.
  package init(_ findings: [VectorLint.Finding], known list: LintList) {
    unexplained = findings.compactMap { finding in
      let vectors = finding.vectors.filter { vector in
        !list.entries.contains { $0.describes(vector, under: finding.deviation) }
      }
      return vectors.isEmpty
        ? nil : VectorLint.Finding(deviation: finding.deviation, vectors: vectors)
    }
    explainedCount =
      findings.reduce(0) { $0 + $1.vectors.count }
      - unexplained.reduce(0) { $0 + $1.vectors.count }
    let checked = Set(findings.map(\.deviation.id))
    let compared = zip(1..., list.entries).filter { checked.contains($0.1.deviation.id) }
    miscounts = compared.compactMap { number, entry in
      let count = findings.reduce(0) { count, finding in
        count + finding.vectors.count { entry.describes($0, under: finding.deviation) }
      }
      return count == entry.count ? nil : Miscount(number: number, entry: entry, count: count)
    }
  }

  /// Whether the list explains all findings, and each entry as many vectors as it states.
  package var isClean: Bool { unexplained.isEmpty && miscounts.isEmpty }
}
