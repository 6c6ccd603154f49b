internal import Conformance
internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios
internal import Simulation

/// A small failure as text for a tracker: what must not be, what leads there, and how to see it again.
struct FailureIssue {
  let result: ScenarioShrinker.Result
  let store: ImplementationDescription
  let trace: Trace?
  /// What shows it again.
  let command: String
  /// The file with the same as a vector; nil when no vector can say it.
  let vector: String?

  /// How many lines of the timeline are shown.
  private static let timelineLinesMax = 200

  var markdown: String {
    let finding = result.finding
    let language = store.language.map { " (\($0))" } ?? ""
    var lines = ["# \(Markdown.text(finding.sentence.string))", ""]
    lines.append(
      "\(Markdown.text("\(store.name) \(store.version)\(language)")), found by `touchstone simulate` "
        + "\(toolVersion), judge \(Markdown.code(finding.oracle.string)), "
        + "seed \(result.scenario.seed), made small: "
        + "\(TextLayout.counted(result.scenario.steps.count, "step")), "
        + "\(TextLayout.counted(result.scenario.replicas.count, "replica")).")
    if let trace {
      let timeline = TextTimeline().lines(of: trace)
      let shown = timeline.prefix(Self.timelineLinesMax)
      lines += ["", "## What happens", ""] + Markdown.block(Array(shown), language: "text")
      if shown.count < timeline.count {
        lines += [
          "", "… \(timeline.count - shown.count) more lines: `touchstone replay` has them.",
        ]
      }
    }
    lines += ["", "## How to see it again", ""] + Markdown.block([command], language: "sh")
    if let vector {
      lines += [
        "",
        "The same without a network, for every store: "
          + "`touchstone run --vectors \(vector) --grade contract --implementation …`.",
      ]
    }
    let scenario = result.scenario.json.pretty().split(separator: "\n").map(String.init)
    lines += ["", "## The scenario", ""] + Markdown.block(scenario, language: "json")
    return lines.joined(separator: "\n") + "\n"
  }
}
