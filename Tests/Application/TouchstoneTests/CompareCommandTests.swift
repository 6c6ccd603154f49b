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

  @Test(arguments: ["contexts", "stacks"])
  func layersAgree(layer: String) {
    let world = TestWorld()
    let options = ["--layer", layer, "--implementation", "sqlite", "--seeds", "1..3"]
    #expect(world.run(all: ["compare"] + options) == .success)
    #expect(world.output.hasPrefix("sqlite agrees with the bundled \(layer): 3 sequences, "))
    #expect(world.run(all: ["compare"] + options + ["--checker", "model"]) == .usage)
    #expect(world.error.contains("--layer takes neither --checker nor --product"))
    #expect(world.run("compare", "--layer", "context") == .usage)
    #expect(world.error.contains("expected one of contexts, "))
    world.implementations = [ParrotDatastore.entry { _ in .ok(.done) }]
    #expect(world.run("compare", "--layer", layer, "--implementation", "parrot") == .harness)
    #expect(world.error.contains("the layer \(layer) needs the capabilities"))
  }

  /// `variant:NAME` is a correct store that makes other choices than the model.
  @Test func variantsAgree() {
    let world = TestWorld()
    let name = "variant:all-choices"
    #expect(world.run("compare", "--implementation", name, "--seeds", "1..3") == .success)
    #expect(world.output.hasPrefix("\(name) agrees with the model: 3 sequences, "))
    #expect(world.run("compare", "--implementation", "variant:all-choice") == .usage)
    #expect(world.error.contains("did you mean 'variant:all-choices'?"), "\(world.error)")
  }

  /// `--judge` is the name of the option in version 0.1.
  @Test(arguments: ["--checker", "--judge"])
  func theChecker(option: String) throws {
    let world = TestWorld()
    let arguments = ["compare", "--implementation", "reference", "--seeds", "1", "--steps", "5"]
    #expect(world.run(all: arguments + [option, "contract", "--report", "-"]) == .success)
    #expect(world.output.contains(#""--checker","contract""#), "\(world.output)")
    #expect(!world.output.contains("--judge"))
  }

  /// The output is a vector file with the shrunk disagreement.
  @Test func aDisagreementIsPrintedAsAVectorFile() throws {
    let world = TestWorld()
    world.implementations = [ParrotDatastore.entry { _ in .ok(.done) }]
    #expect(world.run("compare", "--implementation", "parrot", "--seeds", "1..5") == .failure)
    #expect(world.error.contains("parrot disagrees with the model at seed 1"))
    #expect(
      world.error.contains("touchstone compare --implementation parrot --steps 50 --seeds 1\n"))
    let file = try VectorFile(JSONValue.parse(world.output))
    // One for each class of disagreements.
    #expect(file.vectors.count == 3)
    #expect(Set(file.vectors.map(\.id)).count == 3)
    #expect(file.vectors[0].steps.count == 2)
    // The same file is run against the defective store and against correct ones.
    let folder = try TemporaryFolder([("found.json", world.output)])
    let path = "\(folder.path)/found.json"
    #expect(
      world.run(
        "run", "--implementation", "parrot", "--vectors", path, "--grade", "contract") == .failure)
    world.implementations = ImplementationEntry.bundled
    #expect(world.run("vectors", "check", path) == .success)
    #expect(world.run("run", "--vectors", path) == .success)
  }

  @Test func anImplementationThatCannotBeAskedIsAHarnessError() {
    let world = TestWorld()
    world.implementations = [
      ParrotDatastore.entry { _ throws(HarnessError) in throw HarnessError("the pipe is closed") }
    ]
    #expect(world.run("compare", "--implementation", "parrot") == .harness)
    #expect(world.error == "touchstone: parrot: the pipe is closed\n")
  }

  /// Shards are joined to the report of the whole, but not with those of another experiment.
  @Test(arguments: [
    ["compare", "--steps", "5"], ["objects", "--objects", "3"],
    ["collections", "--steps", "5"],
  ])
  func shardsAreJoined(words: [String]) throws {
    func report(_ words: [String], _ options: [String]) throws -> String {
      let world = TestWorld()
      let code = world.run(
        all: words + ["--implementation", "reference", "--report", "-"] + options)
      try #require(code == .success, "\(world.error)")
      return world.output
    }
    let whole = try report(words, ["--seeds", "1..4"])
    let shards = try ["1/2", "2/2"].map { try report(words, ["--seeds", "1..4", "--shard", $0]) }
    #expect(whole.contains(#""runs":4,"#) && whole.contains(#""counts":{"#))
    let other = try report(["simulate", "--operations", "2"], ["--seeds", "5", "--jobs", "1"])
    let folder = try TemporaryFolder([
      ("1.json", shards[0]), ("2.json", shards[1]), ("3.json", other),
    ])
    let world = TestWorld()
    #expect(
      world.run("merge", "--json", "\(folder.path)/2.json", "\(folder.path)/1.json") == .success)
    #expect(world.output == whole)
    #expect(
      world.run("merge", "--partial", "\(folder.path)/1.json", "\(folder.path)/3.json") == .usage)
    #expect(world.error.contains("parts of different campaigns: options"))
  }

  /// Several processes with different hash seeds, and 1 or 2 workers.
  @Test func aProof() throws {
    let proof = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" compare --prove --seeds 1..2 --steps 5 --implementation reference")
    #expect(proof.end == .exited(0))
    #expect(proof.output.hasPrefix("2 seeds, same results here, with two workers"))
  }

  @Test(arguments: [
    ["--seeds", "x"], ["--seeds", "2..1"], ["--seeds", "1..2..3"], ["--seeds", "-1"],
    ["--steps", "0"], ["--checker", "jury"], ["--judge", "jury"], ["--implementation", "none"],
    ["--implementation", "reference", "--storage", "memory"], ["--shard", "3/2"],
    ["--storage", "disk:/tmp/x", "--jobs", "2"], ["--prove", "--seconds", "1"], ["--against", "x"],
  ])
  func wrongUsage(arguments: [String]) {
    let world = TestWorld()
    #expect(CommandTable.run(["compare"] + arguments, world.context) == .usage)
    #expect(world.error.contains("touchstone compare --help"))
  }
}
