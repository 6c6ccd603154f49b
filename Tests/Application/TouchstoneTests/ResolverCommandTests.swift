import Datastore
import Foundation
import Testing
import TouchstoneKit

@testable import touchstone

/// A resolver below `tools/adapters`, with its requirements and commands.
struct ShippedResolver: CustomTestStringConvertible, Sendable {
  let language: String
  /// The program that it needs; without it, the resolver is not tested.
  let tool: String
  /// The build command, run in its folder; empty without a build.
  var build = "true"
  /// The start command, run in its folder.
  let start: String

  var testDescription: String { language }

  static let all = [
    ShippedResolver(language: "python", tool: "python3", start: "python3 resolver.py"),
    ShippedResolver(language: "javascript", tool: "node", start: "node resolver.mjs"),
    ShippedResolver(language: "c", tool: "cc", build: "make -s resolver", start: "./resolver"),
    ShippedResolver(
      language: "rust", tool: "cargo", build: "cargo build -q --release --offline --bin resolver",
      start: "target/release/resolver"),
    ShippedResolver(
      language: "go", tool: "go",
      build: "cache=$(mktemp -d) && GOCACHE=$cache GOPROXY=off GOFLAGS=-buildvcs=false "
        + "go build -o resolver/resolver ./resolver && rm -rf \"$cache\"",
      start: "resolver/resolver"),
    ShippedResolver(
      language: "java", tool: "javac", build: "javac -d build *.java",
      start: "java -cp build Resolver"),
    ShippedResolver(
      language: "kotlin", tool: "kotlinc",
      build: "kotlinc resolver/Resolver.kt Json.kt JsonReader.kt -include-runtime "
        + "-d resolver/resolver.jar",
      start: "java -jar resolver/resolver.jar"),
    // The server side of the protocol in Swift.
    ShippedResolver(
      language: "swift", tool: "true",
      start: "\"$TOUCHSTONE\" resolver --implementation merge --serve"),
  ]
}

@Suite(.serialized) struct ResolverCommandTests {
  private static func check(
    _ place: String, options: String = "--seeds 1..500"
  ) throws -> (end: Subprocess.End?, output: String) {
    try BuiltProgram.shell("\"$TOUCHSTONE\" resolver --implementation '\(place)' \(options) 2>&1")
  }

  @Test(arguments: ShippedResolver.all) func shippedResolversPass(
    _ resolver: ShippedResolver
  ) throws {
    let found = try BuiltProgram.shell("command -v \(resolver.tool) >/dev/null").end
    guard found == .exited(0) else { try Test.cancel("not run: there is no \(resolver.tool)") }
    let folder = "\(ShippedAdapter.top)/tools/adapters/\(resolver.language)"
    let (built, log) = try BuiltProgram.shell("cd '\(folder)' && { \(resolver.build); } 2>&1")
    try #require(built == .exited(0), "\(log)")
    let (end, output) = try BuiltProgram.shell(
      "cd '\(folder)' && \"$TOUCHSTONE\" resolver --scope 2 --seeds 1..50 "
        + "--implementation 'exec:\(resolver.start)' 2>&1")
    #expect(end == .exited(0), "\(output)")
    #expect(output.contains("1000 enumerated and 50 random conflicts"), "\(output)")
    #expect(output.contains("keeps all 12 guarantees"), "\(output)")
  }

  /// Defects that one process does not show, or does not survive.
  @Test(arguments: [
    ("hash-seed", "FAIL deterministic", "phone, another process:"),
    ("traps", "FAIL answers", "no answer"),
    ("throws-error", "FAIL answers", "index out of range"),
    ("reserved-member", "FAIL valid", "_conflicts"),
    ("device-name", "FAIL device-independent", "the document is lost"),
  ])
  func processesShowDefects(_ defect: (name: String, verdict: String, words: String)) throws {
    let place = "exec:\"$TOUCHSTONE\" resolver --implementation mutant:\(defect.name) --serve"
    let (end, output) = try Self.check(place, options: "--scope 2 --seeds 1..50")
    #expect(end == .exited(1), "\(output)")
    #expect(output.contains(defect.verdict), "\(output)")
    #expect(output.contains(defect.words), "\(output)")
    #expect(output.utf8.count < 4000, "\(output)")
  }

  /// A process that does not answer is ended, and the next conflict gets another one.
  @Test func aHangIsReported() throws {
    let place = "exec:\"$TOUCHSTONE\" resolver --implementation mutant:hangs --serve"
    let (end, output) = try Self.check(place, options: "--scope 2 --seeds 1..1")
    #expect(end == .exited(1), "\(output)")
    #expect(output.contains("no response in time"), "\(output)")
    #expect(output.contains("removed b"), "\(output)")
  }

  @Test func lastWriterWinsIsAnExpectation() throws {
    let world = TestWorld()
    #expect(
      world.run(
        "resolver", "--implementation", "winner", "--scope", "2", "--seeds", "1..5") == .failure)
    #expect(world.output.contains("breaks 3 of 12 guarantees"), "\(world.output)")
    let lenient = TestWorld()
    #expect(
      lenient.run(
        "resolver", "--implementation", "winner", "--scope", "2", "--seeds", "1..5", "--expect",
        "last-writer-wins")
        == .success, "\(lenient.output)")
    #expect(lenient.output.contains("Not checked: keeps-changes"), "\(lenient.output)")
    let selected = TestWorld()
    #expect(
      selected.run(
        "resolver", "--implementation", "winner", "--scope", "2", "--seeds", "1..5", "--without",
        "keeps-changes",
        "--without", "keeps-removals", "--without", "keeps-deletions") == .success)
  }

  @Test func wrongUsageIsExplained() {
    let world = TestWorld()
    #expect(world.run("resolver") == .usage)
    #expect(world.run("resolver", "--implementation", "nothing") == .usage)
    #expect(world.run("resolver", "--implementation", "merge", "--expect", "every") == .usage)
    #expect(world.run("resolver", "--implementation", "merge", "--leaves", "some") == .usage)
    #expect(world.run("resolver", "--implementation", "exec:true", "--serve") == .usage)
    #expect(world.error.contains("--serve needs a bundled resolver"), "\(world.error)")
  }

  /// An adapter of a store has no resolver.
  @Test func anAdapterWithoutAResolverIsNoVerdict() throws {
    let (end, output) = try Self.check("exec:\"$TOUCHSTONE\" serve --storage memory")
    #expect(end == .exited(3), "\(output)")
    #expect(output.contains("declares no resolver"), "\(output)")
  }
}
