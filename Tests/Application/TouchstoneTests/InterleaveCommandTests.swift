import Testing

@testable import touchstone

struct InterleaveCommandTests {
  /// In a process of its own, because all users of SQLite in a process share its random numbers.
  @Test func theCountsAreRepeatable() throws {
    let script = "\"$TOUCHSTONE\" interleave --pairs 9..9"
    let (end, output) = try BuiltProgram.shell(script)
    #expect(end == .exited(0))
    let line = try #require(output.split(separator: "\n").last { $0.hasPrefix("an edit and info") })
    let counts = line.split(separator: " ").compactMap { Int($0) }
    #expect(counts.count == 3)
    // States, runs and schedules: some states are on many paths.
    #expect(counts.count == 3 && counts[1] <= counts[0] + 1 && counts[2] > counts[0])
    #expect(line.hasSuffix("update: ok, info: ok"))
    #expect(try BuiltProgram.shell(script).output == output)
  }

  @Test func anIncompleteEnumeration() throws {
    let (end, output) = try BuiltProgram.shell("\"$TOUCHSTONE\" interleave --pairs 9..9 --runs 3")
    #expect(end == .exited(3))
    #expect(output.contains("not all"))
  }

  @Test func pairsThatDoNotExist() {
    let world = TestWorld()
    #expect(world.run("interleave", "--pairs", "1..99") == .usage)
    #expect(world.error.contains("--pairs: expected a range within 1..17"))
  }
}
