internal import Conformance
internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios
internal import Simulation

/// A shrunk failure as text for an issue tracker: the finding, the events, and the command to
/// reproduce it.
struct FailureIssue {
  let result: ScenarioShrinker.Result
  /// The implementations, in the order of the command line.
  let stores: [ImplementationDescription]
  let trace: Trace
  /// The command that reproduces it.
  let command: String
  /// The vector file with the same failure; nil if it has no vector form.
  let vector: String?

  /// The number of timeline lines shown.
  private static let timelineLinesMax = 200

  /// The implementation, or that of each replica.
  private var subject: String {
    func words(_ store: ImplementationDescription) -> String {
      "\(store.name) \(store.version)\(store.language.map { " (\($0))" } ?? "")"
    }
    guard stores.count > 1 else { return stores.map(words).joined() }
    let scenario = result.scenario
    return scenario.replicas.enumerated().map { place, name in
      "replica \(name): \(words(stores[scenario.implementation(of: place) % stores.count]))"
    }.joined(separator: ", ")
  }

  var markdown: String {
    let finding = result.finding
    var lines = ["# \(Markdown.text(finding.sentence.string))", ""]
    lines.append(
      "\(Markdown.text(subject)), found by `touchstone simulate` "
        + "\(toolVersion), oracle \(Markdown.code(finding.oracle.string)), "
        + "seed \(result.scenario.seed), shrunk to "
        + "\(TextLayout.counted(result.scenario.steps.count, "step")), "
        + "\(TextLayout.counted(result.scenario.replicas.count, "replica")).")
    if let point = trace.pointOfNoReturnText { lines += ["", Markdown.text(point)] }
    let timeline = TextTimeline().lines(of: trace)
    let shown = timeline.prefix(Self.timelineLinesMax)
    lines += ["", "## Events", ""] + Markdown.block(Array(shown), language: "text")
    if shown.count < timeline.count {
      lines += [
        "", "… \(timeline.count - shown.count) more lines; `touchstone replay` prints them.",
      ]
    }
    lines += ["", "## Reproduction", ""] + Markdown.block([command], language: "sh")
    if let vector {
      lines += [
        "",
        "The same as a vector, without a network, for any store: "
          + "`touchstone run --vectors \(vector) --grade contract --implementation …`.",
      ]
    }
    let scenario = result.scenario.json.pretty().split(separator: "\n").map(String.init)
    lines += ["", "## Scenario", ""] + Markdown.block(scenario, language: "json")
    return lines.joined(separator: "\n") + "\n"
  }
}
