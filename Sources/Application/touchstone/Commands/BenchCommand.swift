internal import Adapters
internal import Benchmarks
internal import Conformance
internal import JSON

/// `touchstone bench`: measures the bundled SQLite store beside its floor.
struct BenchCommand: Command {
  let benchmarks: [Benchmark]
  let runner: BenchmarkRunner
  let listsOnly: Bool
  let reportFile: String?
  let earlierFile: String?

  static let manual = Manual(
    words: ["bench"],
    summary: "Measure the bundled SQLite store, each figure beside a floor from the same run.",
    options: [
      .init(
        name: "--filter", value: "GLOB", isRepeatable: true,
        help: "Only benchmarks with such a name; without one all of them."),
      .init(name: "--list", help: "Say what each benchmark does, and measure nothing."),
      .init(name: "--runs", value: "COUNT", help: "Runs that count, of each side in turn; 9."),
      .init(name: "--scale", value: "standard|small", help: "How much a run does; standard."),
      .init(
        name: "--storage", value: "disk|memory",
        help: "Where the files are: in a temporary folder (the default) or in memory."),
      .init(name: "--folder", value: "DIR", help: "Where the temporary folder is made."),
      .init(
        name: "--adapter", value: "PLACE",
        help: "Measure the way to an adapter, such as exec:tools/adapters/c/echo, as well."),
      .init(name: "--json", value: "FILE", help: "Write all figures; - is the standard output."),
      .init(
        name: "--compare", value: "FILE", help: "Set the figures beside those of an earlier --json."
      ),
    ],
    notes: """
      The floor is a loop on the C interface of SQLite, written by hand: the schema that the store \
      has, the transactions and look-ups that the semantics force, one pass of Jansson over a body, \
      and nothing else. It leaves the same rows behind, which is checked in every run. A ratio of 2 \
      means that the store takes twice as long.
      """,
    examples: [
      ("touchstone bench", "everything, in a few minutes"),
      ("touchstone bench --list", "what there is"),
      ("touchstone bench --filter 'insert-*' --storage memory", "without the disk"),
      ("touchstone bench --json before.json", "keep the figures"),
      ("touchstone bench --compare before.json", "and see what a change has done to them"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let globs = arguments.values("--filter").map { Glob(JSONString($0)) }
    let adapter = try Self.adapter(arguments)
    benchmarks = (BenchmarkSuite.benchmarks + adapter).filter { benchmark in
      globs.isEmpty || globs.contains { $0.matches(JSONString(benchmark.name)) }
    }
    guard !benchmarks.isEmpty else {
      let known = BenchmarkSuite.benchmarks.map { $0.name }.joined(separator: ", ")
      throw UsageError("no benchmark has such a name; there is \(known)", Self.manual)
    }
    guard let runs = Int(arguments.value("--runs") ?? "9"), (1...1000).contains(runs) else {
      throw UsageError("--runs is a number from 1 to 1000", Self.manual)
    }
    runner = BenchmarkRunner(
      storage: try Self.choice(arguments, "--storage") ?? .disk,
      scale: try Self.choice(arguments, "--scale") ?? .standard, runs: runs,
      folder: arguments.value("--folder"))
    listsOnly = arguments.has("--list")
    reportFile = arguments.value("--json")
    earlierFile = arguments.value("--compare")
  }

  private static func adapter(_ arguments: Arguments) throws(UsageError) -> [Benchmark] {
    guard let name = arguments.value("--adapter") else { return [] }
    do throws(AdapterPlace.Fault) {
      if let place = try AdapterPlace(name) {
        return [BenchmarkSuite.adapter(at: place, secret: .environment)]
      }
    } catch {
      throw UsageError("\(error)", manual)
    }
    throw UsageError("'\(name)' is no adapter; expected exec:COMMAND or the like", manual)
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ arguments: Arguments, _ name: String
  ) throws(UsageError) -> Choice? where Choice.RawValue == String {
    guard let text = arguments.value(name) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map { $0.rawValue }.joined(separator: " or ")
    throw UsageError("\(name) is \(known), not '\(text)'", manual)
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    if listsOnly {
      let width = benchmarks.map { $0.name.count }.max() ?? 0
      for benchmark in benchmarks {
        context.output("\(TextLayout.padded(benchmark.name, width))  \(benchmark.sentence)\n")
      }
      return .success
    }
    let earlier = try earlierReport()
    // The temporary folder has to go first.
    context.watchInterruption()
    var measurements: [Measurement] = []
    do throws(BenchmarkError) {
      for benchmark in benchmarks {
        var line = ProgressLine(context)
        defer { line.finish() }
        let measurement = try runner.run(
          benchmark,
          progress: { done, count in
            line.show(
              done, of: count, "runs of \(benchmark.name)", single: "run of \(benchmark.name)")
          }, isStopped: context.isInterrupted)
        measurements.append(measurement)
      }
    } catch {
      throw CommandFailure("\(error)")
    }
    let report = BenchmarkReport(
      machine: .current, storage: runner.storage, scale: runner.scale, measurements: measurements)
    let text = report.text(width: context.width, comparedWith: earlier)
    let json = report.json.pretty() + "\n"
    switch reportFile {
    case nil: context.output(text)
    case "-"?:
      context.error(text)
      context.output(json)
    case let file?:
      context.output(text)
      do throws(Files.Failure) {
        try Files.write(json, to: file)
      } catch {
        throw CommandFailure("the figures cannot be written: \(error)")
      }
    }
    return .success
  }

  private func earlierReport() throws(CommandFailure) -> BenchmarkReport? {
    guard let earlierFile else { return nil }
    let bytes: [UInt8]
    do throws(Files.Failure) {
      bytes = try Files.read(earlierFile)
    } catch {
      throw CommandFailure("the earlier figures cannot be read: \(error)")
    }
    do throws(BenchmarkError) {
      return try BenchmarkReport(parsing: bytes)
    } catch {
      throw CommandFailure("\(earlierFile): \(error)")
    }
  }
}
