import Conformance
import Testing

@testable import touchstone

@Suite struct CommandTableTests {
  @Test func withoutArgumentsItShowsWhatThereIs() {
    let world = TestWorld()
    #expect(world.run() == .usage)
    #expect(world.output == "")
    #expect(world.error.contains("vectors check"))
  }

  @Test(
    arguments: [
      (["--help"], "Exit codes: 0 conformant"), (["-h"], "Test a store:"), (["help"], "Maintain:"),
      (["help", "run"], "--implementation NAME"), (["run", "--help"], "Examples:"),
      (["run", "--filter", "x", "-h"], "Usage: touchstone run [OPTION]..."),
      (["vectors", "--help"], "vectors list"), (["help", "vectors"], "vectors show"),
      (["vectors", "show", "--help"], "Usage: touchstone vectors show [OPTION]... ID"),
      (["vectors", "check", "--help"], "Usage: touchstone vectors check [OPTION]... [DIR|FILE]"),
      (["--version"], "touchstone \(toolVersion)\n"), (["-V"], "touchstone \(toolVersion)\n"),
    ] as [([String], String)])
  func helps(_ arguments: [String], _ part: String) {
    let world = TestWorld()
    #expect(CommandTable.run(arguments, world.context) == .success)
    #expect(world.output.contains(part), "\(world.output)")
    #expect(world.error == "")
  }

  @Test(
    arguments: [
      (["rnu"], "touchstone: unknown command 'rnu'; did you mean 'run'?"),
      (["vectors"], "touchstone: 'vectors' needs one of list, show, promote, check"),
      (
        ["vectors", "lst"],
        "unknown command 'vectors lst'; expected one of list, show, promote, check, lint, generate; did you mean 'list'?"
      ),
      (
        ["run", "--filtre", "x"],
        "touchstone run: unknown option '--filtre'; did you mean '--filter'?"
      ),
      (["run", "x"], "touchstone run: unexpected argument 'x'"),
      (["help", "rnu"], "no command 'rnu'; did you mean 'run'?"),
      (["run", "--implementation", "sqlit"], "did you mean 'sqlite'?"),
      (["run", "--profile", "pruge"], "did you mean 'purge'?"),
      (
        ["run", "--report", "junt=x"],
        "unknown report 'junt'; expected one of html, jsonl, junit, markdown, tap, badge-svg, badge-json; did you mean 'junit'?"
      ),
      (
        ["run", "--report", "="],
        "unknown report ''; expected one of html, jsonl, junit, markdown, tap"
      ),
      (
        ["run", "--report", "=x"],
        "unknown report ''; expected one of html, jsonl, junit, markdown, tap"
      ),
      (["run", "--report", "jsonl="], "--report needs a file: jsonl=FILE"),
      (["run", "--report", "tap=x", "--report", "jsonl=./x"], "two reports go to ./x"),
      (["run", "--help=3"], "touchstone run: --help takes no value"),
      (["--help=3"], "touchstone: unknown option '--help=3'; did you mean '--help'?"),
      (
        ["vectors", "--help=3"],
        "expected one of list, show, promote, check, lint, generate; did you mean '--help'?"
      ),
      (["run", "--filter", "ZZZ-*"], "touchstone run: no vector matches 'ZZZ-*'\n"),
      (["run", "--filter", "TREE-*", "--filter", "winer-*"], "did you mean 'winner-"),
      (["run", "--filter", "purge-*", "--profile", "core"], "no vector of core matches"),
      (["run", "--profile", "delayedDurability"], "delayedDurability is not offered by sqlite\n"),
      (
        ["vectors", "list", "--filter", "zzz"], "touchstone vectors list: no vector matches 'zzz'\n"
      ),
      (
        ["vectors", "show", "winner-live-beats"],
        "unknown vector 'winner-live-beats'; did you mean 'winner-live-beats-longer-tombstone'"
      ),
      (["run", "--report", "junit"], "--report needs a file: junit=FILE"),
      (
        ["run", "--report", "tap=-", "--report", "jsonl=-"],
        "only one report can go to standard output"
      ),
      (["run", "--storage", "tape"], "--storage 'tape': expected memory or disk:DIR"),
      (["run", "--storage", "disk:"], "--storage 'disk:': expected memory or disk:DIR"),
      (
        ["run", "--implementation", "reference", "--storage", "memory"],
        "reference keeps no files, so --storage has no effect"
      ),
      (["vectors", "show"], "touchstone vectors show: missing argument: ID"),
    ] as [([String], String)])
  func refuses(_ arguments: [String], _ part: String) {
    let world = TestWorld()
    #expect(CommandTable.run(arguments, world.context) == .usage)
    #expect(world.error.contains(part), "\(world.error)")
    #expect(world.error.contains("--help' for usage."))
    #expect(world.output == "")
  }

