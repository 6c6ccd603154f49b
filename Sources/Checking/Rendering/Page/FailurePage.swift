internal import Datastore
internal import JSON
public import Scenarios

/// One page about one run: the findings, the events, and the command to reproduce them.
///
/// The page is self-contained. Everything from the run is escaped, and the same trace gives the
/// same bytes.
public struct FailurePage {
  let trace: Trace
  let timeline: Timeline
  /// The documents whose trees are shown.
  let documents: [DocumentID]
  let short: Excerpt
  let detailed: Excerpt
  /// The command that reproduces the run; nil for none.
  let command: String?

  /// The number of events that the two timelines show.
  static let (shortLimit, detailedLimit) = (300, 700)

  public init(_ trace: Trace, command: String? = nil) {
    self.trace = trace
    self.command = command
    timeline = Timeline(trace)
    documents = Self.documents(of: timeline)
    let concerned = trace.findings.compactMap { $0.document }
    short = Excerpt(timeline, isDetailed: false, about: concerned, limit: Self.shortLimit)
    detailed = Excerpt(timeline, isDetailed: true, about: concerned, limit: Self.detailedLimit)
  }

  /// The documents of the findings, or else those that changed most.
  private static func documents(of timeline: Timeline) -> [DocumentID] {
    var documents: [DocumentID] = []
    for id in timeline.trace.findings.compactMap({ $0.document }) where !documents.contains(id) {
      documents.append(id)
    }
    if documents.isEmpty {
      var changes: [DocumentID: Int] = [:]
      for change in timeline.rows.flatMap({ $0.changes }) {
        if changes[change.id] == nil { documents.append(change.id) }
        changes[change.id, default: 0] += 1
      }
      let order = documents.enumerated().sorted { left, right in
        let (more, less) = (changes[left.element] ?? 0, changes[right.element] ?? 0)
        return more != less ? more > less : left.offset < right.offset
      }
      documents = order.map { $0.element }
    }
    return Array(documents.prefix(3))
  }

  public var html: String {
    Page.html(title: title.cut(to: 80), style: Self.style, runsScript: true) { markup in
      addBody(&markup)
    }
  }

  private func addBody(_ markup: inout Markup) {
    markup.line(Self.arrowTips)
    addHeader(&markup)
    markup.line("<main>")
    addTimeline(&markup)
    addTrees(&markup)
    markup.line("</main><footer>")
    addTables(&markup)
    markup.line("</footer><div id=\"tip\" hidden></div>")
    markup.line("<script type=\"application/json\" id=\"data\">\(embedded(data))</script>")
    markup.line("<script>\n\(Self.script)\n</script>")
  }

  var title: String {
    trace.findings.first?.sentence.printable ?? "No finding in this run"
  }

  static let arrowTips: String = {
    var markup = Markup()
    markup.raw("<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\">")
    for colour in ["quiet", "odd", "live"] {
      markup.raw(
        "<marker id=\"tip-\(colour)\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
          + "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
          + "<path d=\"M0 0L8 4L0 8Z\" style=\"fill:var(--\(colour))\"/></marker>")
    }
    markup.raw("</svg>")
    return markup.text
  }()

  private func addHeader(_ markup: inout Markup) {
    let finding = trace.findings.first
    markup.line("<header>")
    markup.element(
      "p", "class=\"kicker\"", content: "Touchstone · \(finding == nil ? "a run" : "a failure")")
    markup.element("h1", "", content: title)
    markup.line("<dl class=\"facts\">")
    var facts: [(String, String)] = []
    if let finding {
      facts.append(("oracle", "\(finding.oracle.printable): \(finding.shape.printable)"))
      facts.append(("found after", "\(seconds(finding.time)) s"))
    }
    let scenario = trace.scenario
    facts.append(("seed", "\(scenario.seed)"))
    facts.append(("replicas", listed(scenario.replicas.map { $0.name }, atMost: 8)))
    facts.append(("steps", "\(scenario.steps.count)"))
    if !scenario.overrides.isEmpty { facts.append(("overrides", "\(scenario.overrides.count)")) }
    facts.append(("events", "\(timeline.rows.count)"))
    for (name, value) in facts {
      markup.line("<div><dt>\(name)</dt><dd>\(escaped(value))</dd></div>")
    }
    markup.line("</dl>")
    if let command {
      markup.line(
        "<div class=\"command\"><code id=\"command\">\(escaped(command.printable))</code>")
      markup.line("<button data-copy=\"command\">Copy</button></div>")
    }
    addLosses(&markup)
    markup.line("</header>")
  }

  /// The lost writes, a sentence each, and the other findings.
  private func addLosses(_ markup: inout Markup) {
    let lost = trace.writes.filter { !$0.missing.isEmpty }
    // A lost write needs no second sentence.
    let others = trace.findings.dropFirst().filter { finding in
      lost.isEmpty || finding.oracle != "fate"
        || !finding.shape.string.utf8.starts(with: "lost".utf8)
    }
    guard !lost.isEmpty || !others.isEmpty else { return }
    markup.line("<div class=\"card\">")
    if !lost.isEmpty { addList("Lost writes", lost.map { sentence($0) }, markup: &markup) }
    if !others.isEmpty {
      addList("Other findings", others.map { $0.sentence.printable }, markup: &markup)
    }
    markup.line("</div>")
  }

  private func sentence(_ write: Trace.Write) -> String {
    let told =
      "Step \(write.step.name) wrote \(write.rev.short) of \(write.id.name) at "
      + "\(write.replica.name) and the write was acknowledged. "
    let names = write.missing.map { $0.name }
    if names.count == timeline.lanes.count { return told + "In the end no replica has it." }
    let verb = names.count == 1 ? "does" : "do"
    return told + "In the end \(listed(names, atMost: 8)) \(verb) not have it."
  }

  private func addList(_ title: String, _ sentences: [String], markup: inout Markup) {
    markup.line("<div class=\"losses\">")
    markup.element("h2", "", content: title)
    markup.line("<ul>")
    for sentence in sentences.prefix(8) { markup.element("li", "", content: sentence) }
    if sentences.count > 8 { markup.element("li", "", content: "and \(sentences.count - 8) more") }
    markup.line("</ul></div>")
  }
}
