/// The words that a shell completes on a command line of touchstone.
struct Completion {
  /// A command and what may follow it.
  struct Entry {
    /// The words of the command.
    let words: [String]
    let summary: String
    let options: [Option]
    let hasOperands: Bool
    /// What an operand may be.
    let operands: Values

    var name: String { words.joined(separator: " ") }
  }

  struct Option {
    /// With its hyphens.
    let name: String
    let help: String
    let isRepeatable: Bool
    /// Nil for a flag.
    let values: Values?
  }

  /// The values of an option or of an operand.
  struct Values: Hashable {
    /// Words to offer; more text follows one that ends in `:` or `=`.
    var words: [String] = []
    var files = Files.none
    /// What follows a word that ends in `:` or `=`.
    var rest = Files.none
  }

  enum Files: String {
    case none
    case files
    case folders
  }

  /// A first word that begins several commands, such as `vectors`.
  struct Group {
    let word: String
    let members: [Entry]
  }

  let entries: [Entry]

  init(_ manuals: [Manual]) {
    entries = manuals.map { manual in
      Entry(
        words: manual.words, summary: manual.summary,
        options: (manual.options + [.help]).map { option in
          Option(
            name: option.name, help: option.help, isRepeatable: option.isRepeatable,
            values: option.value.map { Values($0, choices: option.choices) })
        }, hasOperands: !manual.operands.isEmpty,
        operands: Values(manual.operands.joined(separator: "|"), choices: manual.choices))
    }
  }

  /// The commands of two words, by their first word.
  var groups: [Group] {
    var groups: [Group] = []
    for entry in entries where entry.words.count > 1 && groups.last?.word != entry.words[0] {
      let members = entries.filter { $0.words.count > 1 && $0.words[0] == entry.words[0] }
      groups.append(Group(word: entry.words[0], members: members))
    }
    return groups
  }

  /// The first words of commands, each with a sentence.
  var firstWords: [(word: String, summary: String)] {
    let groups = groups.map { group in
      (group.word, group.members.map { $0.words[1] }.joined(separator: ", "))
    }
    let single = entries.filter { $0.words.count == 1 }.map { ($0.words[0], $0.summary) }
    return single + groups
      + [("--help", "List the commands."), ("--version", "Print the version.")]
  }
}

extension Completion.Values {
  /// The values that the name of a value shows, such as `memory|disk:DIR`, `DIR|FILE` or
  /// `FORMAT=FILE`, and further words.
  init(_ name: String, choices: [String]) {
    words = choices
    if choices.contains(where: Self.isOpen) { rest = .files }
    for part in name.split(separator: "|") {
      let part = part.filter { $0 != "[" && $0 != "]" && $0 != "." }
      if let end = part.lastIndex(where: { $0 == ":" || $0 == "=" }) {
        rest = Self.files(String(part[part.index(after: end)...]))
        let word = String(part[...end])
        if Self.isLiteral(word) { words.append(word) }
      } else if Self.isLiteral(part) {
        words.append(part)
      } else {
        let named = Self.files(part)
        if named == .files || files == .none { files = named }
      }
    }
  }

  /// Whether more text follows a word.
  static func isOpen(_ word: String) -> Bool { word.hasSuffix(":") || word.hasSuffix("=") }

  /// Names of values are in capital letters; words to type as they are begin with a small one.
  private static func isLiteral(_ part: String) -> Bool {
    part.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
  }

  private static func files(_ name: String) -> Completion.Files {
    switch name {
    case "FILE", "PATH", "PROGRAM", "/path", "REPORT": .files
    case "DIR": .folders
    default: .none
    }
  }
}
