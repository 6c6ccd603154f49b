internal import Conformance

/// Rows of cells as lines of text, in columns that are as wide as their widest cell.
enum TextTable {
  /// - Parameter isRight: whether the cells of a column end at its right edge.
  static func lines(_ rows: [[String]], isRight: (_ column: Int) -> Bool) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].unicodeScalars.count }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        guard isRight(column) else { return TextLayout.padded(cell, widths[column]) }
        return TextLayout.padded("", widths[column] - cell.unicodeScalars.count) + cell
      }
      return cells.joined(separator: "  ").trimmedEnd
    }
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
