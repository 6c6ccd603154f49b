import Conformance
import JSON
import Testing

@testable import touchstone

@Suite struct ExplainCommandTests {
  @Test func theExamplesAreKnown() {
    let world = TestWorld()
    for example in ExplainCommand.manual.examples {
      let words = example.line.split(separator: "'").enumerated().flatMap { index, part in
        index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
      }
      #expect(CommandTable.run(Array(words.dropFirst()), world.context) == .success)
    }
  }

  @Test func asJSON() throws {
    let world = TestWorld()
    #expect(world.run("explain", "--json", "WIN-001") == .success)
    let json = try #require(try JSONValue.parse(world.output).objectValue)
    #expect(json["kind"] == "clause")
    #expect(json["clause"]?.objectValue?["id"] == "WIN-001")
    let mutants = try #require(json["mutants"]?.objectValue?["breaking"]?.arrayValue)
    #expect(!mutants.isEmpty)
  }

  @Test func anUnknownNameIsUsage() throws {
    let world = TestWorld()
    #expect(world.run("explain", "WIN-0001") == .usage)
    #expect(
      world.error.hasPrefix(
        "touchstone explain: no rule, vector, mutant or word matches 'WIN-0001'; did"))
    #expect(world.error.contains("'WIN-001'"))
    // A word of the command line is printed without characters that reorder text.
    let hostile = TestWorld()
    #expect(hostile.run("explain", "\u{202e}x") == .usage)
    #expect(!hostile.error.unicodeScalars.contains("\u{202e}"))
    let corpus = try TemporaryFolder.corpus()
    #expect(world.run("explain", "tree-absent", "--vectors", corpus.path) == .success)
    #expect(world.output.contains("It kills no known mutant."))
  }
}
