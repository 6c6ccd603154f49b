internal import Conformance
internal import JSON
internal import Simulation

/// `touchstone merge`: joins the reports of the parts of a campaign.
struct MergeCommand: Command {
  let paths: [String]
  let isJSON: Bool
  let isPartial: Bool

  static let manual = Manual(
    words: ["merge"],
    summary: "Join the reports of the parts of a campaign.",
    operands: ["REPORT..."],
    options: [
      .init(
        name: "--partial",
        help: "Accept missing seeds; the verdict then states the share that ran."),
      .init(name: "--json", help: "Print a report, which can be merged again."),
    ],
    notes: """
      Merges the reports that simulate, compare, objects, collections, race, migrations and crash \
      write with --report, in any order. All reports must have the same command, program, \
      implementation, version, options and corpus. Together they must have every seed exactly \
      once: a duplicate report, a shard of another division, a part without seeds and a gap are \
      errors. Exits with 1 if a run of any part failed, with 2 if the reports cannot be joined, and \
      with 3 if more than 1 in 20 sequences of compare were checked in part.
      """,
    examples: [
      ("touchstone merge part-*.json", "join all parts"),
      ("touchstone merge --partial part-*.json", "join the parts that finished"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    paths = arguments.operands
    isJSON = arguments.has("--json")
    isPartial = arguments.has("--partial")
    guard !paths.isEmpty else { throw UsageError("missing argument: REPORT", Self.manual) }
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    var files: [(path: String, file: CampaignFile)] = []
    for path in paths { files.append((path, try read(path))) }
    if files.count == 1, files[0].file.seeds == nil { return showOld(files[0].file, context) }
    let merge: CampaignMerge
    do throws(CampaignMerge.Refusal) {
      merge = try CampaignMerge(files, isPartial: isPartial)
    } catch {
      throw CommandFailure(UsageError("\(error)", Self.manual))
    }
    context.output(
      isJSON
        ? merge.file.json.serialized() + "\n"
        : CampaignText(
          merge.file.report, nil, identity: merge.file.identity, share: share(of: merge)
        )
        .text(nanoseconds: nil, context.style))
    guard merge.file.report.failures.isEmpty else { return .failure }
    guard merge.file.report.isInconclusive else { return .success }
    context.error("more than 1 in 20 sequences were checked in part, which is no evidence\n")
    return .harness
  }

  private func share(of merge: CampaignMerge) -> CampaignText.Share? {
    merge.isPartial ? CampaignText.Share(ran: merge.ran, asked: merge.asked) : nil
  }

  private func read(_ path: String) throws(CommandFailure) -> CampaignFile {
    do {
      return try CampaignFile(try JSONValue.parse(try Files.read(path)))
    } catch let failure as Files.Failure {
      throw CommandFailure("\(failure)")
    } catch {
      throw CommandFailure(
        UsageError("\(path): not a campaign report: \(error)", Self.manual))
    }
  }

  /// Shows a report of version 1 alone, with its limits.
  private func showOld(_ file: CampaignFile, _ context: Context) -> ExitCode {
    context.error(
      "\(paths[0]): an older version of touchstone wrote this report; it does not say which seeds of "
        + "which implementation ran, and cannot be joined with others\n")
    context.output(
      isJSON
        ? file.report.json.serialized() + "\n"
        : CampaignText(file.report, nil).text(nanoseconds: nil, context.style))
    return file.report.failures.isEmpty ? .success : .failure
  }
}
