/// A shell that can complete command lines of touchstone.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script for the commands of a table.
  func script(_ completion: Completion) -> String {
    switch self {
    case .bash: completion.bash
    case .zsh: completion.zsh
    case .fish: completion.fish
    }
  }
}
