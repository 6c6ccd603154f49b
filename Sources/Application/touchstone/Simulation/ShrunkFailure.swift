internal import Conformance
internal import Datastore
internal import JSON
internal import ObjectSimulation
internal import Rendering
internal import Scenarios
internal import Simulation

/// A failing scenario after shrinking, with its output for readers and programs.
struct ShrunkFailure {
  let result: ScenarioShrinker.Result
  let options: SimulationOptions

  /// For example `4 steps when shrunk (312 runs, minimal): b does not list …`.
  var sentence: String {
    let bound = result.isMinimal ? "minimal" : "run limit reached"
    return "\(TextLayout.counted(result.scenario.steps.count, "step")) after shrinking "
      + "(\(TextLayout.counted(result.runs, "run")), \(bound)): "
      + TextLayout.printable(result.finding.sentence.string)
  }

  /// Prints the finding, its point of no return and the scenario. With a name, writes the scenario to `NAME.json`, a page
  /// about its run to `NAME.html`, a text for an issue tracker to `NAME.md`, and its vector form,
  /// if any, to `NAME.vector.json`.
  func show(savingAs name: String?, _ context: Context) throws(CommandFailure) {
    context.error("\(sentence)\n")
    let (run, stores) = try options.implementations.entries.attempt { () throws(HarnessError) in
      var world = try World(result.scenario, options.participants, records: true)
      return (try world.run(), try options.implementations.descriptions())
    }
    var trace = run.trace ?? Trace(result.scenario)
    if let point = try options.addPointOfNoReturn(to: &trace, isShrunk: true, context) {
      let lines = TextLayout.wrapped(point, width: context.errorWidth, indent: "")
      context.error(lines.joined(separator: "\n") + "\n")
    }
    context.output(result.scenario.json.pretty() + "\n")
    guard let name else { return }
    let command = (["touchstone", "replay", "\(name).json"] + options.words + ["--timeline"])
      .map(shellQuoted).joined(separator: " ")
    let vector = vectorFile
    var written = ["\(name).json"]
    try onFiles { () throws(Files.Failure) in
      try Files.write(result.scenario.json.pretty() + "\n", to: "\(name).json")
      try Files.write(
        FailurePage(trace, command: command, program: programName).html, to: "\(name).html")
      written.append("\(name).html")
      if let vector {
        try Files.write(vector.json.pretty() + "\n", to: "\(name).vector.json")
        written.append("\(name).vector.json")
      }
      let issue = FailureIssue(
        result: result, stores: stores, trace: trace, command: command,
        vector: vector == nil ? nil : "\(name).vector.json")
      try Files.write(issue.markdown, to: "\(name).md")
      written.append("\(name).md")
    }
    context.error("wrote \(written.joined(separator: ", "))\n")
  }

  /// Returns the scenario as a vector; nil if it needs what vectors lack, such as a network or a
  /// second implementation.
  private var vectorFile: VectorFile? {
    guard !options.implementations.areMixed else { return nil }
    do throws(ScenarioPromotion.Obstacles) {
      let vector = try ScenarioPromotion.vector(
        of: result.scenario, id: "session-found-scenario", clauses: ["REPL-006"],
        note: "Found by simulation and shrunk.")
      return VectorFile(family: "session", about: "Found by simulation.", vectors: [vector])
    } catch {
      return nil
    }
  }
}
