internal import Conformance
internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios
internal import Simulation

/// A failing scenario after it was made small: what people and other programs get of it.
struct ShrunkFailure {
  let result: ScenarioShrinker.Result
  let options: SimulationOptions

  /// `4 steps when shrunk (312 runs, nothing more can be left out): b does not know …`.
  var sentence: String {
    let bound = result.isMinimal ? "nothing more can be left out" : "the search was cut short"
    return "\(TextLayout.counted(result.scenario.steps.count, "step")) when shrunk "
      + "(\(TextLayout.counted(result.runs, "run")), \(bound)): "
      + TextLayout.printable(result.finding.sentence.string)
  }

  /// Says what was found and prints the scenario; with a name it is written to `NAME.json`, and a
  /// page about its run to `NAME.html`.
  func show(savingAs name: String?, _ context: Context) throws(CommandFailure) {
    context.error("\(sentence)\n")
    context.output(result.scenario.json.pretty() + "\n")
    guard let name else { return }
    let run: SimulationRun
    do throws(HarnessError) {
      var world = try World(result.scenario, options.participants, records: true)
      run = try world.run()
    } catch {
      throw CommandFailure("\(options.implementation.name): \(error)")
    }
    let command = (["touchstone", "replay", "\(name).json"] + options.words + ["--timeline"])
      .map(shellQuoted).joined(separator: " ")
    do throws(Files.Failure) {
      try Files.write(result.scenario.json.pretty() + "\n", to: "\(name).json")
      if let trace = run.trace {
        try Files.write(FailurePage(trace, command: command).html, to: "\(name).html")
      }
    } catch {
      throw CommandFailure("\(error)")
    }
    context.error("wrote \(name).json and \(name).html\n")
  }
}
