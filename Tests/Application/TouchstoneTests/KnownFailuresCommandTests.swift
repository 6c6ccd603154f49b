import Conformance
import Datastore
import JSON
import Testing

@testable import touchstone

@Suite struct KnownFailuresCommandTests {
  private let corpus: TemporaryFolder
  private let folder: TemporaryFolder
  private let world = RunCommandTests.world(RunCommandTests.forgetful)

  init() throws {
    corpus = try TemporaryFolder.corpus()
    folder = try TemporaryFolder()
  }

  private func run(_ more: String...) -> ExitCode {
    (world.output, world.error) = ("", "")
    let run = ["run", "--implementation", "parrot", "--vectors", corpus.path]
    return CommandTable.run(run + more, world.context)
  }

  private func list(_ entry: String) throws -> TemporaryFolder {
    try TemporaryFolder([
      (
        "known.json",
        #"{"format": "touchstone-known-failures", "version": 1, "failures": [\#(entry)]}"#
      )
    ])
  }

  @Test func whatABaselineSaysFailsNoRun() throws {
    let file = "\(folder.path)/known.json"
    #expect(run("--write-baseline", file) == .failure)
    #expect(world.error.hasSuffix("wrote \(file): 1 known failure\n"))
    #expect(run("--known-failures", file) == .success)
    #expect(world.output.contains("KNOWN tree-create  core/tree.json\n"))
    #expect(
      world.output.hasSuffix(
        "core 1/2\nnot offered: purge\n"
          + "not conformant, as listed (grade family): 1 vector fails as listed\n"),
      "\(world.output)")
  }

  /// A run of some vectors, or one that was interrupted, must not remove the entries of others.
  @Test func aBaselineKeepsTheEntriesOfVectorsThatDidNotRun() throws {
    let known = try list(#"{"vector": "tree-create", "message": "notFound", "reason": "bug 17"}"#)
    let file = "\(known.path)/known.json"
    #expect(run("--write-baseline", file, "--filter", "tree-absent") == .success)
    #expect(try known.text("known.json").contains("bug 17"))
    #expect(run("--write-baseline", file) == .failure)
    #expect(try known.text("known.json").contains("bug 17"))
    // An entry of a vector that passed is removed.
    let passing = try list(#"{"vector": "tree-absent", "message": "x", "reason": "bug 18"}"#)
    #expect(run("--write-baseline", "\(passing.path)/known.json") == .failure)
    #expect(try !passing.text("known.json").contains("bug 18"))
  }

  @Test func aBaselineReplacesNoOtherFile() throws {
    let other = try TemporaryFolder([("notes.txt", "important")])
    #expect(run("--write-baseline", "\(other.path)/notes.txt") == .harness)
    #expect(world.error.contains("the list of known failures is invalid"), "\(world.error)")
    #expect(try other.text("notes.txt") == "important")
    let file = "\(other.path)/new"
    #expect(run("--write-baseline", file, "--report", "tap=\(file)") == .usage)
    #expect(world.error.contains("a report would replace \(file) of --write-baseline"))
    #expect(run("--write-baseline", "-") == .usage)
    #expect(world.error.contains("--write-baseline needs a file"))
  }

  @Test func aReportThatCannotBeWrittenHidesNoResult() throws {
    #expect(run("--report", "tap=/dev/full") == .harness)
    #expect(world.output.hasSuffix("not conformant (grade family): 1 vector failed\n"))
    #expect(world.error.contains("cannot write the report: /dev/full"), "\(world.error)")
  }

  @Test func anExpiryIsTheLastDay() throws {
    let known = try list(
      #"{"vector": "tree-create", "message": "notFound", "reason": "r", "expires": "2026-12-31"}"#)
    let file = "\(known.path)/known.json"
    #expect(run("--known-failures", file, "--today", "2026-12-31") == .success)
    #expect(run("--known-failures", file, "--today", "2027-01-01") == .failure)
    #expect(world.output.contains("expired on 2026-12-31, today is 2027-01-01: r\n"))
    #expect(run("--known-failures", file, "--today", "2027-02-29") == .usage)
  }

  @Test func anUnexpectedPassFailsTheRun() throws {
    let known = try list(#"{"vector": "tree-*", "message": "notFound", "reason": "r"}"#)
    #expect(run("--known-failures", "\(known.path)/known.json") == .failure)
    #expect(world.output.contains("entry 1 ('tree-*') is out of date: tree-absent passes now\n"))
  }

  @Test func aBrokenListIsSaidBeforeAnythingIsAsked() throws {
    let known = try list(#"{"vector": "tree-create"}"#)
    let file = "\(known.path)/known.json"
    #expect(run("--known-failures", file) == .harness)
    #expect(
      world.error.hasPrefix(
        "touchstone: the list of known failures is invalid\n  \(file): failures[0]"))
    #expect(run("--known-failures", "\(file).not") == .harness)
  }

  @Test func severalImplementationsAreCompared() throws {
    let world = TestWorld()
    let page = "\(folder.path)/page.html"
    let code = world.run(
      "run", "--vectors", corpus.path, "--implementation", "reference", "--implementation",
      "mutant:purged-reads-deleted", "--implementation", "sqlite", "--report", "html=\(page)",
      "--today", "2027-01-31")
    #expect(code == .success, "\(world.error)")
    #expect(
      world.output.hasPrefix("A  reference\nB  mutant:purged-reads-deleted\nC  sqlite\n\n"),
      "\(world.output)")
    let html = try folder.text("page.html")
    #expect(html.contains("3 implementations, same vectors"))
    #expect(html.contains("<dt>date</dt><dd>2027-01-31</dd>"))
    // `mistake:NAME` is the name of version 0.1.
    let earlier = TestWorld()
    let names = ["mistake:purged-reads-deleted", "sqlite"].flatMap { ["--implementation", $0] }
    #expect(earlier.run(all: ["run", "--vectors", corpus.path] + names) == .success)
    #expect(earlier.output.hasPrefix("       mutant:purged-reads-deleted  sqlite\ncore"))
  }

  @Test func whatIsAboutOneImplementationIsRefusedForTwo() throws {
    let world = TestWorld()
    let two = ["run", "--implementation", "sqlite", "--implementation", "reference"]
    for (more, words) in [
      (["--report", "junit=x"], "junit needs a single implementation"),
      (["--known-failures", "x"], "--known-failures needs a single implementation"),
      (["--write-baseline", "x"], "--write-baseline needs a single implementation"),
      (["--storage", "memory"], "--storage needs a single implementation"),
      (["--implementation", "sqlite"], "sqlite is given twice"),
      (
        ["--implementation", "mutant:purged-reads-delete"],
        "unknown mutant 'purged-reads-delete'; did you mean 'mutant:purged-reads-deleted'?"
      ),
      (
        ["--implementation", "mutant:sqlite-body-limit-exclusive"],
        "is a patch of the sources of sqlite, so this program does not contain it"
      ),
    ] {
      world.error = ""
      #expect(CommandTable.run(two + more, world.context) == .usage)
      #expect(world.error.contains(words), "\(world.error)")
    }
  }
}
