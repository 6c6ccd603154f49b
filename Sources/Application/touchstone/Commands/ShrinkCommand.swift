internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios
internal import Simulation

/// `touchstone shrink`: shrinks a failing scenario.
struct ShrinkCommand: Command {
  let options: SimulationOptions
  let path: String
  let runsMax: Int
  let savedName: String?
  /// Whether the smallest failing part of the shrunk scenario is searched.
  let findsMinimum: Bool

  static let manual = Manual(
    words: ["shrink"],
    summary: "Shrink a failing scenario while it shows the same failure.",
    operands: ["FILE"],
    options: SimulationOptions.manual + [
      .init(name: "--runs", value: "COUNT", help: "Limit of runs; the default is 4000."),
      .minimum,
      .init(
        name: "--save", value: "NAME",
        help: "Write NAME.json, a page and a text for an issue tracker."),
    ],
    notes: """
      Prints the shrunk scenario. Removes steps, message faults and replicas and lowers numbers \
      while the same oracle reports a finding of the same kind. Exits with 1 if the scenario does \
      not fail.
      """,
    examples: [("touchstone shrink found.json > small.json", "shrink a saved scenario")])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    options = try SimulationOptions(arguments, Self.manual, context: context)
    runsMax =
      try arguments.number("--runs", 1...10_000_000, for: Self.manual) ?? 4000
    guard arguments.operands.count == 1 else {
      throw UsageError("missing argument: FILE", Self.manual)
    }
    path = arguments.operands[0]
    savedName = arguments.value("--save")
    findsMinimum = arguments.has(Manual.Option.minimum.name)
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let scenario = try Scenario.forCommand(path)
    let result = try options.implementations.entries.attempt {
      () throws(HarnessError) -> ScenarioShrinker.Result? in
      var world = try World(scenario, options.participants)
      guard let finding = try world.run().findings.first else { return nil }
      var shrinker = ScenarioShrinker(finding, options.participants, runsMax: runsMax)
      guard let shrunk = try shrinker.shrunk(scenario) else {
        throw HarnessError(
          "a second run of \(path) has another finding; the implementation is not deterministic")
      }
      return shrunk
    }
    guard let result else {
      context.error("\(path): no finding\n")
      return .failure
    }
    try ShrunkFailure(result: result, options: options).show(savingAs: savedName, context)
    if findsMinimum {
      let least = try options.implementations.entries.attempt { () throws(HarnessError) in
        try result.leastCount(options.participants, isStopped: context.isInterrupted)
      }
      let noun = "step and message fault"
      context.error("smallest: \(leastWords(least, of: result.partCount, noun))\n")
    }
    return .success
  }
}

extension Scenario {
  /// Reads a file for a command.
  static func forCommand(_ path: String) throws(CommandFailure) -> Scenario {
    do {
      return try Scenario(try JSONValue.parse(try Files.read(path)))
    } catch let failure as Files.Failure {
      throw CommandFailure("\(failure)")
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
  }
}
