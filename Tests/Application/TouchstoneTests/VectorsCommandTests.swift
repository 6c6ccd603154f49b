import JSON
import Testing

@testable import touchstone

@Suite struct VectorsCommandTests {
  @Test func lists() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    #expect(world.run("vectors", "list", "--vectors", corpus.path) == .success)
    #expect(
      world.output == """
        tree-purge   purge  TREE-001
        tree-create  core   TREE-001
        tree-absent  core   TREE-002

        """)
    #expect(
      world.run("vectors", "list", "--filter", "TREE-002", "--vectors", corpus.path) == .success)
    #expect(world.output == "tree-absent  core  TREE-002\n")
  }

  @Test func listsAsJSON() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    #expect(world.run("vectors", "list", "--json", "--vectors", corpus.path) == .success)
    let rows = try #require(try JSONValue.parse(world.output).arrayValue)
    #expect(rows.count == 3)
    #expect(
      rows[0] == [
        "id": "tree-purge", "file": "capabilities/purge.json", "clauses": ["TREE-001"],
        "profile": "core", "capabilities": ["purge"], "required": true, "steps": 1,
        "note": "Because of tree-purge.",
      ])
    #expect(
      world.run("vectors", "list", "--json", "--filter", "x", "--vectors", corpus.path) == .usage)
    #expect(world.output == "")
  }

  @Test func shows() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    #expect(world.run("vectors", "show", "tree-absent", "--vectors", corpus.path) == .success)
    #expect(
      world.output == """
        tree-absent  core/tree.json
          Because of tree-absent.
          Runs on stores that offer: core

          TREE-002 MUST Nothing is lost.
            Source: there
            Some DB 1: Loses it.

        1 {"op": "read", "store": "a", "id": "d"}
          → {"error": {"kind": "notFound", "reason": "missing"}}

        """)
    #expect(world.run("vectors", "show", "tree-create", "--vectors", corpus.path) == .success)
    #expect(world.output.contains(#"  → {"ok": {}}  (default expectation)"#))
  }

  @Test func theExampleExists() {
    let world = TestWorld()
    let words = VectorsShowCommand.manual.examples[0].line.split(separator: " ").map(String.init)
    #expect(CommandTable.run(Array(words.dropFirst()), world.context) == .success)
  }

  @Test func anUnknownOneIsUsage() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    #expect(world.run("vectors", "show", "tree-absnet", "--vectors", corpus.path) == .usage)
    #expect(
      world.error
        == """
        touchstone vectors show: unknown vector 'tree-absnet'; did you mean 'tree-absent'?
        Run 'touchstone vectors show --help' for usage.

        """)
    #expect(world.run("vectors", "show", "tree", "--vectors", corpus.path) == .usage)
    #expect(
      world.error.contains("did you mean 'tree-purge' or 'tree-create' or 'tree-absent'?\n"))
  }

  @Test func checks() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    #expect(world.run("vectors", "check", corpus.path) == .success)
    #expect(
      world.output == """
        TREE-003 has no vector: Nobody asks.
        3 vectors in 2 files, 3 clauses: valid

        """)
  }

  @Test func countsInTheSingular() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    let file = "\(corpus.path)/capabilities/purge.json"
    world.run("vectors", "check", file)
    #expect(world.output.contains("1 vector in 1 file, "), "\(world.output)")
  }

  @Test func checksTellEverything() throws {
    let folder = try TemporaryFolder([
      ("clauses.json", #"{"clauses": []}"#), ("core/a.json", "{}"), ("core/b.json", "["),
    ])
    let world = TestWorld()
    #expect(world.run("vectors", "check", folder.path) == .failure)
    #expect(
      world.output == """
        core/a.json: family: missing member
        core/b.json: line 1, byte column 2: byte 1: expected a value, found the end of the text
        2 problems in 0 vectors in 0 files, 0 clauses

        """)
  }
}
