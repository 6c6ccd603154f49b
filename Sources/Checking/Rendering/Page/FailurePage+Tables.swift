internal import Datastore
internal import JSON
internal import Scenarios

extension FailurePage {
  /// The legend, the steps, the final states of all writes, and the scenario.
  func addTables(_ markup: inout Markup) {
    markup.line("<div class=\"card all-columns\">")
    addKey(&markup)
    addSteps(&markup)
    addFates(&markup)
    let json = trace.scenario.json.pretty(width: 110)
    markup.line("<details><summary>Scenario</summary><div class=\"inner\">")
    markup.line("<button type=\"button\" data-copy=\"scenario\" hidden>Copy</button>")
    markup.line(
      "<pre class=\"scroll\" id=\"scenario\">\(escaped(json))</pre></div></details></div>")
  }

  private func addKey(_ markup: inout Markup) {
    let used = Set(shownRows.map { timeline.rows[$0].mark })
    markup.line("<details><summary>Legend</summary><div class=\"inner\">")
    markup.legend(
      Mark.allCases.filter { used.contains($0) }.map { ($0.rawValue, $0.colour, $0.meaning) })
    markup.line("</div></details>")
  }

  private func addSteps(_ markup: inout Markup) {
    let steps = trace.scenario.steps
    let isOpen = steps.count <= 30 ? " open" : ""
    markup.line("<details\(isOpen)><summary>\(count(steps.count, "step"))</summary>")
    markup.line(
      "<div class=\"inner scroll\"><table class=\"steps\"><tr><th>step</th><th class=\"number\">at</th>"
    )
    markup.line("<th>replica</th><th>operation</th><th>outcome</th></tr>")
    var ends: [String: String] = [:]
    for row in timeline.rows where row.message == nil && !row.step.isEmpty {
      guard row.mark != .stored || row.session == nil, row.mark != .checkpoint,
        row.mark != .requestIn
      else { continue }
      ends[row.step] = row.words
    }
    for step in steps {
      let name = step.id.text.printable
      let time = seconds(UInt64(max(0, step.when)) * 1_000_000)
      markup.raw("<tr><td class=\"mono\">\(escaped(name))</td><td class=\"number\">\(time) s</td>")
      markup.element("td", "", content: step.directive.place?.name ?? "")
      markup.element("td", "", content: step.directive.words)
      markup.element("td", "", content: ends[name] ?? "nothing")
      markup.line("</tr>")
    }
    markup.line("</table></div></details>")
  }

  private func addFates(_ markup: inout Markup) {
    guard !trace.writes.isEmpty else { return }
    var counts: [(fate: JSONString, count: Int)] = []
    for write in trace.writes {
      if let place = counts.firstIndex(where: { $0.fate == write.fate }) {
        counts[place].count += 1
      } else {
        counts.append((write.fate, 1))
      }
    }
    let summary = counts.map { "\($0.count) \($0.fate.printable)" }.joined(separator: ", ")
    let title = "\(count(trace.writes.count, "acknowledged write")): \(summary)"
    markup.line("<details><summary>\(escaped(title))</summary>")
    markup.line(
      "<div class=\"inner scroll\"><table class=\"steps\"><tr><th>step</th><th>at</th><th>document</th>"
    )
    markup.line("<th>revision</th><th>final state</th></tr>")
    for write in trace.writes.prefix(400) {
      markup.raw("<tr>")
      for text in [
        write.step.text.printable, write.replica.name, write.id.name, write.rev.text.printable,
      ] {
        markup.raw("<td>\(escaped(text))</td>")
      }
      markup.line(
        "<td\(write.missing.isEmpty ? "" : " class=\"bad\"")>\(escaped(write.fate.printable))</td></tr>"
      )
    }
    markup.line("</table></div></details>")
  }
}
