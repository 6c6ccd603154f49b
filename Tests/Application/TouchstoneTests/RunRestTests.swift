import Testing

@testable import touchstone

/// Runs with many failures, and runs that end early.
@Suite struct RunRestTests {
  /// 12 vectors that fail if every document is missing, the last one with the fewest steps.
  private static func corpus() throws -> TemporaryFolder {
    let steps = (1...12).map { number in
      let create = #"{"do": {"op": "create", "store": "a", "id": "d\#(number)", "body": {}}}"#
      let open = #"{"do": {"op": "open", "store": "a"}}"#
      let all = Array(repeating: open, count: 12 - number) + [create]
      return all.joined(separator: ", ")
    }
    let vectors = steps.enumerated().map { place, steps in
      #"{"id": "tree-\#(place + 1)", "clauses": ["TREE-001"], "profile": "core", "#
        + #""note": "Because.", "steps": [\#(steps)]}"#
    }
    return try TemporaryFolder([
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
    ])
  }

  private static func failures(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("FAIL ") }.map {
      String($0.split(separator: " ")[1])
    }
  }

  @Test func theSimplestFailuresArePrintedInFull() throws {
    let corpus = try Self.corpus()
    let world = RunCommandTests.world(RunCommandTests.forgetful)
    let words = ["run", "--implementation", "parrot", "--vectors", corpus.path]
    #expect(world.run(all: words) == .failure)
    // Those with the fewest steps first.
    #expect(Self.failures(world.output) == (3...12).reversed().map { "tree-\($0)" })
    #expect(
      world.output.contains(
        """
        12 failures. The 10 simplest are printed above; --all prints all.
        By rule:
            12  TREE-001  A tree is a tree.
        By form:

        """), "\(world.output)")
    #expect(world.run(all: words + ["--all"]) == .failure)
    #expect(Self.failures(world.output) == (1...12).reversed().map { "tree-\($0)" })
    #expect(!world.output.contains("By rule:"))
  }

  @Test func anInterruptedRunReportsAndTellsTheRest() throws {
    let corpus = try Self.corpus()
    let world = RunCommandTests.world(RunCommandTests.forgetful)
    world.stopsAfter = 5
    let words = [
      "run", "--implementation", "parrot", "--vectors", corpus.path, "--filter", "tree-*",
    ]
    #expect(world.run(all: words) == .failure)
    #expect(Self.failures(world.output).count == 5)
    #expect(
      world.output.hasSuffix(
        "not conformant (grade family): 5 vectors failed; stopped with 7 of 12 vectors left: "
          + "interrupted\n"), "\(world.output)")
    let rest =
      "run --implementation parrot --vectors \(corpus.path) --filter 'tree-*' --after tree-5"
    #expect(world.error == "To run the rest: touchstone \(rest)\n")
    world.stopsAfter = nil
    #expect(world.run(all: words + ["--after", "tree-5"]) == .failure)
    #expect(Self.failures(world.output) == (6...12).reversed().map { "tree-\($0)" })
    #expect(world.error == "")
  }

  @Test(
    arguments: [
      ("tree-13", "unknown vector 'tree-13' of --after; did you mean 'tree-1'?"),
      ("tree-12", "touchstone run: no vector comes after tree-12\n"),
    ])
  func aRestThatIsEmptyIsAUsageError(_ id: String, _ text: String) throws {
    let corpus = try Self.corpus()
    let world = RunCommandTests.world(RunCommandTests.forgetful)
    #expect(
      world.run("run", "--implementation", "parrot", "--vectors", corpus.path, "--after", id)
        == .usage)
    #expect(world.error.contains(text), "\(world.error)")
  }
}
