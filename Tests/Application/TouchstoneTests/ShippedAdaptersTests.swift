import Datastore
import Foundation
import Testing
import TouchstoneKit

@testable import touchstone

/// An adapter below `tools/adapters`, with its requirements and commands.
struct ShippedAdapter: CustomTestStringConvertible, Sendable {
  let language: String
  /// The program that it needs; without it, the adapter is not tested.
  let tool: String
  /// The Debian package with the tool; nil if `tools/setup` installs it.
  var package: String?
  /// The build command, run in its folder; empty if there is none.
  var build = ""
  /// The start command, run in its folder.
  let start: String
  /// Capabilities that few adapters have, whose vectors are also run.
  var beyond: [Capability] = []

  var testDescription: String { language }

  var folder: String { "\(Self.top)/tools/adapters/\(language)" }

  static let top = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path()

  static let all = [
    ShippedAdapter(
      language: "python", tool: "python3", start: "python3 adapter.py",
      beyond: [.find, .objects, .contexts]),
    ShippedAdapter(
      language: "javascript", tool: "node", start: "node adapter.mjs", beyond: [.find]),
    ShippedAdapter(language: "c", tool: "cc", build: "make -s", start: "./adapter"),
    ShippedAdapter(
      language: "rust", tool: "cargo", build: "cargo build -q --release --offline",
      start: "./adapter"),
    ShippedAdapter(
      language: "go", tool: "go", package: "golang-go",
      // The build needs no network, no home folder and no git.
      build: "cache=$(mktemp -d) && GOCACHE=$cache GOPROXY=off GOFLAGS=-buildvcs=false "
        + "go build -o adapter . && rm -rf \"$cache\"",
      start: "./adapter"),
    ShippedAdapter(
      language: "java", tool: "javac", build: "javac -d build *.java", start: "./adapter"),
    ShippedAdapter(
      language: "kotlin", tool: "kotlinc", package: "kotlin",
      build: "kotlinc *.kt -include-runtime -d adapter.jar", start: "./adapter"),
    // The bundled store behind the protocol.
    ShippedAdapter(
      language: "swift", tool: "true", start: "\"$TOUCHSTONE\" serve --storage memory"),
  ]

  /// Whether its toolchain is installed; a test without it is listed as skipped.
  var isRunnable: Bool {
    get throws {
      try BuiltProgram.shell("command -v \(tool) >/dev/null").end == .exited(0)
    }
  }

  /// The reason for a skipped test.
  var reason: String {
    "not run: there is no \(tool)" + (package.map { " (apt-get install \($0))" } ?? "")
  }

  /// The end and the output of a shell command in the folder of the built adapter.
  func shell(_ command: String) throws -> (end: Subprocess.End?, output: String) {
    let build = build.isEmpty ? "true" : build
    return try BuiltProgram.shell("cd '\(folder)' && { \(build); } 2>&1 && \(command) 2>&1")
  }
}

/// Each shipped adapter with its small store runs a part of the corpus; `tools/soak` runs all of
/// it.
@Suite(.serialized) struct ShippedAdaptersTests {
  private static let vectorCount = 150

  @Test(arguments: ShippedAdapter.all)
  func passesVectors(_ adapter: ShippedAdapter) throws {
    guard try adapter.isRunnable else { try Test.cancel("\(adapter.reason)") }
    let (built, output) = try adapter.shell("true")
    try #require(built == .exited(0), "\(output)")
    let offers = [Offer.core] + adapter.beyond.map { Offer.capability($0) }
    // Vectors of layers need `find` as well, and would be skipped.
    let absent = Set<Capability>([.objects, .contexts, .stacks, .collections])
      .subtracting(adapter.beyond)
    let vectors = try Corpus.standard().vectors.filter {
      Selection(offers: offers).contains($0) && absent.isDisjoint(with: $0.vector.capabilities)
    }
    let step = vectors.count / Self.vectorCount
    let command =
      "cd '\(adapter.folder)' && TOUCHSTONE='\(try BuiltProgram.path())' && \(adapter.start)"
    let implementation = try AdapterImplementation(.command(command), runner: "tests")
    var passed: [Offer: Int] = [:]
    for vector in vectors.enumerated().filter({ $0.offset % step == 0 }).map({ $0.element }) {
      switch vector.verdict(on: implementation) {
      case .pass:
        for offer in offers where offer.includes(vector.vector) { passed[offer, default: 0] += 1 }
      case .skipped: break
      case let verdict: Issue.record("\(vector.id): \(verdict)")
      }
    }
    try implementation.shutdown()
    for offer in offers { #expect(passed[offer, default: 0] >= 5, "\(offer)") }
    #expect(passed.values.reduce(0, +) > 100)
  }

  /// The vectors and the comparison detect an adapter with a buffer of fixed length.
  @Test func anAdapterThatDiesOfLongLinesIsFound() throws {
    let adapter = ShippedAdapter.all[0]
    guard try adapter.isRunnable else { try Test.cancel("\(adapter.reason)") }
    let filter =
      "import sys; [(len(line) > 65536 and sys.exit(1), sys.stdout.buffer.write(line), "
      + "sys.stdout.buffer.flush()) for line in sys.stdin.buffer]"
    let place = "'exec:python3 -c \"\(filter)\" | \(adapter.start)'"
    let (runEnd, run) = try adapter.shell(
      "\"$TOUCHSTONE\" run --profile core --implementation \(place)")
    #expect(runEnd == .exited(1), "\(run)")
    #expect(run.contains("FAIL sizes-body-million-bytes"), "\(run)")
    #expect(run.contains("not conformant"), "\(run)")
    #expect(run.utf8.count < 200_000)
    let (compareEnd, compared) = try adapter.shell(
      "\"$TOUCHSTONE\" compare --seeds 170..200 --implementation \(place)")
    #expect(compareEnd == .exited(1), "\(compared)")
    #expect(compared.contains("disagrees with the model"), "\(compared)")
    #expect(compared.utf8.count < 20_000)
  }

  /// The simulation kills the store in C, and checks its acknowledged writes.
  @Test func survivesTheSimulation() throws {
    let adapter = ShippedAdapter.all[2]
    guard try adapter.isRunnable else { try Test.cancel("\(adapter.reason)") }
    let (end, output) = try adapter.shell(
      "\"$TOUCHSTONE\" simulate --implementation 'exec:\(adapter.start)' --seeds 1..3 --jobs 1")
    #expect(end == .exited(0), "\(output)")
    #expect(output.contains("0 lost writes"), "\(output)")
  }
}
