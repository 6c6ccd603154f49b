/// Commands that are listed together.
struct CommandGroup: Sendable {
  let title: String
  let commands: [any Command.Type]

  var manuals: [Manual] { commands.map { $0.manual } }

  /// Returns the list of the commands of several groups with their summaries.
  ///
  /// - Parameter width: in columns.
  static func overview(of groups: [CommandGroup], width: Int) -> String {
    let nameWidth = groups.flatMap(\.manuals).map(\.name.count).max() ?? 0
    let blocks = groups.map { group in
      "\(group.title):\n"
        + Manual.table(
          group.manuals.map { ($0.name, $0.summary) }, width: width, nameWidth: nameWidth)
    }
    return blocks.joined(separator: "\n")
  }
}
