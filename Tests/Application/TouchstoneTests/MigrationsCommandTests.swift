import Testing

@testable import touchstone

struct MigrationsCommandTests {
  @Test func allWaysToEnd() {
    let world = TestWorld()
    #expect(world.run("migrations", "--ingredients", "1", "--interruptions", "1") == .success)
    let lines = world.output.split(separator: "\n")
    #expect(lines.count == 12)
    #expect(lines.allSatisfy { $0.contains("nothing lost") })
    #expect(lines.suffix(6).allSatisfy { $0.hasSuffix(", 0 with something twice") })
    #expect(world.error == "")
  }

  @Test func byChance() {
    let (first, second) = (TestWorld(), TestWorld())
    for world in [first, second] {
      let result = world.run(
        "migrations", "--recipes", "3", "--batch", "2", "--sample", "3", "--seed", "7")
      #expect(result == .success)
    }
    #expect(first.output == second.output)
    #expect(first.output.contains("4 ways"))
    #expect(TestWorld().run("migrations", "--recipes", "0") == .usage)
  }
}
