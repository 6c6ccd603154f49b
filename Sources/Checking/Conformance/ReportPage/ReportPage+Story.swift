internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios

extension ReportPage {
  /// The number of expanded steps before the failing one, the total number shown, and the longest
  /// value.
  private static let (openStepsMax, stepsMax, valueMax) = (12, 200, 1200)

  /// The number of shown lines of standard error.
  private static let logLinesMax = 24

  /// The number of expanded rules of a vector; the most important ones come first.
  private static let rulesMax = 3

  /// The note of the vector, and its rules.
  func addRulesShown(by vector: CorpusVector, _ markup: inout Markup) {
    markup.line("<p class=\"note\">\(Self.prose(vector.vector.note))</p>")
    addRuleList(vector.clauses.prefix(Self.rulesMax), &markup)
    let others = vector.clauses.dropFirst(Self.rulesMax)
    guard !others.isEmpty else { return }
    let count = TextLayout.counted(others.count, "more rule")
    markup.line("<details class=\"earlier\"><summary>\(count)</summary>")
    addRuleList(others, &markup)
    markup.line("</details>")
  }

  private func addRuleList(_ clauses: ArraySlice<Clause>, _ markup: inout Markup) {
    markup.line("<ul class=\"rules\">")
    for clause in clauses {
      markup.line(
        "<li>\(link(to: clause)) "
          + "<span class=\"level\">\(clause.level.rawValue)</span> \(Self.prose(clause.text))</li>")
    }
    markup.line("</ul>")
  }

  /// The steps, the actual and the expected outcome, with diagrams of the trees.
  func addStory(_ witness: Witness, _ markup: inout Markup) {
    addSteps(witness, &markup)
    addDiff(witness, &markup)
    if !witness.log.isEmpty {
      let lines = witness.log.split(whereSeparator: \.isNewline).suffix(Self.logLinesMax)
      let text = lines.map { String($0).printable }.joined(separator: "\n")
      markup.line(
        "<p class=\"source faint\">standard error</p>"
          + "<pre class=\"log\">\(escaped(text))</pre>")
    }
    let pictures = TreeSketch(witness).pictures(for: witness)
    if !pictures.isEmpty { markup.line("<div class=\"trees\">") }
    for (place, svg) in pictures {
      let name = Self.value("\(place.id) in \(place.store)")
      markup.line("<figure><figcaption>\(name)</figcaption><div class=\"scroll\">")
      markup.raw(svg)
      markup.line("</div></figure>")
    }
    if !pictures.isEmpty {
      markup.line(
        "</div><p class=\"tree-key\">State before this step: "
          + "<span><i class=\"winner\"></i> winner</span> "
          + "<span><i class=\"conflict\"></i> conflict</span> "
          + "<span><i class=\"deleted\">×</i> deleted</span></p>")
    }
    let id = anchor("vector", witness.vector.id.text.string)
    markup.line(
      "<p class=\"source faint\">vector in <a href=\"#\(id)\">"
        + "\(escaped(witness.vector.file.printable))</a></p>")
    if let rerun = witness.rerun { markup.command(rerun.printable) }
  }

  private func addSteps(_ witness: Witness, _ markup: inout Markup) {
    let opened = witness.vector.vector.storesToOpen.count
    let steps = Array(witness.transcript.dropFirst(opened).enumerated())
    let stores = Set(steps.compactMap { $0.element.operation.objectValue?["store"]?.textValue })
    let open = steps.suffix(Self.openStepsMax)
    func add(_ index: Int, _ exchange: Witness.Exchange) {
      let step = CompactStep(exchange, namingStore: stores.count > 1)
      markup.line(
        "<li><span>\(index + 1)</span><div><code>\(Self.value(Self.shortened(step.operation)))</code> "
          + "<code class=\"out\">→ \(Self.value(Self.shortened(step.expectation)))</code></div></li>"
      )
    }
    let folded = steps.dropLast(open.count).suffix(Self.stepsMax)
    if let first = folded.first {
      let count = TextLayout.counted(steps.count - open.count, "earlier step")
      markup.line("<details class=\"earlier\"><summary>\(count)</summary>")
      markup.line("<ol class=\"steps\" start=\"\(first.offset + 1)\">")
      for (index, exchange) in folded { add(index, exchange) }
      markup.line("</ol></details>")
    }
    markup.line("<ol class=\"steps\">")
    for (index, exchange) in open { add(index, exchange) }
    let step = CompactStep(witness.exchange, namingStore: stores.count > 1)
    markup.line(
      "<li class=\"here\"><span>\(witness.step.map { "\($0)" } ?? "")</span>"
        + "<div><code>\(Self.value(Self.shortened(step.operation)))</code></div></li></ol>")
  }

  private func addDiff(_ witness: Witness, _ markup: inout Markup) {
    markup.line("<div class=\"diff\">")
    for line in MismatchDiff(witness.mismatches, in: witness.exchange.outcome).lines.prefix(40) {
      switch line {
      case .place(let path): markup.line("<div class=\"place\">at \(Self.value(path))</div>")
      case .expected(let label, let text):
        markup.line(
          "<div class=\"expected\"><span>expected</span><code>\(Self.value(label + text))</code></div>"
        )
      case .actual(let label, let text):
        markup.line(
          "<div class=\"actual\"><span>actual</span><code>\(Self.value(label + text))</code></div>"
        )
      case .elided(let text): markup.line("<div class=\"place\">… \(Self.value(text))</div>")
      }
    }
    for sentence in witness.hints {
      markup.line("<div class=\"hint\"><span>hint</span><div>\(Self.value(sentence))</div></div>")
    }
    markup.line("</div>")
  }

  /// Sentences of clauses and vectors, in which backticks mark code.
  static func prose(_ text: JSONString) -> String {
    let parts = escaped(text.printable).split(separator: "`", omittingEmptySubsequences: false)
    // An unpaired backtick is text.
    guard parts.count % 2 == 1 else { return parts.joined(separator: "`") }
    return parts.enumerated().map { $0 % 2 == 0 ? String($1) : "<code>\($1)</code>" }.joined()
  }

  /// The text with long hexadecimal numbers cut, such as those in revision ids.
  ///
  /// Differences are shown in full elsewhere.
  static func shortened(_ text: String) -> String {
    let (digitsMax, kept) = (24, 6)
    var bytes: [UInt8] = []
    var run: [UInt8] = []
    func flush() {
      bytes += run.count < digitsMax ? run : Array(run.prefix(kept)) + Array("…".utf8)
      run = []
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        run.append(byte)
      default:
        flush()
        bytes.append(byte)
      }
    }
    flush()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A value as text between tags, cut at a readable length.
  private static func value(_ text: String) -> String {
    escaped(TextLayout.abbreviated(text, width: valueMax))
  }
}
