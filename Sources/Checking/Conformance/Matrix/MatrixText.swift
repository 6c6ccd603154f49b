internal import Datastore
internal import JSON
internal import Scenarios

/// Several runs as text for readers: a table, the differences, and the verdicts.
package struct MatrixText {
  private let matrix: RunMatrix
  private let width: Int
  private let style: TextStyle

  /// The number of differences shown in full.
  private static let differencesMax = 30

  package init(_ matrix: RunMatrix, width: Int = 100, style: TextStyle = .plain) {
    self.matrix = matrix
    self.width = width
    self.style = style
  }

  package var text: String {
    let tables = [key, table(matrix.offers), table(matrix.families)]
    let ends = [failedByAll, corpusDifferences] + contractOnly + [headlines]
    let blocks = tables + differences + ends
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  /// The column headings: the names if they fit, otherwise letters.
  private var labels: [String] {
    let names = matrix.columns.map { TextLayout.printable($0.label) }
    let room = (width - 24) / max(1, names.count) - 2
    if names.allSatisfy({ $0.unicodeScalars.count <= room }) { return names }
    return names.indices.map { RunMatrix.letter($0) }
  }

  /// The letters with their implementations, if letters are used.
  private var key: [String] {
    let (names, labels) = (matrix.columns.map { TextLayout.printable($0.label) }, labels)
    return labels == names ? [] : zip(labels, names).map { "\(style.strong($0))  \($1)" }
  }

  private func table(_ rows: [RunMatrix.Row]) -> [String] {
    let nameWidth = rows.map { $0.name.unicodeScalars.count }.max() ?? 0
    let words = rows.map { $0.cells.map { $0.isBad ? "\($0.words) ✗" : $0.words } }
    let widths = labels.indices.map { column in
      ([labels[column]] + words.map { $0[column] }).map(\.unicodeScalars.count).max() ?? 0
    }
    func line(_ name: String, _ cells: [String], mark: (Int, String) -> String) -> String {
      var line = TextLayout.padded(TextLayout.printable(name), nameWidth)
      for (column, cell) in cells.enumerated() {
        let isLast = column == cells.count - 1
        let padding = isLast ? "" : TextLayout.padded(cell, widths[column]).dropFirst(cell.count)
        line += "  " + mark(column, cell) + padding
      }
      return line
    }
    let head = line("", labels) { style.strong($1) }
    return [head]
      + zip(rows, words).map { row, words in
        line(row.name, words) { column, cell in
          let isWhole = row.cells[column].tally.passed == row.cells[column].tally.count
          return row.cells[column].isBad
            ? style.bad(cell) : isWhole && !cell.isEmpty ? style.good(cell) : style.faint(cell)
        }
      }
  }

  private var differences: [[String]] {
    let rest = matrix.differences.count - Self.differencesMax
    let more = rest > 0 ? [["… \(TextLayout.counted(rest, "more vector")) with differences"]] : []
    return matrix.differences.prefix(Self.differencesMax).map { difference in
      let vector = difference.vector
      let id = style.strong(TextLayout.printable(vector.id.description))
      var lines = [
        "\(style.warning("DIFFER")) \(id)  \(style.faint(TextLayout.printable(vector.file)))"
      ]
      for clause in vector.clauses.prefix(1) {
        let text = "\(clause.id) \(clause.level.rawValue) \(clause.text)"
        lines += TextLayout.wrapped(text, width: width, indent: "  ")
      }
      for behaviour in difference.behaviours {
        let names = behaviour.implementations.joined(separator: ", ")
        let words = "\(names): \(behaviour.words)"
        lines += TextLayout.wrapped(words, width: width, indent: "  ")
        if let witness = behaviour.witness {
          lines += WitnessText(witness, width: width - 4, style: style).diff.map { "    \($0)" }
        }
      }
      if !difference.skippers.isEmpty {
        let words = "not run: \(difference.skippers.joined(separator: ", "))"
        lines += TextLayout.wrapped(words, width: width, indent: "  ").map { style.faint($0) }
      }
      return lines
    } + more
  }

  private var failedByAll: [String] {
    guard !matrix.failedByAll.isEmpty else { return [] }
    let count = matrix.failedByAll.count
    let title = "\(TextLayout.counted(count, "vector")) failed by all; check the vectors first"
    let ids = matrix.failedByAll.prefix(Self.differencesMax).map {
      "  \(TextLayout.printable($0.description))"
    }
    return [title] + ids + (count > ids.count ? ["  … \(count - ids.count) more"] : [])
  }

  private var corpusDifferences: [String] {
    matrix.columns.first.map { TerminalReport($0.report, width: width, style: style).differences }
      ?? []
  }

  /// The failures that count only at the grade `contract`, by implementation.
  private var contractOnly: [[String]] {
    matrix.columns.map { column in
      let lines = TerminalReport(column.report, width: width, style: style).contractOnly
      return lines.isEmpty ? [] : [style.strong(TextLayout.printable(column.label))] + lines
    }
  }

  private var headlines: [String] {
    matrix.columns.flatMap { column in
      let name = style.strong(TextLayout.printable(column.label))
      let verdict = TerminalReport(column.report, width: width, style: style).verdict
      return ["\(name) · \(column.summary.asked) · \(verdict)"]
    }
  }
}
