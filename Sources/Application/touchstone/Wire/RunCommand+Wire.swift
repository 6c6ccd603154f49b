internal import Conformance
internal import JSON
internal import WireConformance

// The profile `http`: its vectors are requests and responses, so they need a server.

extension RunCommand {
  /// Whether the profiles of the command line are the one of HTTP.
  static func isWire(_ arguments: Arguments) throws(UsageError) -> Bool {
    let profiles = arguments.values("--profile")
    guard profiles.contains(WireRun.profile) else { return false }
    guard profiles.count == 1 else {
      throw UsageError("--profile \(WireRun.profile) runs alone", manual)
    }
    for name in [
      "--grade", "--product", "--known-failures", "--write-baseline", "--storage", "--after",
      "--seconds", "--changed", "--verdict", "--fail-fast", "--stop-command",
    ] where arguments.value(name) != nil || arguments.has(name) {
      throw UsageError("\(name) does not apply to --profile \(WireRun.profile)", manual)
    }
    for report in arguments.values("--report")
    where !report.utf8.starts(with: "\(ReportFormat.jsonl.rawValue)=".utf8) {
      throw UsageError("--profile \(WireRun.profile) has only the report jsonl", manual)
    }
    return true
  }

  /// Runs the vectors of HTTP against the server.
  func runWire(_ context: Context) throws(CommandFailure) -> ExitCode {
    guard implementations.count == 1, let connect = implementations[0].makeWire else {
      let names = implementations.map(\.name).joined(separator: ", ")
      throw CommandFailure(
        UsageError(
          "--profile \(WireRun.profile) needs one server such as couchdb:http://127.0.0.1:5984, "
            + "not \(names)", Self.manual))
    }
    let corpus = try WireCorpus.forCommand(vectors)
    for glob in selection.globs where corpus.selected([glob]).isEmpty {
      throw CommandFailure(
        UsageError(
          "no vector matches '\(glob)'", Self.manual,
          suggestion: nearestIDs(
            to: glob.description,
            among: corpus.vectors.map(\.vector.id.string) + corpus.clauses.map(\.id.string)
          ).first))
    }
    var run = WireRun(implementations[0].name, corpus)
    try run.run(
      corpus.selected(selection.globs), jobs: jobs ?? Files.processorCount, context: context,
      connect: connect)
    func words(_ width: Int, _ style: TextStyle) -> String {
      run.text(style, width: width) { id in
        command(implementations[0], ["--profile", WireRun.profile, "--filter", id.string])
      }
    }
    if let report = reports.first, report.file == "-" {
      context.output(run.jsonLines)
      context.error(words(context.errorWidth, context.errorStyle))
    } else {
      context.output(words(context.width, context.style))
      for report in reports {
        do throws(Files.Failure) { try Files.write(run.jsonLines, to: report.file) } catch {
          throw CommandFailure("cannot write the report: \(error)")
        }
      }
    }
    return run.requiredFailures.isEmpty ? .success : .failure
  }
}
