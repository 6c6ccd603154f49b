import Conformance
import Datastore
import ReferenceDatastore
import Synchronization
import Testing

@testable import touchstone

@Suite struct RunJobsTests {
  /// A store that is correct until a `list` is requested.
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

  /// Counts the created stores.
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

  /// Reports are byte-identical for any distribution of vectors to workers.
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
      // There are 3 vectors.
      (false, ["--jobs", "8"], 3), (false, ["--jobs", "8", "--filter", "tree-create"], 1),
    ] as [(Bool, [String], Int)] {
      let (world, count) = (TestWorld(), Count())
      world.implementations = [count.entry(runsBesideItself: !isAlone)]
      let run = ["run", "--implementation", "half", "--vectors", corpus.path] + more
      #expect(CommandTable.run(run, world.context) == .success, "\(world.error)")
      #expect(count.made.load(ordering: .relaxed) == expected, "\(more)")
    }
  }

  /// In a shared folder, a worker would remove the stores of another one.
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
