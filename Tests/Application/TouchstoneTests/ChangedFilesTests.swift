import Conformance
import Datastore
import Foundation
import JSON
import Scenarios
import Testing
import TouchstoneKit

@testable import touchstone

/// The vectors of changed files, on the checkout of these tests.
@Suite struct ChangedFilesTests {
  private static func near(_ paths: String...) throws -> (near: ChangedFiles, corpus: Corpus) {
    let corpus = try Corpus.standard()
    let mutants = try #require(try MutantList.read(corpus.folder))
    return (try ChangedFiles(paths, corpus: corpus, mutants: mutants), corpus)
  }

  @Test func vectorsOfAFileOfVectors() throws {
    let (near, corpus) = try Self.near("Vectors/core/tree.json")
    #expect(near.vectors == Set(corpus.vectors.filter { $0.file == "core/tree.json" }.map(\.id)))
    #expect(!near.vectors.isEmpty)
    let absolute = try Self.near("\(corpus.folder)/core/tree.json").near
    #expect(absolute.vectors == near.vectors)
  }

  @Test func killersOfAPatch() throws {
    let (near, corpus) = try Self.near("tools/mutants/winner-reversed.patch")
    let mutants = try #require(try MutantList.read(corpus.folder))
    let mutant = try #require(mutants.mutants.first { $0.name == "winner-reversed" })
    #expect(near.vectors == Set(mutant.vectors))
  }

  /// A file of the sources has the killers of its mutants, and the vectors of their families.
  @Test func vectorsOfASource() throws {
    let (near, corpus) = try Self.near(
      "Sources/Stores/SQLiteDatastore/Store/Store+Purge.swift")
    let mutants = try #require(try MutantList.read(corpus.folder))
    let mutant = try #require(mutants.mutants.first { $0.name == "sqlite-purge-takes-inner" })
    #expect(near.vectors.isSuperset(of: mutant.vectors))
    let family = corpus.vectors.filter { $0.clauses.contains { $0.family == "PURGE" } }
    #expect(near.vectors.isSuperset(of: family.map(\.id)))
    #expect(near.vectors.count < corpus.vectors.count / 2)
  }

  /// Some vectors kill a mutant of a file without a clause of its families.
  @Test func killersOfOtherFamilies() throws {
    let (near, corpus) = try Self.near("Sources/Stores/ReferenceDatastore/ModelStore+Edits.swift")
    let mutants = try #require(try MutantList.read(corpus.folder))
    let mutant = try #require(mutants.mutants.first { $0.name == "create-begins-anew" })
    #expect(near.vectors.isSuperset(of: mutant.vectors))
  }

  @Test func unknownFilesAreNamed() throws {
    let near = try Self.near("README.md").near
    #expect(near.vectors.isEmpty)
    #expect(near.unknown == ["README.md"])
    #expect(throws: CommandFailure.self) { try Self.near("Sources/NoSuchFile.swift") }
    // Another folder with such a file does not exist, and a file outside the checkout is not in it.
    #expect(throws: CommandFailure.self) {
      try Self.near("/nope/Sources/Core/RevisionTree/Collation.swift")
    }
    #expect(throws: CommandFailure.self) { try Self.near("/etc/passwd") }
    let plain = try Self.near("Sources/Core/RevisionTree/Collation.swift").near.vectors
    #expect(
      try Self.near("Sources/Core/../Core/RevisionTree/Collation.swift").near.vectors == plain)
  }

  /// The vectors of the changed file run before the others, and all of them run.
  @Test func theyRunFirst() throws {
    let folder = try TemporaryFolder([("keep", "")])
    let path = "\(folder.path)/run.jsonl"
    let world = TestWorld()
    let words = ["run", "--implementation", "mutant:winner-by-arrival", "--jobs", "1"]
    let selection = ["--filter", "winner-*", "--filter", "tree-*", "--filter", "session-*"]
    world.run(
      all: words + selection + [
        "--changed", "Vectors/core/session.json", "--fail-fast", "--report", "jsonl=\(path)",
      ])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("session-"))
    #expect(!text.contains("\"winner-"))
    let expected = try Self.near("Vectors/core/session.json").near.vectors.count
    #expect(
      world.error.contains("\(expected) of ")
        && world.error.contains("run first: those that are likely to detect an error"))
    let few = TestWorld()
    few.run(
      all: words + ["--filter", "winner-*", "--changed", "Vectors/core/winner.json"]
        + ["--changed", "Vectors/core/session.json"])
    let ran = few.error.split(separator: " ").prefix(3)
    #expect(ran.first == ran.last, "\(few.error)")
    #expect(
      world.run(all: ["run", "--changed", "README.md", "--after", "tree-a"]) == .usage)
  }
}
