import Testing

@testable import touchstone

@Suite struct UpgradeCommandTests {
  private func run(_ arguments: String...) -> (code: ExitCode, world: TestWorld) {
    let world = TestWorld()
    return (world.run(all: ["upgrade"] + arguments), world)
  }

  @Test(arguments: [["sqlite", "--back"], ["sqlite:2"], ["sqlite:5"]])
  func bundledVersionsAgree(words: [String]) {
    let world = TestWorld()
    let code = world.run(
      all: ["upgrade", "--from"] + words + ["--seeds", "1..3", "--steps", "10"])
    #expect(code == .success, "\(world.error)")
    let start = "sqlite agrees with the model on the files of \(words[0]): 3 upgrades, "
    #expect(world.output.hasPrefix(start), "\(world.output)")
  }

  /// The report names the phase, keeps the folder, and has the command that repeats it.
  @Test func aMutantDisagrees() throws {
    let (code, world) = run("--from", "sqlite", "--to", "mutant:opening-forgets-stubs")
    #expect(code == .failure)
    let name = "mutant:opening-forgets-stubs"
    #expect(world.error.hasPrefix("\(name) disagrees with the model after the upgrade at seed 1, "))
    #expect(
      world.error.contains(
        "  again      touchstone upgrade --from sqlite --to \(name) --steps 50 --seeds 1\n"))
    let lines = world.output.split(separator: "\n")
    #expect(lines.first == "before: sqlite" && lines.contains("after: \(name)"))
    #expect(lines.last?.contains("revsDiff") == true, "\(world.output)")
    let files = world.error.split(separator: "\n").first { $0.hasPrefix("  files ") }
    let folder = try #require(files?.split(separator: " ").last)
    let (end, output) = try BuiltProgram.shell("ls '\(folder)' && rm -r '\(folder)'")
    #expect(end == .exited(0) && output.contains(".sqlite"))
  }

  /// Two processes get the same folder one after the other. The folders of the cases are removed.
  @Test func adaptersGetOneFolder() throws {
    let folder = try TemporaryFolder()
    let (end, output) = try BuiltProgram.shell(
      #"""
      export TMPDIR='\#(folder.path)'
      "$TOUCHSTONE" upgrade --from "exec:'$TOUCHSTONE' serve" --to "exec:'$TOUCHSTONE' serve" \
        --seeds 1..3 --steps 5 --back 2>&1
      code=$?
      ls '\#(folder.path)'
      exit $code
      """#)
    #expect(end == .exited(0), "\(output)")
    #expect(output.hasSuffix("was killed in 1, stopped in 2\n"), "\(output)")
  }

  /// The reference keeps no files: everything is lost, and the report states the likely reason.
  @Test func aVersionThatWritesNothing() throws {
    let folder = try TemporaryFolder()
    let (end, output) = try BuiltProgram.shell(
      #"""
      export TMPDIR='\#(folder.path)'
      reference="exec:'$TOUCHSTONE' serve --implementation reference"
      "$TOUCHSTONE" upgrade --from "$reference" --to "$reference" --seeds 1 --steps 3 2>&1
      """#)
    #expect(end == .exited(1), "\(output)")
    #expect(output.contains("does not declare \"crashes\": [\"kill\"]"), "\(output)")
  }

  @Test(arguments: [
    ([], "upgrade needs --from"),
    (["--from", "reference"], "--from: reference keeps no files; expected exec:COMMAND or one of"),
    (["--from", "sqlite:1"], "--from: unknown version 'sqlite:1'"),
    (["--from", "sqlite", "--to", "sqlite:2"], "--to: unknown version 'sqlite:2'"),
    (["--from", "mutant:opening-forgets-leaves"], "--from: unknown version"),
    (["--from", "exec:"], "--from: exec: needs a command"),
    (["--from", "listen:7000"], "an adapter behind a socket has no folder"),
    (["--from", "sqlite:2", "--back"], "--back: sqlite:2 is recorded and does not run"),
    (["--from", "sqlite", "--steps", "0"], "--steps '0': expected a number from 1 to 100000"),
  ])
  func wrongUsage(words: [String], message: String) {
    let world = TestWorld()
    #expect(world.run(all: ["upgrade"] + words) == .usage)
    #expect(world.error.contains(message), "\(world.error)")
  }
}
