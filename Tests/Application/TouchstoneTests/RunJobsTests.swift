import Conformance
import Datastore
import ReferenceDatastore
import Synchronization
import Testing

@testable import touchstone

@Suite struct RunJobsTests {
  /// A store that answers rightly until it is asked for a list.
  private final class Half: ImplementationUnderTest {
    private let model = ReferenceDatastore()
    var description: ImplementationDescription { model.description }

    func reset() { model.reset() }
    func crash(_ kind: CrashKind) { model.crash(kind) }
    func shutdown() { model.shutdown() }

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) -> Outcome {
      if case .list = operation.action { return .error(DatastoreError(.conflict)) }
      return model.perform(operation, environment)
    }
  }

  /// Counts how many of it were made.
  private final class Count: Sendable {
    let made = Atomic<Int>(0)

    func entry(runsBesideItself: Bool) -> ImplementationEntry {
      ImplementationEntry(
        name: "half", keepsFiles: false, followsModel: false, runsBesideItself: runsBesideItself
      ) { [self] _ in
        made.add(1, ordering: .relaxed)
        return Half()
      }
    }
  }

  private static func output(
    _ jobs: Int, _ arguments: [String]
  ) -> (code: ExitCode, output: String, error: String) {
    let world = TestWorld()
    world.implementations += [Count().entry(runsBesideItself: true)]
    let code = CommandTable.run(["run", "--jobs", "\(jobs)"] + arguments, world.context)
    return (code, world.output, world.error)
  }

  /// Whoever asks which vector, and when: reports are the same to the byte.
  @Test(
    arguments: [
      (["half"], "jsonl"), (["half"], "junit"), (["half"], "markdown"), (["half"], "tap"),
      (["half", "--fail-fast"], "jsonl"), (["sqlite"], "jsonl"),
    ])
  func noReportShowsHowManyWereAtWork(_ subject: [String], _ format: String) throws {
    let vectors = "\(try VectorsLocation.find().folder)/core/unicode.json"
    let arguments =
      ["--vectors", vectors, "--report", "\(format)=-", "--implementation"] + subject
    let alone = Self.output(1, arguments)
    #expect(alone.code == (subject.contains("half") ? .failure : .success))
    #expect(alone.output.utf8.count > 500)
    let together = Self.output(4, arguments)
    #expect(together == alone)
  }

  @Test func whatMustNotRunBesideItselfDoesSoOnlyWhenAskedTo() throws {
    let corpus = try TemporaryFolder.corpus()
    for (isAlone, more, expected) in [
      (true, [], 1), (true, ["--jobs", "2"], 2), (false, ["--jobs", "1"], 1),
      (false, ["--jobs", "2"], 2),
      // There are three vectors.
      (false, ["--jobs", "8"], 3), (false, ["--jobs", "8", "--filter", "tree-create"], 1),
    ] as [(Bool, [String], Int)] {
      let (world, count) = (TestWorld(), Count())
      world.implementations = [count.entry(runsBesideItself: !isAlone)]
      let run = ["run", "--implementation", "half", "--vectors", corpus.path] + more
      #expect(CommandTable.run(run, world.context) == .success, "\(world.error)")
      #expect(count.made.load(ordering: .relaxed) == expected, "\(more)")
    }
  }

  /// A worker that found the stores of another one would remove them.
  @Test func eachWorkerHasAFolderOfItsOwn() throws {
    let corpus = try TemporaryFolder.corpus()
    let folder = try TemporaryFolder()
    let world = TestWorld()
    let run = [
      "run", "--vectors", corpus.path, "--jobs", "3", "--storage", "disk:\(folder.path)/stores",
    ]
    for _ in 0..<2 {
      #expect(CommandTable.run(run, world.context) == .success, "\(world.error)")
    }
    for place in ["stores", "stores/worker-2", "stores/worker-3"] {
      #expect(try folder.text("\(place)/.touchstone").hasPrefix("Stores of touchstone run"))
    }
  }

  @Test func jobsAreANumber() {
    let world = TestWorld()
    for wrong in ["0", "two", "-1", "65"] {
      #expect(world.run("run", "--jobs", wrong) == .usage)
      #expect(world.error.contains("--jobs '\(wrong)': expected a number from 1 to 64"))
    }
  }
}
