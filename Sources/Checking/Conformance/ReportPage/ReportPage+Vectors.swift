internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios

extension ReportPage {
  /// Every vector of the run with its results and its rules, by file.
  func addVectors(_ markup: inout Markup) {
    guard !rows.isEmpty else { return }
    var files: [(name: String, rows: [Row])] = []
    for row in rows {
      if let last = files.last, JSONString(last.name) == JSONString(row.vector.file) {
        files[files.count - 1].rows.append(row)
      } else {
        files.append((row.vector.file, [row]))
      }
    }
    markup.card(
      "Vectors", id: "vectors", count: Self.grouped(rows.count),
      note: "Each with its rules, by file."
    ) { markup in
      for file in files { addFile(file, markup: &markup) }
    }
  }

  private func addFile(_ file: (name: String, rows: [Row]), markup: inout Markup) {
    let counts = matrix.columns.indices.map { column in
      let passed = file.rows.count { Sign($0.results[column]) == .pass }
      return "\(letter(column))\(passed)/\(file.rows.count)"
    }
    markup.line(
      "<details class=\"file\"><summary><b class=\"mono\">\(escaped(file.name.printable))</b>"
        + "<span class=\"number faint\">\(counts.joined(separator: " "))</span></summary>")
    markup.line("<ul class=\"vectors\">")
    for row in file.rows { addVector(row, &markup) }
    markup.line("</ul></details>")
  }

  private func addVector(_ row: Row, _ markup: inout Markup) {
    let id = row.vector.id.text.string
    let signs = row.results.enumerated().map { column, result in
      let sign = Sign(result)
      return "\(letter(column))<i class=\"m \(sign.name)\">\(sign.rawValue)</i>"
    }
    let name =
      failed.contains(row.vector.id)
      ? link(to: row.vector) : escaped(id.printable)
    markup.raw("<li id=\"\(anchor("vector", id))\">\(signs.joined(separator: " ")) \(name)")
    for clause in row.vector.clauses { markup.raw(" \(link(to: clause, style: ""))") }
    markup.line("</li>")
  }

  /// The letter of an implementation; empty if there is only one.
  private func letter(_ column: Int) -> String {
    single == nil ? "<span class=\"letter\">\(RunMatrix.letter(column))</span>" : ""
  }
}
