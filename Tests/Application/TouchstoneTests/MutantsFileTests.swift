import Conformance
import Datastore
import Defects
import Foundation
import JSON
import ObjectDefects
import Testing
import TouchstoneKit

/// `Vectors/mutants.json`, which `touchstone defects --write` writes in some minutes. These tests
/// check what needs no run of the mutants.
@Suite struct MutantsFileTests {
  /// The list of the mutants registers the families whose vectors are read.
  init() { _ = Defect.all }

  /// Returns the sentence and the clause in the header of a patch.
  private static func header(_ text: String) -> (sentence: String, clause: String) {
    var fields: [String: String] = [:]
    var last = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("--- ") { break }
      if line.hasPrefix("  ") {
        fields[last, default: ""] += " " + line.trimmingCharacters(in: .whitespaces)
      } else if let colon = line.firstIndex(of: ":") {
        last = String(line[..<colon])
        fields[last] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
    }
    return (fields["Mutant"] ?? "", fields["Clause"] ?? "")
  }

  @Test func listsAllMutants() throws {
    let folder = try VectorsLocation.find().folder
    let patches = "\(folder)/../tools/mutants"
    var known = Defect.all.map { ["\($0.name)", "wrapper", $0.sentence, $0.clause] }
    for name in try FileManager.default.contentsOfDirectory(atPath: patches).sorted()
    where name.hasSuffix(".patch") {
      let text = try String(contentsOfFile: "\(patches)/\(name)", encoding: .utf8)
      let header = Self.header(text)
      known.append(
        [String(name.dropLast(".patch".count)), "source"] + [header.sentence, header.clause])
    }
    let list = try #require(try MutantList.read(folder))
    let listed = list.mutants.map {
      [$0.name.string, $0.kind.rawValue, $0.sentence.string, $0.clause.description]
    }
    let hint: Comment = "run tools/generate to update mutants.json"
    #expect(Set(known).subtracting(listed).map { $0[0] }.sorted() == [], hint)
    #expect(Set(listed).subtracting(known).map { $0[0] }.sorted() == [], hint)
    #expect(list.mutants.filter { $0.end == .survived }.map(\.name.string) == [])
    #expect(
      known.map { $0[0] }.filter { name in list.retired.contains { $0.name.string == name } } == [])
  }

  @Test func nothingIsWrongBesideTheClauses() throws {
    #expect(try Corpus.standard().sideProblems == [])
  }

  /// In the released corpus a sixth of the vectors kills what all of them kill.
  @Test func aPartOfTheCorpusKillsAllMutants() throws {
    let corpus = try Corpus.standard()
    let list = try #require(try MutantList.read(corpus.folder))
    let ranking = KillRanking(list, corpus.vectors)
    let first = Set(
      ranking.places.prefix(corpus.vectors.count / 6).map { corpus.vectors[$0].id })
    #expect(ranking.killedCount(by: first) == ranking.mutantCount)
    #expect(ranking.places.sorted() == Array(corpus.vectors.indices))
  }
}
