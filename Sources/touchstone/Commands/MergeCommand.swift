internal import Conformance
internal import JSON
internal import Simulation

/// `touchstone merge`: joins the reports of the parts of a campaign.
struct MergeCommand: Command {
  let paths: [String]
  let isJSON: Bool

  static let manual = Manual(
    words: ["merge"],
    summary: "Join the reports of the parts of a campaign.",
    operands: ["REPORT..."],
    options: [.init(name: "--json", help: "As a report, which can be merged again.")],
    notes: """
      Reports are what touchstone simulate --report writes. The order does not matter. Exits with \
      1 when a run of any part failed.
      """,
    examples: [("touchstone merge part-*.json", "what all parts came to")])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    paths = arguments.operands
    isJSON = arguments.has("--json")
    guard !paths.isEmpty else { throw UsageError("which reports?", Self.manual) }
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    var report = CampaignReport()
    for path in paths {
      do {
        report += try CampaignReport(try JSONValue.parse(try Files.read(path)))
      } catch let failure as Files.Failure {
        throw CommandFailure("\(failure)")
      } catch {
        throw CommandFailure("\(path): \(error)")
      }
    }
    context.output(
      isJSON
        ? report.json.serialized() + "\n"
        : CampaignText(report, nil).text(nanoseconds: nil, context.style))
    return report.failures.isEmpty ? .success : .failure
  }
}
