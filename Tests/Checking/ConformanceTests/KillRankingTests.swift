import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

@Suite struct KillRankingTests {
  private static let ids: [VectorID] = ["tree-a", "tree-b", "tree-c", "tree-d", "tree-e"]

  private static func vectors() throws -> [CorpusVector] {
    try ids.map { try Fixtures.passing($0.description) }
  }

  /// A list with one mutant for each list of vectors that kill it.
  private static func list(_ killers: [[VectorID]]) throws -> MutantList {
    let vectors = try vectors()
    return MutantList(
      killers.enumerated().map { number, ids in
        Mutant(
          name: JSONString("m\(number)"), kind: .wrapper, implementation: "reference",
          sentence: "It is wrong.",
          clause: "TREE-001", end: .killed, provesClause: true,
          killers: vectors.filter { ids.contains($0.id) })
      })
  }

  private static func ranked(_ killers: [[VectorID]]) throws -> [VectorID] {
    KillRanking(try list(killers), try vectors()).places.map { ids[$0] }
  }

  @Test func theVectorWithTheMostKillsComesFirst() throws {
    #expect(
      try Self.ranked([["tree-b", "tree-d"], ["tree-d"], ["tree-c"]])
        == ["tree-d", "tree-c", "tree-b", "tree-a", "tree-e"])
  }

  /// The one that kills two of four is behind the one that kills the third: both of its are covered.
  @Test func onlyMutantsThatNoEarlierVectorKillsCount() throws {
    #expect(
      try Self.ranked([
        ["tree-a", "tree-b"], ["tree-a", "tree-b"], ["tree-a"], ["tree-e"],
      ])
        == ["tree-a", "tree-e", "tree-b", "tree-c", "tree-d"])
  }

  @Test func ofEqualVectorsTheFirstOfTheCorpusIsFirst() throws {
    #expect(
      try Self.ranked([["tree-e"], ["tree-b"], ["tree-c"]])
        == ["tree-b", "tree-c", "tree-e", "tree-a", "tree-d"])
  }

  /// A vector with many steps needs more kills.
  @Test func stepsCost() throws {
    let step = #"{"do": {"op": "open", "store": "a"}}"#
    let long = try Fixtures.vector(
      #"{"id": "tree-long", "clauses": ["TREE-001"], "profile": "core", "note": "Because.", "#
        + #""steps": [\#(Array(repeating: step, count: 30).joined(separator: ","))]}"#)
    let short = try Fixtures.passing("tree-short")
    func first(_ killers: [[CorpusVector]]) -> VectorID? {
      let mutants = killers.enumerated().map { number, killers in
        Mutant(
          name: JSONString("m\(number)"), kind: .wrapper, implementation: "reference",
          sentence: "It is wrong.",
          clause: "TREE-001", end: .killed, provesClause: true, killers: killers)
      }
      return KillRanking(MutantList(mutants), [long, short]).places.first.map {
        [long.id, short.id][$0]
      }
    }
    #expect(first([[long], [long], [short]]) == "tree-short")
    #expect(first(Array(repeating: [long], count: 20) + [[short]]) == "tree-long")
  }

  @Test func theShareCountsMutantsThatTheVectorsKill() throws {
    let vectors = try Self.vectors()
    let list = try Self.list([["tree-a", "tree-b"], ["tree-b"], ["tree-e"], []])
    let ranking = KillRanking(list, Array(vectors.dropLast()))
    // The last two are not killed by any of the vectors.
    #expect(ranking.mutantCount == 2)
    #expect(ranking.killedCount(by: ["tree-a"]) == 1)
    #expect(ranking.killedCount(by: ["tree-b", "tree-e"]) == 2)
    #expect(ranking.killedCount(by: []) == 0)
  }
}
