/// Columns of text for a terminal, as wide as their widest cell.
struct TextTable {
  struct Column {
    let title: String
    /// True if the cells are right-aligned, like figures.
    var isFigure = true
    /// True if the column may be dropped when the table is too wide.
    var isOptional = false
    let cells: [String]

    var width: Int {
      ([title] + cells).map { $0.unicodeScalars.count }.max() ?? 0
    }

    func line(_ text: String) -> String {
      let space = String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
      return isFigure ? space + text : text + space
    }
  }

  private var columns: [Column]
  private static let gap = "  "

  /// A table at most as wide as given, if leaving out optional columns, the last first, is enough.
  init(_ columns: [Column], width: Int) {
    self.columns = columns
    while self.width > width, let place = self.columns.lastIndex(where: { $0.isOptional }) {
      self.columns.remove(at: place)
    }
  }

  private var width: Int {
    columns.reduce(Self.gap.utf8.count * max(0, columns.count - 1)) { $0 + $1.width }
  }

  /// The title and the rows, without spaces at their ends.
  var lines: [String] {
    let rowCount = columns.map { $0.cells.count }.min() ?? 0
    let rows = (0..<rowCount).map { row in columns.map { $0.line($0.cells[row]) } }
    return ([columns.map { $0.line($0.title) }] + rows).map { cells in
      var line = cells.joined(separator: Self.gap)
      while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
      return line
    }
  }
}
