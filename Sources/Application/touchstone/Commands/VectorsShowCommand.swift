internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

/// `touchstone vectors show`: prints one vector for readers.
struct VectorsShowCommand: Command {
  let id: VectorID
  let vectors: String?

  static let manual = Manual(
    words: ["vectors", "show"],
    summary: "Show a vector: its note, its clauses and its steps.",
    operands: ["ID"],
    options: [.vectors],
    examples: [
      ("touchstone vectors show winner-live-beats-longer-tombstone", "show a vector")
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    id = VectorID(JSONString(arguments.operands[0]))
    vectors = arguments.value("--vectors")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let corpus = try Corpus.forCommand(vectors)
    guard let vector = corpus.vector(id) else {
      let known = corpus.vectors.map(\.id.description)
      throw CommandFailure(
        UsageError(
          "unknown vector '\(id)'", Self.manual,
          suggestions: nearestIDs(to: id.description, among: known)))
    }
    context.output(text(vector, context))
    return .success
  }

  private func text(_ vector: CorpusVector, _ context: Context) -> String {
    let (style, width) = (context.style, context.width)
    var lines = ["\(style.strong(vector.id.description))  \(style.faint(vector.file))"]
    lines += TextLayout.wrapped(vector.vector.note.string, width: width, indent: "  ")
    if let seen = vector.vector.provenance {
      lines += TextLayout.wrapped(
        "Seen in \(seen.product) \(seen.version): \(seen.source)", width: width, indent: "  ")
    }
    let offers = Offer.all.filter { $0.includes(vector.vector) }.map(\.name)
    lines.append("  Runs on stores that offer: \(offers.joined(separator: ", "))")
    for clause in vector.clauses { lines += [""] + self.lines(clause, style, width: width) }
    if !vector.vector.isOpened { lines += ["", "  Nothing is opened before the first step."] }
    for (index, step) in vector.vector.steps.enumerated() {
      lines += ["", style.strong("\(index + 1)")]
      lines[lines.count - 1] += " " + block(step.shownDeed, width, indent: "  ")
      let expectation = step.shownExpectation
      let remark = step.expectation == nil ? style.faint("  (default expectation)") : ""
      lines.append("  → " + block(expectation, width, indent: "    ") + remark)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(_ clause: Clause, _ style: TextStyle, width: Int) -> [String] {
    var lines = TextLayout.wrapped(
      "\(clause.id) \(clause.level.rawValue) \(clause.text)", width: width, indent: "  ")
    lines += TextLayout.wrapped("Source: \(clause.source)", width: width, indent: "    ")
    if case .ambiguous(let accepted) = clause.status {
      for outcome in accepted {
        lines += TextLayout.wrapped("Accepted: \(outcome)", width: width, indent: "    ")
      }
    }
    for observation in clause.observed {
      lines += TextLayout.wrapped(
        "\(observation.product): \(observation.behaviour)", width: width, indent: "    ")
    }
    return lines
  }

  /// Returns a JSON value on as few lines as possible, all but the first indented.
  private func block(_ value: JSONValue, _ width: Int, indent: String) -> String {
    value.pretty(width: width - 6).split(separator: "\n")
      .map { TextLayout.printable(String($0)) }.joined(separator: "\n\(indent)")
  }
}
