internal import Datastore
internal import JSON

// Names of other products.

extension ExplanationText {
  /// A name with its counterparts, differences and rules.
  func name(_ name: ForeignName) -> [String] {
    var lines = ["\(style.strong(name.name.string))  \(style.faint("\(name.product)"))"]
    if !name.others.isEmpty {
      lines += row("also", name.others.map(\.string).joined(separator: ", "))
    }
    if name.counterparts.isEmpty, name.operations.isEmpty { lines += row("here", "none") }
    for counterpart in name.counterparts {
      lines += row("here", "\(counterpart.code)")
      lines += wrapped(style.faint("\(counterpart.file)"), Self.indent)
    }
    if !name.operations.isEmpty {
      lines += row("operation", name.operations.map(\.string).joined(separator: ", "))
    }
    lines += wrapped(name.text.string)
    if !name.clauses.isEmpty {
      lines += row("rules", name.clauses.map(\.description).joined(separator: ", "))
    }
    return lines
  }

  private static var indent: String { "             " }

  private func row(_ title: String, _ text: String) -> [String] {
    let lines = wrapped(text, Self.indent)
    return [
      "  \(TextLayout.padded(title, Self.indent.utf8.count - 2))"
        + (lines.first ?? Self.indent).dropFirst(Self.indent.utf8.count)
    ] + lines.dropFirst()
  }
}
