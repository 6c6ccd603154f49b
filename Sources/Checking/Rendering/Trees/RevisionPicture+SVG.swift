internal import Datastore

extension RevisionPicture {
  /// The tree as an SVG element; its classes are coloured by the page that it stands in.
  ///
  /// Inner revisions without branches are small dots; the full name of each is its title.
  public var svg: String {
    // Names of neighbours just fit beside each other at the least distance.
    let step = (across: max(46, min(62, 380 / max(1, columns))), down: 36)
    let width = max(1, columns) * step.across + 24
    let height = max(1, lines) * step.down + 8
    var markup = Markup()
    markup.line(
      "<svg class=\"tree\" width=\"\(width)\" height=\"\(height)\" "
        + "viewBox=\"0 0 \(width) \(height)\" role=\"img\">")
    guard !nodes.isEmpty else {
      markup.line("<text class=\"none\" x=\"12\" y=\"24\">absent</text></svg>")
      return markup.text
    }
    func place(_ node: Node) -> (x: Int, y: Int) {
      (30 + node.column * step.across, 16 + node.line * step.down)
    }
    for node in nodes {
      guard let parent = node.parent.map({ nodes[$0] }) else { continue }
      let (from, to) = (place(parent), place(node))
      let isLoose = node.role != .revision || parent.role != .revision
      let kind = (isLoose ? "edge loose" : "edge") + (node.isNew ? " new" : "")
      if from.x == to.x { continue }
      let bend = (from.x + to.x) / 2
      let path =
        from.y == to.y
        ? "M\(from.x) \(from.y)H\(to.x)"
        : "M\(from.x) \(from.y)C\(bend) \(from.y) \(bend) \(to.y) \(to.x) \(to.y)"
      markup.line("<path class=\"\(kind)\" d=\"\(path)\"/>")
    }
    for node in nodes {
      let (x, y) = place(node)
      switch node.role {
      case .revision: markup.raw(picture(of: node, x, y))
      case .stretch(let count):
        markup.line(
          "<rect class=\"gap\" x=\"\(x - 16)\" y=\"\(y - 9)\" width=\"32\" height=\"18\"/>"
            + "<text class=\"gap\" x=\"\(x)\" y=\"\(y + 4)\">⋯ \(count)</text>")
      case .hidden: break
      }
    }
    markup.line("</svg>")
    return markup.text
  }

  private func picture(of node: Node, _ x: Int, _ y: Int) -> String {
    let (kind, radius) =
      switch node.kind {
      case .inner: ("inner", 4)
      case .winner: ("winner", 7)
      case .conflict: ("conflict", 7)
      case .deleted: ("deleted", 7)
      }
    var markup = Markup()
    markup.raw("<g class=\"rev \(kind)\(node.isNew ? " new" : "")\">")
    markup.raw("<title>\(escaped(node.rev.text.printable))\(escaped(node.remark))</title>")
    if node.isNew { markup.raw("<circle class=\"halo\" cx=\"\(x)\" cy=\"\(y)\" r=\"12\"/>") }
    markup.raw("<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\"/>")
    if node.kind == .deleted {
      markup.raw(
        "<path d=\"M\(x - 3) \(y - 3)L\(x + 3) \(y + 3)M\(x + 3) \(y - 3)L\(x - 3) \(y + 3)\"/>")
    }
    if node.kind == .winner {
      markup.raw("<circle class=\"ring\" cx=\"\(x)\" cy=\"\(y)\" r=\"10\"/>")
    }
    let isNamed = node.kind != .inner || node.children.count > 1 || node.parent == nil || node.isNew
    if isNamed {
      markup.raw("<text x=\"\(x)\" y=\"\(y + 22)\">\(escaped(node.rev.short))</text>")
    }
    markup.line("</g>")
    return markup.text
  }
}

extension RevisionPicture.Node {
  fileprivate var remark: String {
    let remark =
      switch kind {
      case .inner: ""
      case .winner: ", winner"
      case .conflict: ", conflict"
      case .deleted: ", deleted"
      }
    return remark + (isNew ? ", new" : "")
  }
}
