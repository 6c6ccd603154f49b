internal import JSON

extension ResolverFinding {
  /// The finding as text: the guarantee, the conflict, the answers, and what follows.
  public var text: String {
    var lines = ["FAIL \(guarantee.rawValue): \(guarantee.sentence)", "  \(explanation)", ""]
    lines += table(versions)
    if !answers.isEmpty {
      lines.append("")
      lines += table(answers.map { ["\($0.label):", $0.text, $0.outcome.map { "→ \($0)" } ?? ""] })
    }
    if !replication.isEmpty {
      lines += ["", "  On the devices:"] + replication.map { "    \($0)" }
    }
    lines += ["", "  Effect: \(guarantee.consequence)"]
    if conflict.leaves.contains(where: \.isDeleted) {
      lines.append(
        "  A leaf is a tombstone. If your store passes live leaves only: --leaves live, "
          + "or passing: .live.")
    }
    if !origin.isEmpty { lines.append("  First found in \(origin).") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The ancestor and the leaves, with what each side did.
  private var versions: [[String]] {
    var rows: [[String]] = []
    if let ancestor = conflict.ancestor {
      rows.append(["ancestor", "\(ancestor.rev)", ancestor.bodyText, ""])
    } else {
      rows.append(["ancestor", "", "unknown", ""])
    }
    for leaf in conflict.leaves {
      rows.append(["leaf", "\(leaf.rev)", leaf.bodyText, changes(of: leaf)])
    }
    return rows
  }

  private func changes(of leaf: DocumentConflict.Version) -> String {
    guard let body = leaf.body else { return "" }
    guard let old = conflict.ancestor?.body else { return "" }
    var words: [String] = []
    for member in old.members {
      let name = member.name.string
      guard let value = body[member.name] else {
        words.append("removed \(name)")
        continue
      }
      if !value.isSameValue(as: member.value) { words.append("changed \(name)") }
    }
    for member in body.members where old[member.name] == nil {
      words.append("added \(member.name.string)")
    }
    return words.isEmpty ? "changed nothing" : words.joined(separator: ", ")
  }

  /// Rows with aligned columns.
  private func table(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      min(40, rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0)
    }
    return rows.map { row in
      var line = "   "
      for (column, cell) in row.enumerated() {
        let padding = max(0, widths[column] - cell.count)
        line += " " + cell + (column + 1 < row.count ? String(repeating: " ", count: padding) : "")
      }
      while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
      return line
    }
  }
}

extension DocumentConflict.Version {
  fileprivate var bodyText: String {
    body.map { JSONValue.object($0).serialized() } ?? "deleted"
  }
}
