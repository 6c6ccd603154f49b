import Conformance
import Datastore
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

  /// Each restriction prevents at least one vector, and the schema of `hello` lists all of them.
  @Test func restrictions() throws {
    let world = TestWorld()
    #expect(world.run("explain", "--json", "restrictions") == .success)
    let rows = try #require(try JSONValue.parse(world.output).arrayValue).compactMap(\.objectValue)
    let names = rows.compactMap { $0["id"]?.textValue?.string }
    #expect(names == Restriction.allCases.map(\.rawValue))
    for row in rows {
      #expect(row["vectors"]?.arrayValue?.isEmpty == false)
      let clauses = [row["untested"], row["partlyTested"]].compactMap { $0?.arrayValue?.count }
      #expect(clauses.reduce(0, +) > 0)
    }
    let folder = try VectorsLocation.find().folder
    let schema = try JSONValue.parse(Files.read("\(folder)/schemas/protocol.schema.json"))
    #expect(schema.names(of: "restrictions") == names)

    let text = TestWorld()
    #expect(text.run("explain", "findWithoutSort") == .success)
    #expect(text.output.contains("findWithoutSort  (restriction)\n"))
    #expect(text.output.contains("Needs: find\n"))
    #expect(text.output.contains("FIND-022"))
  }

  /// A mutant that no vector kills is explained with a command that finds it.
  @Test func mutantsOfSimulations() throws {
    let name = "objects-shown-as-edited-here"
    let world = TestWorld()
    #expect(world.run("explain", "--json", name) == .success)
    let json = try #require(try JSONValue.parse(world.output).objectValue)
    let mutant = try #require(json["mutants"]?.arrayValue?.first?.objectValue)
    let command = try #require(mutant["command"]?.textValue?.string)
    let words = command.split(separator: " ").dropFirst().map(String.init)
    let simulation = TestWorld()
    let seeds = ["--seeds", "1..300", "--jobs", "1"]
    #expect(CommandTable.run(words + seeds, simulation.context) == .failure)

    let text = TestWorld()
    #expect(text.run("explain", name) == .success)
    #expect(
      text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(command))
  }

  /// Reports name the implementation of a run on a mutant like this.
  @Test(arguments: ["objects-shown-as-edited-here", "since-is-inclusive"])
  func mutantsAsReportsNameThem(name: String) {
    let (plain, long) = (TestWorld(), TestWorld())
    #expect(plain.run("explain", name) == .success)
    #expect(long.run("explain", "mutant:" + name) == .success)
    #expect(long.output == plain.output)
  }

  @Test func anUnknownNameIsUsage() throws {
    let world = TestWorld()
    #expect(world.run("explain", "WIN-0001") == .usage)
    #expect(
      world.error.hasPrefix(
        "touchstone explain: no rule, vector, mutant, deviation, restriction, name or word"))
    #expect(world.error.contains("'WIN-001'"))
    // A mutant of the vectors and of the simulation is one suggestion.
    let twice = TestWorld()
    #expect(twice.run("explain", "checkpoint-ahad") == .usage)
    #expect(twice.error.ranges(of: "'checkpoint-ahead'").count == 1, "\(twice.error)")
    // A word of the command line is printed without characters that reorder text.
    let hostile = TestWorld()
    #expect(hostile.run("explain", "\u{202e}x") == .usage)
    #expect(!hostile.error.unicodeScalars.contains("\u{202e}"))
    let corpus = try TemporaryFolder.corpus()
    #expect(world.run("explain", "tree-absent", "--vectors", corpus.path) == .success)
    #expect(world.output.contains("It kills no known mutant."))
  }
}

extension JSONValue {
  /// The `enum` of the items of the member with this name, at any depth.
  fileprivate func names(of member: JSONString) -> [String]? {
    guard let object = objectValue else { return nil }
    if let items = object[member]?.objectValue?["items"]?.objectValue?["enum"]?.arrayValue {
      return items.compactMap { $0.textValue?.string }
    }
    return object.members.lazy.compactMap { $0.value.names(of: member) }.first
  }
}
