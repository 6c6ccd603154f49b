internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios
internal import Simulation

/// `touchstone shrink`: makes a failing scenario as small as can be found.
struct ShrinkCommand: Command {
  let options: SimulationOptions
  let path: String
  let runsMax: Int
  let savedName: String?

  static let manual = Manual(
    words: ["shrink"],
    summary: "Make a failing scenario as small as can be found, with the same failure.",
    operands: ["FILE"],
    options: SimulationOptions.manual + [
      .init(name: "--runs", value: "COUNT", help: "How many runs it may take; 4000."),
      .init(
        name: "--save", value: "NAME",
        help: "Write it: NAME.json, a page, a text for a tracker."),
    ],
    notes: """
      The scenario is printed. Steps, messages that fare badly and replicas are left out, and \
      numbers lowered, as long as the same oracle finds the same kind of thing. Exits with 1 when \
      the scenario does not fail at all.
      """,
    examples: [("touchstone shrink found.json > small.json", "a smaller one")])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    options = try SimulationOptions(arguments, Self.manual, context: context)
    runsMax =
      try arguments.number("--runs", 1...10_000_000, for: Self.manual) ?? 4000
    guard arguments.operands.count == 1 else { throw UsageError("which file?", Self.manual) }
    path = arguments.operands[0]
    savedName = arguments.value("--save")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let scenario = try Scenario.forCommand(path)
    let result = try options.implementation.attempt {
      () throws(HarnessError) -> ScenarioShrinker.Result? in
      var world = try World(scenario, options.participants)
      guard let finding = try world.run().findings.first else { return nil }
      var shrinker = ScenarioShrinker(finding, options.participants, runsMax: runsMax)
      guard let shrunk = try shrinker.shrunk(scenario) else {
        throw HarnessError("a second run of \(path) does not show the same")
      }
      return shrunk
    }
    guard let result else {
      context.error("\(path) shows nothing that must not be\n")
      return .failure
    }
    try ShrunkFailure(result: result, options: options).show(savingAs: savedName, context)
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
