import Conformance
import Datastore
import JSON
import Scenarios
import Testing

@testable import touchstone

struct CompareCommandTests {
  @Test(arguments: ["sqlite", "reference"])
  func bundledStoresAgree(name: String) {
    let world = TestWorld()
    let code = world.run("compare", "--implementation", name, "--seeds", "1..5", "--steps", "20")
    #expect(code == .success)
    #expect(world.output.hasPrefix("\(name) agrees with the model: 5 sequences, "))
    #expect(world.error.isEmpty)
  }

  /// What is printed is a vector file, and it holds the disagreement to its shortest form.
  @Test func aDisagreementIsPrintedAsAVectorFile() throws {
    let world = TestWorld()
    world.implementations = [ParrotDatastore.entry { _ in .ok(.done) }]
    #expect(world.run("compare", "--implementation", "parrot", "--seeds", "1..5") == .failure)
    #expect(world.error.contains("parrot disagrees with the model at seed 1"))
    #expect(
      world.error.contains("touchstone compare --implementation parrot --steps 50 --seeds 1\n"))
    let file = try VectorFile(JSONValue.parse(world.output))
    #expect(file.vectors.count == 1)
    #expect(file.vectors[0].steps.count == 2)
    // The same file, asked of a store that is right and of the one that is not.
    let folder = try TemporaryFolder([("found.json", world.output)])
    let path = "\(folder.path)/found.json"
    #expect(
      world.run(
        "run", "--implementation", "parrot", "--vectors", path, "--grade", "contract") == .failure)
    world.implementations = ImplementationEntry.bundled
    #expect(world.run("vectors", "check", path) == .success)
    #expect(world.run("run", "--vectors", path) == .success)
  }

  @Test func anImplementationThatCannotBeAskedIsNotJudged() {
    let world = TestWorld()
    world.implementations = [
      ParrotDatastore.entry { _ throws(HarnessError) in throw HarnessError("the pipe is closed") }
    ]
    #expect(world.run("compare", "--implementation", "parrot") == .harness)
    #expect(world.error == "touchstone: parrot: the pipe is closed\n")
  }

  @Test(arguments: [
    ["--seeds", "x"], ["--seeds", "2..1"], ["--seeds", "1..2..3"], ["--seeds", "-1"],
    ["--steps", "0"], ["--judge", "jury"], ["--implementation", "none"],
    ["--implementation", "reference", "--storage", "memory"],
  ])
  func wrongUsage(arguments: [String]) {
    let world = TestWorld()
    #expect(CommandTable.run(["compare"] + arguments, world.context) == .usage)
    #expect(world.error.contains("touchstone compare --help"))
  }
}
