import Testing

@testable import touchstone

/// Runs with a time limit.
@Suite struct RunSecondsTests {
  private static func corpus(mutants: String?) throws -> TemporaryFolder {
    let vectors = ["a", "b", "c", "d"].map { name in
      #"{"id": "tree-\#(name)", "clauses": ["TREE-001"], "profile": "core", "note": "Because.", "#
        + #""steps": [{"do": {"op": "create", "store": "a", "body": {}}}]}"#
    }
    return try TemporaryFolder(
      [
        (
          "clauses.json",
          """
          {"clauses": [{"id": "TREE-001", "level": "MUST", "binds": "layer", "text": "A tree is a tree.",
            "source": "here", "status": "agreed"}]}
          """
        ),
        (
          "core/tree.json",
          #"{"family": "tree", "about": "a", "vectors": [\#(vectors.joined(separator: ",\n"))]}"#
        ),
      ] + (mutants.map { [("mutants.json", $0)] } ?? []))
  }

  /// Two mutants that only `tree-c` kills, and one that only `tree-b` kills.
  private static let mutants: String = {
    let list = [("m", "c"), ("n", "b"), ("o", "c")].map { name, killer in
      #"{"name": "\#(name)", "kind": "wrapper", "implementation": "reference", "#
        + #""sentence": "It is wrong.", "clause": "TREE-001", "end": "killed", "provesClause": true, "#
        + #""vectors": ["tree-\#(killer)"], "observed": 0, "generated": 0}"#
    }
    return
      #"{"format": "touchstone-mutants", "version": 1, "mutants": [\#(list.joined(separator: ", "))], "#
      + #""retired": []}"#
  }()

  /// The ids of the vectors that ran, in a run that reads the clock each half second.
  private static func ran(_ more: [String]) throws -> (ids: [String], error: String) {
    let corpus = try corpus(mutants: mutants)
    let world = TestWorld()
    world.clock.tick(nanoseconds: 500_000_000)
    let code = world.run(
      all: ["run", "--vectors", corpus.path, "--jobs", "1", "--report", "tap=-"] + more)
    #expect(code == .success, "\(world.error)")
    let ids = world.output.split(separator: "\n").compactMap { line -> String? in
      line.split(separator: " ").first { $0.hasPrefix("tree-") }.map(String.init)
    }
    return (ids, world.error)
  }

  @Test func theVectorsWithTheMostKillsRunFirst() throws {
    let (ids, error) = try Self.ran(["--seconds", "2"])
    #expect(ids == ["tree-c"])
    #expect(
      error.contains(
        "1 of 4 vectors ran; they kill 2 of the 3 mutants that all of them kill (66.6 %)\n"),
      "\(error)")
    #expect(error.contains("a selection of vectors does not prove conformance"))
  }

  @Test func withEnoughTimeAllVectorsRun() throws {
    let (ids, error) = try Self.ran(["--seconds", "100"])
    #expect(ids == ["tree-a", "tree-b", "tree-c", "tree-d"])
    #expect(error.contains("they kill 3 of the 3 mutants that all of them kill (100.0 %)\n"))
  }

  @Test func eachImplementationHasItsShare() throws {
    let corpus = try Self.corpus(mutants: Self.mutants)
    let world = TestWorld()
    world.run(
      "run", "--vectors", corpus.path, "--seconds", "100", "--implementation", "reference",
      "--implementation", "sqlite")
    #expect(world.error.contains("reference: 4 of 4 vectors ran; they kill 3 "), "\(world.error)")
    #expect(world.error.contains("sqlite: 4 of 4 vectors ran; they kill 3 "))
  }

  @Test func aCorpusWithoutMutantsCannotBeRanked() throws {
    let corpus = try Self.corpus(mutants: nil)
    let world = TestWorld()
    #expect(world.run("run", "--vectors", corpus.path, "--seconds", "2") == .harness)
    #expect(
      world.error.contains("--seconds and --changed need mutants.json beside the vectors"),
      "\(world.error)")
  }

  @Test(arguments: [
    (["--seconds", "0"], "--seconds"),
    (
      ["--seconds", "2", "--after", "tree-a"],
      "--after continues in the order of the corpus: leave out --seconds"
    ),
  ])
  func wrongUse(_ words: [String], _ message: String) {
    let world = TestWorld()
    #expect(world.run(all: ["run"] + words) == .usage)
    #expect(world.error.contains(message), "\(world.error)")
  }
}
