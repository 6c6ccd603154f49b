import Conformance
import Datastore
import JSON
import ReferenceDatastore
import Scenarios
import Simulation
import Testing

@testable import touchstone

@Suite struct SimulateCommandTests {
  private static let small = ["--operations", "5", "--implementation", "reference"]

  private func run(_ world: TestWorld, _ arguments: [String]) -> ExitCode {
    (world.output, world.error) = ("", "")
    return CommandTable.run(arguments + Self.small, world.context)
  }

  @Test func aGoodCampaign() {
    let world = TestWorld()
    world.clock.tick(nanoseconds: 1_000_000_000)
    #expect(run(world, ["simulate", "--seeds", "1..3", "--jobs", "1"]) == .success)
    #expect(
      world.output.hasPrefix("reference: 3 replicas, 5 operations each, faults: all\n3 runs, "))
    #expect(world.output.contains("0 lost writes; not covered: fewer than 1×"))
    #expect(world.error == "")
  }

  /// The growth of the coverage is printed and equal in each run, and the report does not contain it.
  @Test func coverage() throws {
    let world = TestWorld()
    let seeds = ["simulate", "--seeds", "1..5"]
    func table(_ options: [String]) throws -> [Substring] {
      #expect(run(world, seeds + options) == .success)
      let lines = world.output.split(separator: "\n")
      let start = try #require(lines.lastIndex { $0.hasPrefix("runs  states") }, "\(lines)")
      return Array(lines[start...])
    }
    let lines = try table(["--coverage"])
    #expect(try table(["--coverage", "--jobs", "1"]) == lines)
    #expect(lines.count == 6 && lines[1].hasPrefix("   1  "), "\(lines)")
    #expect(lines[4].hasPrefix("   5  ") && lines[5].contains(" states; the last 1 run found "))
    #expect(run(world, seeds + ["--jobs", "1", "--report", "-"]) == .success)
    let report = world.output
    #expect(run(world, seeds + ["--coverage", "--report", "-"]) == .success)
    #expect(world.output == report && !report.contains("states"))
  }

  @Test(arguments: [["--jobs", "2"], ["--laws"], ["--prove"]])
  func coverageNeedsOneProcess(options: [String]) {
    let world = TestWorld()
    #expect(run(world, ["simulate", "--seeds", "1..2", "--coverage"] + options) == .usage)
    #expect(world.error.contains("--coverage counts the states of one process"))
  }

  /// Options that would have no effect.
  @Test(arguments: [
    (["--prove", "--report", "-"], "--prove compares reports and writes none: leave out --report"),
    (
      ["--mutant", "object-found-twice"],
      "--mutant object-found-twice is a mutant of contexts: add --contexts"
    ),
  ])
  func optionsWithoutEffect(options: [String], message: String) {
    let world = TestWorld()
    #expect(run(world, ["simulate", "--seeds", "1..2"] + options) == .usage)
    #expect(world.error.contains(message), "\(world.error)")
  }

  /// A finding is printed shrunk, saved, rendered as a page, and reproduced by replay and shrink.
  @Test func aFind() throws {
    let folder = try TemporaryFolder()
    let name = "\(folder.path)/found"
    let mutant = ["--mutant", "deleted-leaves-not-sent"]
    let world = TestWorld()
    let code = run(
      world, ["simulate", "--seeds", "1..60", "--jobs", "1", "--save", name] + mutant)
    #expect(code == .failure)
    #expect(world.output.contains("1 run failed"))
    #expect(world.error.contains("after shrinking"))
    let scenario = try Scenario(try JSONValue.parse(Files.read("\(name).json")))
    #expect(scenario.steps.count <= 8)
    #expect(world.output.hasSuffix(scenario.json.pretty() + "\n"))
    let html = String(decoding: try Files.read("\(name).html"), as: UTF8.self)
    #expect(html.contains("touchstone replay \(name).json"))
    #expect(html.contains("<h1>A replication run saved a checkpoint before replica "))
    #expect(html.contains("<footer>\(programName). "))
    let point = "Point of no return: stores d"
    #expect(world.error.contains(point) && html.contains(point))
    let issue = String(decoding: try Files.read("\(name).md"), as: UTF8.self)
    #expect(issue.contains(point) && issue.contains(" N N "))

    #expect(run(world, ["replay", "\(name).json"] + mutant) == .failure)
    #expect(world.output.contains("1 finding\n"))
    #expect(world.output.contains(point))
    #expect(run(world, ["replay", "\(name).json"]) == .success)
    #expect(run(world, ["shrink", "\(name).json"] + mutant) == .success)
    let again = try Scenario(try JSONValue.parse(world.output))
    #expect(again.steps.count <= scenario.steps.count)
    #expect(run(world, ["shrink", "\(name).json"]) == .failure)
    #expect(world.error.contains(": no finding"))
  }

  /// A known deviation or mutant with the same outcomes is named.
  @Test(arguments: [
    (
      ["--implementation", "deviation:stubs-are-missing"],
      "stubs-are-missing (deviation of PouchDB)"
    ),
    (["--implementation", "mutant:generations-as-text"], "generations-as-text (mutant): Leaves"),
    (["--mutant", "losing-leaves-not-sent"], "losing-leaves-not-sent (mutant)"),
    (
      [
        "--implementation", "deviation:stubs-are-missing,latest-returns-the-best-leaf", "--product",
        "FILE",
      ], "latest-returns-the-best-leaf (deviation of PouchDB)"
    ),
  ])
  func aCauseIsNamed(options: [String], cause: String) throws {
    let product = """
      {"format": "touchstone-product", "version": 1, "store": {"name": "s", "version": "1"},
       "about": "", "deviations": [{"id": "stubs-are-missing"}]}
      """
    let folder = try TemporaryFolder([("product.json", product)])
    let options = options.map { $0 == "FILE" ? "\(folder.path)/product.json" : $0 }
    let world = TestWorld()
    let code = world.run(
      all: ["simulate", "--seeds", "1..6", "--jobs", "1", "--classes", "1"] + options)
    #expect(code == .failure)
    #expect(world.error.contains("cause:\n  \(cause)"), "\(world.error)")
  }

  @Test func anUnknownCauseIsUnknown() {
    let world = TestWorld()
    world.implementations.append(
      ImplementationEntry(
        name: "odd", keepsFiles: false, followsModel: false, runsBesideItself: true
      ) { _ in OddReads() })
    #expect(
      world.run("simulate", "--implementation", "odd", "--seeds", "1..5", "--jobs", "1")
        == .failure)
    #expect(world.error.contains("\nunknown cause\n"), "\(world.error)")
  }

  /// The model with a member that no client wrote in each body that is read.
  private final class OddReads: ImplementationLayer {
    let base: any ImplementationUnderTest = ReferenceDatastore()

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      let outcome = try base.perform(operation, environment)
      guard case .ok(.document(var document)) = outcome else { return outcome }
      document.body = ["odd": document.body]
      return .ok(.document(document))
    }
  }

  @Test func digestsOfARun() {
    let world = TestWorld()
    #expect(run(world, ["replay", "3", "--digests"]) == .success)
    let lines = world.output.split(separator: "\n")
    #expect(lines.count > 10)
    #expect(lines.allSatisfy { $0.split(separator: " ").allSatisfy { UInt64($0) != nil } })
    let first = world.output
    #expect(run(world, ["replay", "3", "--digests"]) == .success)
    #expect(world.output == first)
  }

  @Test(arguments: [
    ["simulate", "--seeds", "9..1"], ["simulate", "--shard", "3/2"], ["simulate", "--jobs", "0"],
    ["simulate", "--replicas", "17"], ["simulate", "--faults", "rain"],
    ["simulate", "--mutant", "none-such"], ["simulate", "--against", "x"],
    ["simulate", "--prove", "--minutes", "1"], ["merge"], ["shrink"],
  ])
  func wrongUsage(arguments: [String]) {
    let world = TestWorld()
    #expect(CommandTable.run(arguments, world.context) == .usage)
  }

  @Test func aReportThatIsNotThere() throws {
    let folder = try TemporaryFolder()
    let world = TestWorld()
    #expect(world.run("merge", "\(folder.path)/b.json") == .harness)
  }

  /// Shards in separate processes have the same result as one process.
  @Test func shardsBesideEachOther() throws {
    let folder = try TemporaryFolder()
    let options = Self.small.joined(separator: " ")
    let sharded = try BuiltProgram.shell(
      """
      seq 1 4 | xargs -P 2 -I K "$TOUCHSTONE" simulate --seeds 1..8 --shard K/4 --jobs 1 \(options) \
        --report \(folder.path)/K.json >/dev/null
      "$TOUCHSTONE" merge --json \(folder.path)/[1-4].json
      """)
    #expect(sharded.end == .exited(0))
    let whole = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" simulate --seeds 1..8 --jobs 2 \(options) --report -")
    #expect(sharded.output == whole.output)
    #expect(sharded.output.contains("\"runs\":8,"))
    #expect(sharded.output.contains(#""shard":"1/1","ran":[[1,8]]"#))
  }

  /// Several processes with different hash seeds, and 1 or 2 workers.
  @Test func aProof() throws {
    let proof = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" simulate --prove --seeds 1..2 \(Self.small.joined(separator: " "))")
    #expect(proof.end == .exited(0))
    #expect(proof.output.hasPrefix("2 seeds, same results here, with two workers"))
  }

  /// Runs with findings are functions of their seeds, too; campaigns that end at a finding end
  /// elsewhere with two workers.
  @Test(arguments: [
    "simulate --operations 20 --mutant deleted-leaves-not-sent --seeds 1..3",
    "compare --implementation mutant:deleted-branch-wins --fail-fast --seeds 1..5",
  ])
  func aProofOfFindings(words: String) throws {
    let proof = try BuiltProgram.shell("\"$TOUCHSTONE\" \(words) --prove")
    #expect(proof.end == .exited(0), "\(proof.output)")
    #expect(proof.output.contains(" seeds, same results here, another process, a process with"))
  }

  /// PouchDB fails without a response if an unknown revision is read with `latest`. A declared
  /// failure ends its run, and is no finding.
  @Test func aDeclaredFailureIsNoFinding() {
    let arguments = [
      "simulate", "--implementation", "product:pouchdb-9", "--seeds", "17..17", "--jobs", "1",
    ]
    let declared = TestWorld()
    #expect(declared.run(all: arguments + ["--product", "pouchdb-9"]) == .success)
    #expect(declared.output.contains("latest-of-unknown-fails in 1 run"), "\(declared.output)")
    #expect(TestWorld().run(all: arguments) == .failure)
  }
}
