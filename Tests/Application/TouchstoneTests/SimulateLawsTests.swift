import Testing

@testable import touchstone

struct SimulateLawsTests {
  @Test(arguments: ["reference", "sqlite"])
  func lawsHold(implementation: String) {
    let world = TestWorld()
    let code = world.run(
      "simulate", "--laws", "--seeds", "1..5", "--implementation", implementation)
    #expect(code == .success)
    #expect(world.output == "\(implementation): 6 laws under 5 seeds: all hold\n")
    #expect(
      world.run("simulate", "--laws", "--seeds", "1..20", "--mutant", "winner-by-arrival")
        == .failure)
    #expect(world.output.contains("a law is violated: "))
    #expect(world.run("simulate", "--laws", "--prove") == .usage)
  }
}
