import Testing

@testable import touchstone

struct BenchCommandTests {
  @Test func measuresWritesAndCompares() throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/figures.json"
    let world = TestWorld()
    let small = ["bench", "--scale", "small", "--runs", "1", "--storage", "memory"]
    let first = small + ["--filter", "read", "--json", file]
    #expect(CommandTable.run(first, world.context) == .success)
    #expect(world.output.contains("read"))
    #expect(!world.output.contains("revs-diff"))
    world.output = ""
    #expect(
      CommandTable.run(small + ["--filter", "re*", "--compare", file], world.context) == .success)
    #expect(world.output.contains("revs-diff"))
    #expect(world.error.isEmpty)
  }

  @Test func saysWhatThereIs() {
    let world = TestWorld()
    #expect(world.run("bench", "--list", "--filter", "re*") == .success)
    let lines = world.output.split(separator: "\n")
    #expect(lines.first == "read             Read the live winner of a document by its id.")
    #expect(lines.allSatisfy { $0.hasPrefix("re") && $0.hasSuffix(".") })
  }

  @Test func whatIsNoReportIsRefused() throws {
    let folder = try TemporaryFolder([("figures.json", "{}")])
    let world = TestWorld()
    let arguments = ["bench", "--filter", "read", "--compare", "\(folder.path)/figures.json"]
    #expect(CommandTable.run(arguments, world.context) == .harness)
    #expect(world.error.contains("figures.json: "))
  }

  @Test(arguments: [
    ["--runs", "0"], ["--scale", "big"], ["--storage", "tape"], ["--filter", "nothing"],
  ])
  func wrongUsage(arguments: [String]) {
    let world = TestWorld()
    #expect(CommandTable.run(["bench"] + arguments, world.context) == .usage)
    #expect(world.error.contains("touchstone bench --help"))
  }
}
