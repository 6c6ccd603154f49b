import Foundation
import JSON
import Testing
import WireConformance

@testable import WireDefects

/// The mutants of the HTTP interface fit the clauses and vectors of the corpus.
///
/// `touchstone defects --http couchdb:URL` runs them in front of a server.
@Suite struct WireMutantTests {
  private static let corpus = Result {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Vectors/http")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
      .filter { $0.hasSuffix(".json") }.sorted()
    return WireCorpus(
      files: try names.map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) })
  }

  /// The files are valid and canonical, every clause has a vector, and every vector known clauses.
  @Test func theCorpusHasNoProblems() throws {
    let corpus = try Self.corpus.get()
    #expect(corpus.problems == [])
    #expect(corpus.clauses.count >= 250 && corpus.vectors.count >= 280)
  }

  @Test func everyRequiredClauseHasAMutant() throws {
    let required = try Self.corpus.get().clauses.filter(\.isRequired).map(\.id)
    let broken = Set(WireMutant.all.map { JSONString($0.clause) })
    #expect(required.filter { !broken.contains($0) } == [])
    #expect(broken.subtracting(required) == [])
  }

  @Test func namesAreDistinct() {
    let names = WireMutant.all.map { JSONString($0.name) }
    #expect(Set(names).count == names.count)
    #expect(WireMutant.all.allSatisfy { $0.sentence.hasSuffix(".") })
  }

  /// A mutant must not depend on an id of a vector or on its data.
  @Test func mutantsNameNoVector() throws {
    let ids = Set(try Self.corpus.get().vectors.map(\.vector.id))
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Lab/WireDefects")
    for name in try FileManager.default.contentsOfDirectory(atPath: sources.path()) {
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      for id in ids { #expect(!text.contains("\"\(id)\""), "\(name) names \(id)") }
    }
  }
}