  @Test func everyManualIsWhole() {
    for command in CommandTable.commands {
      let manual = command.manual
      #expect(!manual.examples.isEmpty, "\(manual.name)")
      for example in manual.examples {
        #expect(example.line.hasPrefix("touchstone \(manual.name)"), "\(example.line)")
      }
      for line in manual.text(width: 92).split(separator: "\n") {
        #expect(line.count <= 100, "\(line)")
      }
    }
  }

  @Test(arguments: [40, 60, 92])
  func helpFitsTheTerminal(columns: Int) {
    let world = TestWorld()
    world.width = columns
    for command in [[]] + CommandTable.commands.map({ $0.manual.words }) {
      #expect(world.run(all: ["help"] + command) == .success)
      let text = world.output
      // Command lines are not wrapped, nor are words.
      for line in text.split(separator: "\n") where !line.hasPrefix("  touchstone ") {
        let isWord = line.split(separator: " ").count <= 2
        #expect(line.unicodeScalars.count <= columns || isWord, "\(line)")
      }
    }
  }

  @Test func inANarrowTerminalHelpIsBelowTheName() {
    #expect(
      Manual.table([("--storage DIR", "Where the store keeps its files.")], width: 40) == """
          --storage DIR
              Where the store keeps its files.

        """)
    #expect(
      Manual.table([("-a", "Where the store keeps its files.")], width: 40) == """
          -a  Where the store keeps its files.

        """)
  }

  @Test func aManualReads() {
    #expect(
      VectorsCheckCommand.manual.text(width: 80) == """
        Validate a folder or a file of vectors.

        Usage: touchstone vectors check [OPTION]... [DIR|FILE]

        Options:
          --help  Show this help.

        Reports the first error of each vector. In a folder, manifest.json,
        mutants.json, glossary.json, names.json and the folder http are checked, too.
        Exits with 1 on any error. A MUST clause without a vector is listed, but is not
        an error.

        Examples:
          # validate the bundled vectors
          touchstone vectors check
          # validate your own folder
          touchstone vectors check ../mine/Vectors
          # validate one file with the bundled clauses
          touchstone vectors check found.json

        """)
  }

  /// Paragraphs of notes are wrapped one by one; an escaped line break would be printed unchanged.
  @Test func noManualShowsAnEscape() {
    for command in CommandTable.commands {
      #expect(!command.manual.text(width: 92).contains("\\"), "\(command.manual.name)")
    }
  }

  /// A report that cannot be written is an error before the work begins.
  @Test(arguments: [
    ["run", "--report", "jsonl=PATH"], ["simulate", "--report", "PATH"],
    ["compare", "--report", "PATH"], ["explore", "--report", "PATH"], ["race", "--report", "PATH"],
    ["migrations", "--report", "PATH"], ["crash", "--report", "PATH"],
  ])
  func aReportHasAFolder(words: [String]) throws {
    let folder = try TemporaryFolder([])
    for (path, problem) in [
      ("\(folder.path)/none/report", "No such file or directory"), (folder.path, "is a folder"),
    ] {
      let world = TestWorld()
      let arguments = words.map { $0.replacing("PATH", with: path) }
      #expect(world.run(all: arguments) == .harness)
      #expect(world.error == "touchstone: cannot write the report: \(path): \(problem)\n")
      #expect(world.output == "")
    }
  }
}
