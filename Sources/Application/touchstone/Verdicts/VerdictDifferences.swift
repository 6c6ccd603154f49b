internal import Conformance
internal import JSON

/// The differences between a verdict and a repetition, each as one line.
struct VerdictDifferences {
  private var lines: [String] = []

  private static let shownMax = 20
  /// Findings quote outcomes, which can be long.
  private static let widthMax = 200

  var isEmpty: Bool { lines.isEmpty }

  mutating func compare(_ what: String, stated: JSONString, found: String) {
    guard stated != JSONString(found) else { return }
    // Texts of the file must not look like lines of the result.
    func shown(_ text: String) -> String {
      TextLayout.printable(TextLayout.abbreviated(text, width: Self.widthMax))
    }
    lines.append(
      "\(shown(what)): the verdict says \(shown(stated.string)), this run \(shown(found))")
  }

  /// Compares what a verdict says about its implementation and its program.
  mutating func compare(_ stated: CampaignIdentity, found: CampaignIdentity) {
    compare("name of the implementation", stated: stated.name, found: found.name.string)
    compare("its version", stated: stated.version, found: found.version.string)
    compare(
      "its language", stated: stated.language ?? "none", found: found.language?.string ?? "none")
    // Another build may have another version.
    guard stated.program == found.program else { return }
    compare("touchstone", stated: stated.tool, found: found.tool.string)
  }

  /// The result for readers.
  ///
  /// - Parameters:
  ///   - ran: which cases ran again, such as `5 of 7 runs`.
  ///   - outcome: what each case has if the verdict holds.
  ///   - about: what the verdict says, and what it leaves open.
  func text(_ ran: String, outcome: String, about: [String]) -> String {
    let subject = about.map { "  \(TextLayout.printable($0))\n" }.joined()
    guard !isEmpty else {
      return "the verdict holds: \(ran) ran again, and all have \(outcome)\n" + subject
    }
    let shown = lines.prefix(Self.shownMax).map { "  \($0)\n" }.joined()
    let hidden = lines.count - Self.shownMax
    return "the verdict does not hold: \(ran) ran again, "
      + "\(TextLayout.counted(lines.count, "difference"))\n\(subject)\(shown)"
      + (hidden > 0 ? "  … \(hidden) more\n" : "")
  }
}
