internal import Adapters
internal import Benchmarks
internal import Conformance
internal import JSON

/// `touchstone bench`: measures the bundled SQLite store against a baseline.
struct BenchCommand: Command {
  let benchmarks: [Benchmark]
  let runner: BenchmarkRunner
  let listsOnly: Bool
  let reportFile: String?
  let earlierFile: String?

  static let manual = Manual(
    words: ["bench"],
    summary: "Measure the bundled SQLite store against a baseline measured in the same run.",
    options: [
      .init(
        name: "--filter", value: "GLOB", isRepeatable: true,
        help: "Run only benchmarks with a matching name; the default is all."),
      .init(name: "--list", help: "List the benchmarks with their descriptions."),
      .init(name: "--runs", value: "COUNT", help: "Measured runs of each side; the default is 9."),
      .init(
        name: "--scale", value: "standard|small",
        help: "Amount of work per run; the default is standard."),
      .init(
        name: "--storage", value: "disk|memory",
        help: "Keep the files in a temporary folder (disk, the default) or in memory."),
      .init(name: "--folder", value: "DIR", help: "Create the temporary folder in DIR."),
      .init(
        name: "--adapter", value: "PLACE", choices: ImplementationEntry.places,
        help: "Also measure the round trip to an adapter, such as exec:tools/adapters/c/echo."),
      .init(
        name: "--json", value: "FILE", help: "Write all figures as JSON; - is standard output."),
      .init(
        name: "--compare", value: "FILE", help: "Compare with the figures of an earlier --json."
      ),
    ],
    notes: """
      The baseline is a hand-written loop over the C interface of SQLite. It uses the schema of \
      the store, the transactions and look-ups that the semantics require, and one pass of Jansson \
      over each body. Every run checks that it leaves the same rows as the store. A ratio of 2 \
      means that the store takes twice as long as the baseline.
      """,
    examples: [
      ("touchstone bench", "run all benchmarks, in a few minutes"),
      ("touchstone bench --list", "list the benchmarks"),
      ("touchstone bench --filter 'insert-*' --storage memory", "measure without the disk"),
      ("touchstone bench --json before.json", "write the figures to a file"),
      ("touchstone bench --compare before.json", "compare a later build with them"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let globs = arguments.values("--filter").map { Glob(JSONString($0)) }
    let adapter = try Self.adapter(arguments)
    benchmarks = (BenchmarkSuite.benchmarks + adapter).filter { benchmark in
      globs.isEmpty || globs.contains { $0.matches(JSONString(benchmark.name)) }
    }
    guard !benchmarks.isEmpty else {
      let known = BenchmarkSuite.benchmarks.map { $0.name }.joined(separator: ", ")
      throw UsageError("--filter matches no benchmark; expected one of \(known)", Self.manual)
    }
    runner = BenchmarkRunner(
      storage: try Self.choice(arguments, "--storage") ?? .disk,
      scale: try Self.choice(arguments, "--scale") ?? .standard,
      runs: try arguments.number("--runs", 1...1000, for: Self.manual) ?? 9,
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
    throw UsageError(
      "--adapter '\(name)': expected exec:COMMAND, connect:ADDRESS or listen:ADDRESS", manual)
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ arguments: Arguments, _ name: String
  ) throws(UsageError) -> Choice? where Choice.RawValue == String {
    guard let text = arguments.value(name) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map { $0.rawValue }.joined(separator: " or ")
    throw UsageError("\(name) '\(text)': expected \(known)", manual)
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
    // An interrupted run must remove its temporary folder.
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
        throw CommandFailure("cannot write the figures: \(error)")
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
      throw CommandFailure("cannot read the earlier figures: \(error)")
    }
    do throws(BenchmarkError) {
      return try BenchmarkReport(parsing: bytes)
    } catch {
      throw CommandFailure("\(earlierFile): \(error)")
    }
  }
}
