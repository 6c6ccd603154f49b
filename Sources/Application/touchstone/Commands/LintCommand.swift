internal import Conformance
internal import JSON
internal import TrafficLint

/// `touchstone lint`: checks the recorded traffic of a replicator.
struct LintCommand: Command {
  let path: String
  let isJSON: Bool
  let isStrict: Bool

  static let manual = Manual(
    words: ["lint"],
    summary: "Check the recorded traffic of a replicator against the replication protocol.",
    operands: ["TRANSCRIPT"],
    options: [
      .init(
        name: "--json",
        help: "Print one JSON object: findings with their exchanges, counts by clause, totals."),
      .init(
        name: "--strict", help: "Exit with 1 for a finding of level SHOULD, too."),
    ],
    notes: """
      Reads HTTP requests and responses between a replicator and one or two servers with CouchDB's \
      interface, and needs no adapter and no store. TRANSCRIPT is a HAR file, or JSON Lines with one \
      exchange on each line; its content decides. The database whose feed is read is the source; \
      the database that gets _revs_diff or writes with new_edits=false is the target.

      The checks are about the order of requests, checkpoints ahead of acknowledged writes, missing \
      leaves, wasted transfers and malformed messages. Each finding names its clause and the \
      exchanges that show it; docs/lint.md lists the clauses. Findings about a server are marked. \
      Exits with 1 if a clause of level MUST is violated, and with 2 if the file is not a transcript.
      """,
    examples: [
      ("touchstone lint traffic.har", "check what a browser recorded"),
      ("touchstone lint --json traffic.jsonl", "print the findings as JSON"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    path = arguments.operands[0]
    isJSON = arguments.has("--json")
    isStrict = arguments.has("--strict")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let report = try Self.check(path)
    context.output(
      isJSON
        ? LintText(report).json.pretty() + "\n"
        : LintText(report).text(width: context.width, context.style))
    let isClean = report.count(.must) == 0 && (!isStrict || report.count(.should) == 0)
    return isClean ? .success : .failure
  }

  /// Checks a file.
  static func check(_ path: String) throws(CommandFailure) -> LintReport {
    let linter = TrafficLinter()
    var transcript = TranscriptReader()
    var line: [UInt8] = []
    var failure: TranscriptError?
    func read(_ body: () throws(TranscriptError) -> [Exchange]) {
      do throws(TranscriptError) {
        for exchange in try body() { linter.add(exchange) }
      } catch {
        failure = error
      }
    }
    do throws(Files.Failure) {
      try Files.readParts(path) { part in
        var rest = part
        while failure == nil, let end = rest.firstIndex(of: 0x0A) {
          line += rest[..<end]
          read { () throws(TranscriptError) in try transcript.add(line[...]) }
          line.removeAll(keepingCapacity: line.count < 1 << 20)
          rest = rest[(end + 1)...]
        }
        line += rest
        return failure == nil
      }
    } catch {
      throw CommandFailure("\(error)")
    }
    if failure == nil, !line.isEmpty {
      read { () throws(TranscriptError) in try transcript.add(line[...]) }
    }
    if failure == nil { read { () throws(TranscriptError) in try transcript.finish() } }
    if let failure { throw CommandFailure(UsageError("\(path): \(failure)", manual)) }
    return linter.finish()
  }
}
