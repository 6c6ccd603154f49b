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
  /// The name and version of the program; nil for none.
  let program: String?

  /// The number of events that the two timelines show.
  static let (shortLimit, detailedLimit) = (300, 700)

  /// - Parameters:
  ///   - command: the command that reproduces the run; nil for none.
  ///   - program: the name and version of the program that ran it; nil for none.
  public init(_ trace: Trace, command: String? = nil, program: String? = nil) {
    self.trace = trace
    self.command = command
    self.program = program
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
    let isFailure = !trace.findings.isEmpty
    var page = Page(
      plainSentence.cut(to: 80), kind: isFailure ? "failure" : "run",
      purpose: isFailure
        ? "This page shows one failed run of a simulation: its finding, its events in the order of "
          + "time, and the revisions at each replica."
        : "This page shows one run of a simulation: its events in the order of time, and the "
          + "revisions at each replica.",
      heading: plainSentence, program: program)
    page.style = Self.style
    page.script = Self.script
    page.isWide = true
    page.remark = "This page needs no network"
    return page.html {
      addHeader(&$0)
    } body: { markup in
      markup.arrowTips()
      markup.line("<main>")
      addLosses(&markup)
      addTimeline(&markup)
      addTrees(&markup)
      addTables(&markup)
      markup.line("</main><div id=\"tip\" hidden></div>")
      markup.line("<script type=\"application/json\" id=\"data\">\(embedded(data))</script>")
    }
  }

  /// The finding with its ids, the properties of the run, and the command that reproduces it.
  private func addHeader(_ markup: inout Markup) {
    let finding = trace.findings.first
    var facts: [(String, String)] = []
    if let finding {
      markup.element("p", "class=\"exact\"", content: finding.sentence.printable)
      if let point = trace.pointOfNoReturn {
        markup.element("p", "class=\"point\"", content: point.text(timeline).printable)
      }
      facts.append(("oracle", "\(finding.oracle.printable): \(finding.shape.printable)"))
      facts.append(("found after", "\(seconds(finding.time)) s"))
    }
    let scenario = trace.scenario
    facts.append(("seed", "\(scenario.seed)"))
    facts.append(("replicas", listed(replicaNames, atMost: 8)))
    facts.append(("steps", "\(scenario.steps.count)"))
    if !scenario.overrides.isEmpty { facts.append(("overrides", "\(scenario.overrides.count)")) }
    facts.append(("events", "\(timeline.rows.count)"))
    markup.facts(facts)
    if let command { markup.command(command.printable) }
  }

  private var replicaNames: [String] {
    trace.replicaLabels.isEmpty
      ? trace.scenario.replicas.map { $0.name } : trace.replicaLabels.map { $0.printable }
  }

  /// The lost writes, a sentence each, and the other findings.
  private func addLosses(_ markup: inout Markup) {
    let lost = trace.writes.filter { !$0.missing.isEmpty }
    // A lost write needs no second sentence.
    let others = trace.findings.dropFirst().filter { lost.isEmpty || !$0.isLoss }
    if !lost.isEmpty { addList("Lost writes", lost.map { sentence($0) }, markup: &markup) }
    if !others.isEmpty {
      addList("Other findings", others.map { $0.sentence.printable }, markup: &markup)
    }
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
    markup.line("<div class=\"all-columns losses\">")
    markup.card(title, count: "\(sentences.count)") { markup in
      markup.line("<ul>")
      for sentence in sentences.prefix(8) { markup.element("li", "", content: sentence) }
      if sentences.count > 8 {
        markup.element("li", "", content: "and \(sentences.count - 8) more")
      }
      markup.line("</ul>")
    }
    markup.line("</div>")
  }
}

extension Trace.Finding {
  /// Whether an acknowledged write is missing.
  var isLoss: Bool { oracle == "fate" && shape.string.utf8.starts(with: "lost".utf8) }
}
