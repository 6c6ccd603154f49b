import Foundation
import JSON
import ReferenceDatastore
import Testing

@testable import touchstone

@Suite struct VectorsLintCommandTests {
  /// A corpus with a vector about leaves that depends on `revsDiff` of a stub revision.
  private static func corpus(
    entries: String = "", binds: String = "contract"
  ) throws -> TemporaryFolder {
    try TemporaryFolder([
      (
        "clauses.json",
        """
        {"clauses": [
          {"id": "TREE-001", "level": "MUST", "binds": "\(binds)", "text": "A tree is a tree.",
           "source": "here", "status": "agreed"}]}
        """
      ),
      (
        "core/tree.json",
        """
        {"family": "tree", "about": "a", "vectors": [
          {"id": "tree-stub", "clauses": ["TREE-001"], "profile": "core", "note": "n", "steps": [
            {"do": {"op": "insertRevisions", "store": "a",
             "records": [{"id": "d", "path": ["2-b", "1-a"], "body": {}}]}},
            {"do": {"op": "revsDiff", "store": "a", "revs": [{"id": "d", "revs": ["1-a"]}]},
             "expect": {"ok": {"results": []}}}]}]}
        """
      ),
      ("lint.json", #"{"format": "touchstone-lint", "version": 1, "entries": [\#(entries)]}"#),
    ])
  }

  private static let entry =
    #"{"deviation": "stubs-are-missing", "vectors": "tree-*", "reason": "r"}"#
  private static let stale =
    #"{"deviation": "list-by-utf16", "vectors": "tree-*", "reason": "r"}"#

  @Test func findsADependentVector() throws {
    let corpus = try Self.corpus()
    let world = TestWorld()
    #expect(world.run("vectors", "lint", "--vectors", corpus.path, "--jobs", "2") == .failure)
    #expect(
      world.output == """
        stubs-are-missing: `revsDiff` reports known revisions without a body as missing, as often as a query
        lists them. Breaks DIFF-003.
          tree-stub  TREE-001  core/tree.json

        1 vector under \(Deviation.all.count) deviations: 0 failures explained by lint.json, 1 unexplained

        """)
    #expect(
      world.run("vectors", "lint", "--vectors", corpus.path, "--deviation", "list-by-utf16")
        == .success)
    #expect(
      world.output
        == "1 vector under 1 deviation: 0 failures explained by lint.json, 0 unexplained\n")
  }

  @Test func readsTheList() throws {
    let known = try Self.corpus(entries: Self.entry)
    let world = TestWorld()
    #expect(world.run("vectors", "lint", "--vectors", known.path) == .success)
    #expect(world.output.contains("1 failure explained by lint.json, 0 unexplained"))
    let stale = try Self.corpus(entries: "\(Self.entry), \(Self.stale)")
    #expect(world.run("vectors", "lint", "--vectors", stale.path) == .failure)
    #expect(
      world.output.contains(
        "lint.json: entry 2 ('tree-*' under list-by-utf16) explains no vector; remove it\n"))
    let bad = try Self.corpus(entries: "{}")
    #expect(world.run("vectors", "lint", "--vectors", bad.path) == .harness)
    #expect(world.error.contains("lint.json: entries[0]"), "\(world.error)")
  }

  @Test func aClauseOfALayerNeedsABasis() throws {
    let corpus = try Self.corpus(entries: Self.entry, binds: "layer")
    let world = TestWorld()
    #expect(world.run("vectors", "lint", "--vectors", corpus.path) == .failure)
    #expect(world.output.contains("TREE-001: no basis\n"), "\(world.output)")
    #expect(world.output.contains("0 unexplained"))
    #expect(world.run("vectors", "lint", "--json", "--vectors", corpus.path) == .failure)
    #expect(
      try JSONValue.parse(world.output).objectValue?["unfounded"] == ["TREE-001"],
      "\(world.output)")
  }

  @Test func writesJSON() throws {
    let corpus = try Self.corpus(entries: Self.stale)
    let world = TestWorld()
    let arguments = ["vectors", "lint", "--json", "--vectors", corpus.path]
    #expect(world.run(all: arguments) == .failure)
    #expect(
      try JSONValue.parse(world.output) == [
        "vectors": 1, "deviations": .integer(Int64(Deviation.all.count)),
        "unexplained": [
          ["deviation": "stubs-are-missing", "clauses": ["DIFF-003"], "vectors": ["tree-stub"]]
        ],
        "miscounts": [
          [
            "entry": 1, "deviation": "list-by-utf16", "vectors": "tree-*", "expected": 1,
            "found": 0,
          ]
        ],
        "unfounded": [], "explained": 0,
      ])
  }

  @Test func anUnknownDeviationIsUsage() {
    let world = TestWorld()
    #expect(world.run("vectors", "lint", "--deviation", "stubs-are-mising") == .usage)
    #expect(world.error.contains("did you mean 'stubs-are-missing'?"), "\(world.error)")
  }
}
