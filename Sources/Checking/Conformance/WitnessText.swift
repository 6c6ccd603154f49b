internal import Datastore
internal import JSON
internal import Scenarios

/// A witness as lines for readers.
///
///     FAIL winner-live-beats-longer-tombstone  core/winner.json
///       A device that deleted offline must not hide the edit that another device kept.
///       WIN-001 MUST A live leaf wins over every deleted one.
///       1       insertRevisions {"records":[…]} → ok {"results":[{"ok":{}},{"ok":{}}]}
///       step 2  {"op": "read", "store": "a", "id": "d"}
///       diff    - expected  + actual
///               ok
///               - "rev": "2-b"
///               + "rev": "4-e"
///                 … 3 more members
///       again   touchstone run --filter winner-live-beats-longer-tombstone
struct WitnessText {
  private let witness: Witness
  private let width: Int
  private let style: TextStyle

  /// The number of lines for an operation, a value or a diff.
  private static let blockLinesMax = 24
  /// The number of earlier steps shown.
  private static let transcriptStepsMax = 12

  init(_ witness: Witness, width: Int, style: TextStyle) {
    self.witness = witness
    self.width = width
    self.style = style
  }

  var lines: [String] {
    var lines = heading
    lines += transcript
    let place = witness.step.map { "step \($0)" } ?? "opening"
    lines += labelled(place, operation)
    lines += labelled("diff", [style.faint("- expected  + actual")] + diff)
    for sentence in witness.hints {
      lines += labelled("hint", TextLayout.wrapped(sentence, width: room, indent: ""))
    }
    if !witness.log.isEmpty { lines += labelled("stderr", log) }
    // Not abbreviated, so that the command can be run.
    if let rerun = witness.rerun { lines += labelled("again", [TextLayout.printable(rerun)]) }
    return lines
  }

  /// The width of the label column.
  private var room: Int { width - 10 }

  private var heading: [String] {
    let vector = witness.vector
    let mark =
      switch vector.weight {
      case .required: style.bad("FAIL")
      case .contractOnly: style.warning("FAIL (contract)")
      case .recommended: style.warning("DEVIATES")
      }
    let title = style.strong(TextLayout.printable(vector.id.description))
    let file = TextLayout.printable(vector.file)
    var lines = ["\(mark) \(title)  \(style.faint(file))"]
    lines += TextLayout.wrapped(vector.vector.note.string, width: width, indent: "  ")
    for clause in vector.clauses {
      let text = "\(clause.id) \(clause.level.rawValue) \(clause.text)"
      lines += TextLayout.wrapped(text, width: width, indent: "  ")
    }
    return lines
  }

  /// The steps before the failing one, without the implicit opening of stores.
  private var transcript: [String] {
    let opened = witness.vector.vector.storesToOpen.count
    let steps = Array(witness.transcript.dropFirst(opened).enumerated())
    let shown = steps.suffix(Self.transcriptStepsMax)
    var lines: [String] = []
    if shown.count < steps.count {
      lines += labelled("…", [TextLayout.counted(steps.count - shown.count, "earlier step")])
    }
    for (index, exchange) in shown {
      lines += labelled("\(index + 1)", exchange.lines(width: room))
    }
    return lines.map { style.faint($0) }
  }

  /// The failing operation.
  var operation: [String] { block(witness.exchange.operation) }

  /// The expected and the actual outcome.
  var diff: [String] {
    let lines = MismatchDiff(witness.mismatches, in: witness.exchange.outcome).lines.map { line in
      switch line {
      case .place(let path): TextLayout.abbreviated(path, width: room)
      case .expected(let label, let text):
        style.good(TextLayout.abbreviated("- \(label)\(text)", width: room))
      case .actual(let label, let text):
        style.bad(TextLayout.abbreviated("+ \(label)\(text)", width: room))
      case .elided(let text): style.faint("  … \(text)")
      }
    }
    return shortened(lines)
  }

  /// The last part of the implementation's standard error.
  private var log: [String] {
    let all = witness.log.split(whereSeparator: \.isNewline)
    let hidden = all.count - Self.blockLinesMax
    let shown = hidden > 1 ? all.suffix(Self.blockLinesMax) : all[...]
    let lines = shown.map {
      TextLayout.abbreviated(TextLayout.printable(String($0)), width: room)
    }
    return (hidden > 1 ? [style.faint("… \(hidden) lines before")] : []) + lines
  }

  /// A value on as few lines as possible.
  private func block(_ value: JSONValue) -> [String] {
    shortened(
      value.pretty(width: room).split(separator: "\n").map {
        TextLayout.abbreviated(String($0), width: room)
      })
  }

  private func shortened(_ lines: [String]) -> [String] {
    let hidden = lines.count - Self.blockLinesMax
    guard hidden > 1 else { return lines }
    return lines.prefix(Self.blockLinesMax) + [style.faint("… \(hidden) more lines")]
  }

  /// Lines in a column, the first of them with a label before it.
  private func labelled(_ label: String, _ lines: [String]) -> [String] {
    lines.enumerated().map { index, line in
      "  " + TextLayout.padded(index == 0 ? label : "", 8) + line
    }
  }
}

extension Witness.Exchange {
  /// The operation and its outcome on one line, or on one line each.
  fileprivate func lines(width: Int) -> [String] {
    var arguments = operation.objectValue ?? [:]
    var name = arguments["op"]?.textValue?.string ?? ""
    arguments["op"] = nil
    if name.isEmpty, let directive = arguments.members.first {
      name = directive.name.string
      arguments = directive.value.objectValue ?? [:]
    }
    let done = "\(name) \(JSONValue.object(arguments).serialized())"
    let came = "→ \(summary)"
    let line = "\(done) \(came)"
    if line.unicodeScalars.count <= width { return [TextLayout.printable(line)] }
    return [done, came].map { TextLayout.abbreviated($0, width: width) }
  }

  /// The outcome without default members.
  private var summary: String {
    guard let member = outcome.objectValue?.members.first else { return outcome.serialized() }
    guard member.value != [:] else { return member.name.string }
    return "\(member.name) \(member.value.serialized())"
  }
}
