internal import Conformance
internal import Datastore
internal import JSON
internal import Simulation

/// A disagreement of an upgrade for readers: the finding on standard error, and the operations with
/// their phases on standard output.
struct UpgradeText {
  private let command: UpgradeCommand
  private let disagreement: Upgrade.Disagreement
  /// Whether the old version declares that its folder has everything that it acknowledged.
  private let oldKeepsFolder: Bool
  /// The most bytes of a value that are printed.
  private static let shownMax = 4096

  init(
    _ command: UpgradeCommand, _ disagreement: Upgrade.Disagreement, oldKeepsFolder: Bool
  ) {
    (self.command, self.disagreement) = (command, disagreement)
    self.oldKeepsFolder = oldKeepsFolder
  }

  func show(_ context: Context) {
    let version = name(of: disagreement.phase.version)
    let title = context.errorStyle.bad("\(version) disagrees with the model")
    context.error(
      "\(title) \(disagreement.phase.words) at seed \(disagreement.seed), "
        + "\(TextLayout.counted(disagreement.steps.count, "operation")) after shrinking.\n")
    if disagreement.isOfStep, let last = disagreement.steps.last {
      context.error("  operation  \(shown(last.operation.description))\n")
    }
    context.error("  outcome    \(shown(disagreement.answer))\n")
    for outcome in disagreement.accepted {
      context.error("  accepted   \(shown(outcome.description))\n")
    }
    if !disagreement.log.isEmpty { context.error("  stderr     \(shown(disagreement.log))\n") }
    if let files = disagreement.files { context.error("  files      \(files)\n") }
    if disagreement.phase == .before {
      context.error("  note       the upgrade is not the cause; see touchstone compare --help\n")
    }
    if disagreement.phase == .after, !oldKeepsFolder {
      context.error(
        "  note       \(command.old.name) does not declare \"crashes\": [\"kill\"]: does it write "
          + "everything into the folder of \"hello\"?\n")
    }
    context.error("  again      \(command.again(disagreement.seed))\n\n")
    for line in lines { context.output("\(line)\n") }
  }

  /// The steps, with a line for each change of the version.
  private var lines: [String] {
    var lines: [String] = []
    for phase in UpgradePhase.allCases {
      lines.append("\(phase.rawValue): \(name(of: phase.version))")
      for step in disagreement.steps where step.phase == phase {
        lines.append("  \(SafeJSON(step.operation.json).line)")
      }
      if phase == disagreement.phase { break }
    }
    return lines
  }

  private func name(of version: UpgradeVersion) -> String {
    version == .old ? command.old.name : command.new.name
  }

  /// Returns a text on one line; of a very long one the beginning and its length.
  private func shown(_ text: String) -> String {
    let count = text.utf8.count
    guard count > Self.shownMax else { return TextLayout.printable(text) }
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(1024)))
    return "\(TextLayout.printable(start))… (\(count) bytes)"
  }
}
