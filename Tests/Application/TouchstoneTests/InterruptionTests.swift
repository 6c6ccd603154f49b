import Conformance
import Datastore
import Testing

@testable import touchstone

/// Commands that the user stops print what they found so far.
struct InterruptionTests {
  @Test(arguments: [["compare", "--steps", "5"], ["simulate", "--jobs", "1"], ["objects"]])
  func anExperimentPrintsItsResult(words: [String]) {
    let world = TestWorld()
    world.stopsAfter = 2
    let code = world.run(all: words + ["--implementation", "reference", "--seeds", "1..1000"])
    // As a run of vectors that ended early.
    #expect(code == .harness)
    #expect(world.error.hasPrefix("interrupted after 2 of 1000 "), "\(world.error)")
    #expect(world.output.contains("2 "))
  }

  /// The explored ways to end are printed, and the first ones without the rest.
  @Test func anExplorationPrintsItsResult() throws {
    let folder = try TemporaryFolder([])
    let world = TestWorld()
    world.stopsAfter = 400
    let words = ["migrations", "--jobs", "1", "--report", "\(folder.path)/r.json"]
    #expect(world.run(all: words + ["--page", "\(folder.path)/m.html"]) == .harness)
    #expect(world.error == "interrupted after 1 of 12 ways to end\n")
    let lines = world.output.split(separator: "\n")
    #expect(lines.count == 3, "\(world.output)")
    #expect(lines.first?.hasSuffix(" with duplicates") == true)
    #expect(lines.dropFirst().first?.hasSuffix(", interrupted") == true)
    #expect(try folder.text("m.html").contains("(stopped before the end)"))
    #expect(world.run("merge", "\(folder.path)/r.json") == .usage)
    #expect(world.error.contains("1 of 12 seeds ran"), "\(world.error)")
  }

  @Test func aDisagreementIsStillPrinted() {
    let world = TestWorld()
    world.stopsAfter = 1
    world.implementations = [ParrotDatastore.entry { _ in .ok(.done) }]
    #expect(world.run("compare", "--implementation", "parrot") == .failure)
    #expect(world.error.contains("interrupted after 1 of 1000 sequences"), "\(world.error)")
    #expect(world.error.contains("parrot disagrees with the model at seed 1"))
  }

  @Test func aDiagnosisPrintsItsCauses() throws {
    let world = TestWorld()
    world.stopsAfter = 60
    let folder = try TemporaryFolder([])
    let path = "\(folder.path)/product.json"
    let name = "deviation:stubs-are-missing"
    #expect(world.run("diagnose", "--implementation", name, "--write", path) != .success)
    #expect(world.output.contains(" failures in 60 vectors"), "\(world.output)")
    #expect(world.error.contains("interrupted after 60 of "), "\(world.error)")
    #expect(world.error.contains("\(path) was not written"))
    #expect(!Files.exists(path))
  }

  /// A terminal and `timeout` signal the workers, too: they finish their case and report it.
  @Test func workersReportWhatTheyCompleted() throws {
    let folder = try TemporaryFolder([])
    let run = try BuiltProgram.shell(
      "timeout -s INT 4 \"$TOUCHSTONE\" simulate --implementation reference --seeds 1..100000 "
        + "--jobs 2 --report \(folder.path)/r.json; echo $?")
    #expect(run.output.contains("\n0 lost writes; "), "\(run.output)")
    let report = try folder.text("r.json")
    #expect(report.contains(#""ran": [[1,"#) || report.contains(#""ran":[[1,"#), "\(report)")
  }

  /// What the other workers completed remains.
  @Test func aKilledWorkerLeavesAGap() throws {
    let folder = try TemporaryFolder([])
    let run = try BuiltProgram.shell(
      """
      "$TOUCHSTONE" simulate --implementation reference --seeds 1..80 --jobs 2 \
        --report \(folder.path)/r.json & P=$!
      while ! W=$(pgrep -P $P -f 'seeds 1..'); do sleep 0.01; done
      kill -9 $W; wait $P; echo code $?
      """)
    #expect(run.output.contains("code 3"), "\(run.output)")
    let report = try folder.text("r.json")
    #expect(report.contains("[[6,"), "\(report)")
  }

  /// The process ends by the signal, so that a shell stops, too.
  @Test(arguments: ["1", "2"])
  func theSignalIsPassedOn(jobs: String) throws {
    let run = try BuiltProgram.shell(
      "timeout --foreground --preserve-status -s INT 2 \"$TOUCHSTONE\" compare --implementation reference "
        + "--seconds 60 --jobs \(jobs); echo $?")
    #expect(run.output.hasSuffix("\n130\n"), "\(run.output)")
    #expect(run.output.contains("reference agrees with the model: "))
  }
}
