import Testing

@testable import touchstone

@Suite struct CompletionTests {
  private static let completion = Completion(CommandTable.groups.flatMap(\.manuals))

  @Test(arguments: Shell.allCases)
  func everyCommandAndOptionIsInTheScript(of shell: Shell) {
    let script = shell.script(Self.completion)
    for entry in Self.completion.entries {
      for word in entry.words { #expect(script.contains(word), "\(entry.name)") }
      for option in entry.options {
        // fish names a long option without its hyphens.
        let name = shell == .fish ? "-l \(option.name.dropFirst(2)) " : option.name
        #expect(script.contains(name), "\(entry.name) \(option.name)")
      }
    }
  }

  /// The scripts contain the words as they are.
  @Test func noWordNeedsQuotes() {
    let values = Self.completion.entries.flatMap { entry in
      [entry.operands] + entry.options.compactMap(\.values)
    }
    for word in values.flatMap(\.words) {
      let isPlain = word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: ":"),
          UInt8(ascii: "="):
          true
        default: false
        }
      }
      #expect(isPlain, "\(word)")
    }
  }

  @Test func valuesAreThoseOfTheManual() {
    #expect(
      Completion.Values("memory|disk:DIR", choices: [])
        == Completion.Values(words: ["memory", "disk:"], rest: .folders))
    #expect(
      Completion.Values("[DIR|FILE]", choices: []) == Completion.Values(files: .files))
    #expect(Completion.Values("DIR", choices: []) == Completion.Values(files: .folders))
    #expect(Completion.Values("COUNT", choices: []) == Completion.Values())
    #expect(Completion.Values("REPORT...", choices: []) == Completion.Values(files: .files))
    #expect(
      Completion.Values("FORMAT=FILE", choices: ["html="])
        == Completion.Values(words: ["html="], rest: .files))
    #expect(
      Completion.Values("HOST:PORT|/path", choices: []) == Completion.Values(files: .files))
  }

  @Test(
    .enabled(if: works("bash --version"), "not run: there is no bash here"),
    arguments: [
      ("ru", ["run"]), ("vectors l", ["list", "lint"]), ("vectors ch", ["check"]),
      ("vect", ["vectors"]),
      ("run --gra", ["--grade"]), ("run --grade ", ["family", "contract"]),
      ("run --grade=fa", ["family"]), ("run --implementation ex", ["exec:"]),
      ("run --implementation=li", ["listen:"]), ("run --storage disk:/us", ["/usr"]),
      ("run --storage=disk:/us", ["/usr"]), ("run --report ht", ["html="]),
      ("run --report html=/us", ["/usr"]), ("run --all --gra", ["--grade"]),
      ("new-adapter py", ["python"]), ("completion z", ["zsh"]),
      // Without a value in one command, with a number in another.
      ("crash --faults /us", []), ("explore --faults ", []),
      ("vectors check /us", ["/usr"]), ("run --vectors /us", ["/usr"]),
      ("explain ", []), ("nothing ", []),
    ] as [(String, [String])])
  func bashCompletes(_ line: String, _ replies: [String]) throws {
    let folder = try TemporaryFolder([("script", Self.completion.bash)])
    // A line of bash is split at these bytes before a script completes it.
    let call = """
      source "$0"; COMP_WORDBREAKS=$' \\t\\n"><=;|&(:'; COMP_LINE=$1; COMP_POINT=${#1}
      _touchstone; ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
      """
    let process = try Subprocess(
      "/usr/bin/env", ["bash", "-c", call, "\(folder.path)/script", "touchstone \(line)"],
      variables: [])
    while !process.advance(milliseconds: 5) {}
    let output = String(decoding: process.output, as: UTF8.self)
    #expect(output.split(separator: "\n").map(String.init) == replies)
    #expect(process.end == .exited(0))
  }

  @Test(
    arguments: [Shell.zsh, .fish].filter { works("\($0.rawValue) --version") })
  func theShellReadsTheScript(_ shell: Shell) throws {
    let folder = try TemporaryFolder([("script", shell.script(Self.completion))])
    let process = try Subprocess(
      "/usr/bin/env", [shell.rawValue, "-n", "\(folder.path)/script"], variables: [])
    while !process.advance(milliseconds: 5) {}
    #expect(process.end == .exited(0), "\(String(decoding: process.output, as: UTF8.self))")
  }

  @Test func anUnknownShellIsRejected() {
    let world = TestWorld()
    #expect(world.run("completion", "bsh") == .usage)
    #expect(
      world.error.hasPrefix(
        "touchstone completion: unknown shell 'bsh'; expected one of bash, zsh, fish; "
          + "did you mean 'bash'?\n"))
    #expect(world.run("completion", "fish") == .success)
    #expect(world.output == Self.completion.fish)
  }

  private static func works(_ command: String) -> Bool {
    guard let process = try? Subprocess("/bin/sh", ["-c", command], variables: []) else {
      return false
    }
    while !process.advance(milliseconds: 5) {}
    return process.end == .exited(0)
  }
}
