internal import Datastore
internal import JSON
internal import Scenarios

extension FailurePage {
  /// A document of a replica from a row on.
  private struct Version {
    var row: Int
    var branches: [Trace.Branch]
    var before: [Trace.Branch]
  }

  func addTrees(_ markup: inout Markup) {
    markup.line("<section class=\"card side\"><div class=\"top\"><div class=\"stepper\">")
    markup.line("<button id=\"back\" aria-label=\"previous event\">←</button>")
    markup.line("<input id=\"slider\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"event\">")
    markup.line("<button id=\"forth\" aria-label=\"next event\">→</button>")
    markup.line("<span id=\"count\" class=\"kicker\"></span></div></div>")
    markup.line("<div id=\"now\" class=\"now\"></div>")
    for id in documents {
      markup.line("<div class=\"doc\"><h3>\(escaped(id.name))<span class=\"differs\"></span></h3>")
      for lane in timeline.lanes.indices { addFigure(id, lane, markup: &markup) }
      markup.line("</div>")
    }
    markup.line("</section>")
  }

  private func addFigure(_ id: DocumentID, _ lane: Int, markup: inout Markup) {
    let name = escaped(timeline.lanes[lane].name)
    markup.line(
      "<figure data-lane=\"\(lane)\"><figcaption>\(name)</figcaption><div class=\"trees\">")
    let versions = versions(of: id, at: lane)
    for (place, version) in versions.enumerated() {
      let picture = RevisionPicture(version.branches, known: place == 0 ? nil : version.before)
      let hidden = place == versions.count - 1 ? "" : " hidden"
      markup.line(
        "<div data-from=\"\(version.row)\" data-state=\"\(state(version.branches))\"\(hidden)>")
      markup.raw(picture.svg)
      markup.line("</div>")
    }
    markup.line("</div></figure>")
  }

  /// The versions that can be seen from a shown row; the first is of the time before all rows.
  private func versions(of id: DocumentID, at lane: Int) -> [Version] {
    var all = [Version(row: -1, branches: [], before: [])]
    for (place, row) in timeline.rows.enumerated() where row.lane == lane {
      for change in row.changes where change.id == id {
        let before = all[all.count - 1].branches
        all.append(Version(row: place, branches: change.branches, before: before))
      }
    }
    let shown = shownRows
    var versions: [Version] = []
    var next = 0
    for (place, version) in all.enumerated() {
      let end = place + 1 < all.count ? all[place + 1].row : timeline.rows.count
      while next < shown.count, shown[next] < version.row { next += 1 }
      if place == 0 || next < shown.count && shown[next] < end { versions.append(version) }
    }
    return versions
  }

  /// A short name for the leaves of a replica in their order, equal for equal leaves.
  private func state(_ branches: [Trace.Branch]) -> String {
    let first = branches.first?.path.first?.text
    let leaves = branches.map { "\($0.path.first?.text.string ?? "") \($0.deleted)" }
    let rest = leaves.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return escaped(([first?.string ?? ""] + rest).joined(separator: " ").printable)
  }
}
