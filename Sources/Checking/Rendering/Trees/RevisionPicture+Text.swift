internal import Datastore

extension RevisionPicture {
  /// The legend of `text`.
  public static let textLegend = "● winner   ○ conflict   × deleted   + new"

  /// The tree as lines of text; the oldest columns are left out if it is wider than the given
  /// number of columns.
  public func text(width: Int = 100) -> [String] {
    guard !nodes.isEmpty else { return ["(nothing)"] }
    var cells = Array(
      repeating: Array(repeating: Cell.empty, count: columns), count: lines)
    place(into: &cells)
    let widths = (0..<columns).map { column in
      cells.map { $0[column].label.unicodeScalars.count }.max() ?? 0
    }
    var first = 0
    while first < columns - 1, widths[first...].reduce(0, { $0 + $1 + 3 }) - 1 > width {
      first += 1
    }
    return cells.map { line in
      var text = first > 0 ? "… " : ""
      for column in first..<columns {
        let cell = line[column]
        let gap = column == first ? "" : cell.before
        let filler: Character = cell.goesOn ? "─" : " "
        let rest = widths[column] - cell.label.unicodeScalars.count
        text += gap + cell.label + String(repeating: filler, count: max(0, rest))
      }
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// A place in the grid of lines and columns.
  private struct Cell {
    /// The three characters between it and the column before.
    var before: String
    var label: String
    /// Whether a line leads to the next column.
    var goesOn: Bool

    static let empty = Cell(before: "   ", label: "", goesOn: false)
  }

  private func place(into cells: inout [[Cell]]) {
    for node in nodes where node.role != .hidden {
      cells[node.line][node.column].label = node.label
      cells[node.line][node.column].goesOn = !node.children.isEmpty
      if let parent = node.parent { join(node.column, nodes[parent], child: node, cells: &cells) }
    }
  }

  private func join(_ column: Int, _ parent: Node, child: Node, cells: inout [[Cell]]) {
    if parent.line == child.line {
      cells[child.line][column].before = parent.children.count > 1 ? "─┬─" : "───"
      return
    }
    let isLast = parent.children.last.map { nodes[$0].line } == child.line
    cells[child.line][column].before = isLast ? " └─" : " ├─"
    for line in (parent.line + 1)..<child.line where cells[line][column].before == "   " {
      cells[line][column].before = " │ "
    }
  }
}

extension RevisionPicture.Node {
  fileprivate var label: String {
    if case .stretch(let count) = role { return "⋯\(count)" }
    let sign =
      switch kind {
      case .inner: ""
      case .winner: "●"
      case .conflict: "○"
      case .deleted: "×"
      }
    return "\(sign)\(rev.short)\(isNew ? "+" : "")"
  }
}
