internal import Conformance
internal import Datastore
internal import JSON
internal import WireConformance

/// A run of vectors of the HTTP interface against a server.
struct WireRun {
  let name: String
  let corpus: WireCorpus
  var results: [Result] = []

  /// The name of the profile of these vectors.
  static let profile = "http"

  /// A vector and its verdict.
  struct Result {
    let entry: WireCorpus.Entry
    let verdict: WireVerdict
    /// Whether a clause of the vector is a MUST.
    let isRequired: Bool
    let nanoseconds: UInt64
  }

  init(_ name: String, _ corpus: WireCorpus) { (self.name, self.corpus) = (name, corpus) }

  /// Runs vectors, several at a time, each on its own connection.
  mutating func run(
    _ entries: [WireCorpus.Entry], jobs: Int, context: Context,
    connect: @escaping ImplementationEntry.WireMaker
  ) throws(CommandFailure) {
    let label = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let (corpus, clock) = (corpus, context.nanoseconds)
    let map = ParallelMap(Array(entries.enumerated())) { element throws(CommandFailure) in
      let (index, entry) = element
      let start = clock()
      do {
        let verdict = try WireRunner(try connect(), label: label).run(
          entry.vector, number: index + 1)
        return Result(
          entry: entry, verdict: verdict,
          isRequired: corpus.clauses(of: entry.vector).contains(where: \.isRequired),
          nanoseconds: clock() &- start)
      } catch {
        throw CommandFailure("\(error)")
      }
    }
    var line = ProgressLine(context)
    defer { line.finish() }
    results = try map.values(jobs: jobs) { line.show($0, of: entries.count, "vectors") }
  }

  /// The failures of vectors with a MUST clause.
  var requiredFailures: [Result] { results.filter { !$0.verdict.isPass && $0.isRequired } }

  /// The failures of vectors that have only SHOULD clauses.
  var deviations: [Result] { results.filter { !$0.verdict.isPass && !$0.isRequired } }
}

extension WireRun {
  /// The result for readers: a line for each file, the failures, and the conclusion.
  ///
  /// - Parameter rerun: the command that runs a vector again.
  func text(_ style: TextStyle, width: Int, rerun: (JSONString) -> String) -> String {
    var blocks = [files(style)]
    for result in results {
      guard case .fail(let difference) = result.verdict else { continue }
      blocks.append(
        lines(result, difference, style: style, width: width)
          + ["  again     \(rerun(result.entry.vector.id))"])
    }
    blocks.append([conclusion(style)])
    return blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private func files(_ style: TextStyle) -> [String] {
    var files: [String] = []
    for result in results where files.last != result.entry.file { files.append(result.entry.file) }
    let nameWidth = files.map(\.unicodeScalars.count).max() ?? 0
    return files.map { file in
      let all = results.filter { $0.entry.file == file }
      let passed = all.count { $0.verdict.isPass }
      let count = "\(passed)/\(all.count)"
      let marked = passed == all.count ? style.good(count) : style.bad(count)
      return "\(TextLayout.padded(file, nameWidth))  \(marked)"
    }
  }

  private func lines(
    _ result: Result, _ difference: WireDifference, style: TextStyle, width: Int
  ) -> [String] {
    let mark = result.isRequired ? style.bad("FAIL") : style.warning("DEVIATES")
    let vector = result.entry.vector
    let file = style.faint("\(WireCorpus.folderName)/\(result.entry.file)")
    var lines = ["\(mark) \(style.strong(vector.id.string))  \(file)"]
    if let note = vector.note {
      lines += TextLayout.wrapped(note.string, width: width, indent: "  ")
    }
    for clause in corpus.clauses(of: vector) {
      let text = "\(clause.id) \(clause.level) \(clause.text)"
      lines += TextLayout.wrapped(text, width: width, indent: "  ")
    }
    func row(_ label: String, _ text: String) {
      let place = TextLayout.padded(label, 10)
      lines.append("  \(place)\(Self.shown(text, width: width - 12))")
    }
    row("step \(difference.step)", "\(difference.request.method) \(difference.request.target)")
    for header in difference.request.headers { row("", "\(header.name): \(header.value)") }
    if let body = difference.request.bodyText, !body.isEmpty { row("", body) }
    if let response = difference.response {
      row("response", "\(response.status) \(response.bodyText)")
    }
    row("differs", "at \(difference.mismatch.place)")
    row("expected", difference.mismatch.expected)
    row("actual", difference.mismatch.actual)
    return lines
  }

  /// A text on one line, without control characters.
  private static func shown(_ text: String, width: Int) -> String {
    TextLayout.abbreviated(
      TextLayout.printable(text.split(whereSeparator: \.isNewline).joined(separator: " ")),
      width: max(width, 40), remark: "…")
  }

  private func conclusion(_ style: TextStyle) -> String {
    let count = TextLayout.counted(results.count, "vector")
    let place = "\(style.strong(name)) · profile \(Self.profile) · \(count)"
    let remark =
      deviations.isEmpty ? "" : "; \(TextLayout.counted(deviations.count, "deviation"))"
    guard requiredFailures.isEmpty else {
      let failed = TextLayout.counted(requiredFailures.count, "required vector")
      return "\(place)\n\(style.bad("not conformant")): \(failed) failed\(remark)"
    }
    return "\(place)\n\(style.good("passed"))\(remark)"
  }

  /// The result as JSON Lines: an object for each vector, then one for the run.
  var jsonLines: String {
    var lines = results.map { result -> JSONValue in
      var object: JSONObject = [
        "vector": .string(result.entry.vector.id),
        "clauses": .array(result.entry.vector.clauses.map { .string($0) }),
        "verdict": .text(result.verdict.isPass ? "pass" : "fail"),
        "required": .bool(result.isRequired),
        "nanoseconds": JSONValue(result.nanoseconds),
      ]
      if case .fail(let difference) = result.verdict { object["failure"] = difference.json }
      return .object(object)
    }
    lines.append([
      "run": .text(name), "profile": .text(Self.profile), "vectors": .integer(Int64(results.count)),
      "failed": .integer(Int64(requiredFailures.count)),
      "deviations": .integer(Int64(deviations.count)),
    ])
    return lines.map { $0.serialized() + "\n" }.joined()
  }
}

extension WireDifference {
  /// The difference for programs.
  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "step": .integer(Int64(step)),
      "request": .text("\(request.method) \(request.target)"),
      "place": .text(mismatch.place), "expected": .text(mismatch.expected),
      "actual": .text(mismatch.actual),
    ]
    object["status"] = response.map { .integer($0.status) }
    return .object(object)
  }
}
