internal import Datastore
internal import JSON
internal import Scenarios

/// Several runs as one page of Markdown: the verdicts, the table, and the differences.
struct MatrixMarkdown {
  private let matrix: RunMatrix

  /// The number of differences shown in full.
  private static let differencesMax = 30

  init(_ matrix: RunMatrix) { self.matrix = matrix }

  var text: String {
    let blocks = [
      verdicts, corpusDifferences, table(matrix.offers, "core, capability or profile"),
      table(matrix.families, "family of clauses"), differences, failedByAll,
    ]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private var verdicts: [String] {
    let lines = matrix.columns.map { column in
      let mark = MarkdownReport.mark(column.summary.conclusion)
      let words = MarkdownReport.words(column.summary)
      return "* \(mark) **\(Markdown.text(column.label))** · \(column.summary.asked) · \(words)"
    }
    let count = TextLayout.counted(matrix.columns.count, "implementation")
    return ["# \(count), tested by touchstone \(toolVersion)", ""] + lines
  }

  private func table(_ rows: [RunMatrix.Row], _ title: String) -> [String] {
    let cells = rows.map { row in
      [Markdown.text(row.name)] + row.cells.map { $0.isBad ? "**\($0.words)** ✗" : $0.words }
    }
    guard !cells.isEmpty else { return [] }
    let labels = matrix.columns.map { Markdown.text($0.label) }
    return Markdown.table([title] + labels, numbersFrom: 1, cells)
  }

  private var corpusDifferences: [String] {
    matrix.columns.first.map { MarkdownReport($0.report).differences } ?? []
  }

  private var differences: [String] {
    guard !matrix.differences.isEmpty else { return [] }
    var lines = ["## Differences"]
    for difference in matrix.differences.prefix(Self.differencesMax) {
      lines += ["", "### \(Markdown.code(difference.vector.id.description))", ""]
      lines.append(Markdown.text(difference.vector.vector.note.string))
      for behaviour in difference.behaviours {
        let names = behaviour.implementations.map { "**\(Markdown.text($0))**" }
        let words = "\(names.joined(separator: ", ")): \(Markdown.text(behaviour.words))"
        lines += ["", words]
        if let witness = behaviour.witness {
          let diff = WitnessText(witness, width: 100, style: .plain).diff
          lines += [""] + Markdown.block(diff, language: "diff")
        }
      }
      if !difference.skippers.isEmpty {
        lines += ["", "Not run: \(Markdown.text(difference.skippers.joined(separator: ", ")))"]
      }
    }
    let rest = matrix.differences.dropFirst(Self.differencesMax)
    if !rest.isEmpty { lines += ["", "And \(rest.count) more:", ""] }
    return lines + rest.map { "* \(Markdown.code($0.vector.id.description))" }
  }

  private var failedByAll: [String] {
    guard !matrix.failedByAll.isEmpty else { return [] }
    return ["## Failed by all", "", "The vector itself may be wrong.", ""]
      + matrix.failedByAll.map { "* \(Markdown.code($0.description))" }
  }
}
