import Foundation
import TestSeeds
import Testing
import TouchstoneKit

@testable import touchstone

private let hasPython = (try? BuiltProgram.shell("python3 --version").end) == .exited(0)

/// A correct store may differ from the bundled ones where no rule decides. `tools/variation/vary`,
/// between the runner and a bundled store, changes the form of responses, and every vector must
/// still pass.
///
/// Each mode runs a part of the corpus, a different one after each commit, and many modes together
/// also run a part. `tools/soak-variation` runs the whole corpus in every mode.
@Suite(.enabled(if: hasPython, "not run: there is no python3 here"))
struct VariationTests {
  private static let script = "\(ShippedAdapter.top)/tools/variation/vary"

  /// The modes of the script, in its order.
  static let modes: [String] =
    hasPython
    ? (try? BuiltProgram.shell("'\(script)' --list"))?.output.split(separator: "\n").map {
      String($0)
    } ?? [] : []

  private static let vectors = Result { try Corpus.standard().vectors }

  /// The number of turns in which every vector runs in one mode.
  private static let turns = 3
  private static let turn = RotatingSeeds.turn(of: turns)

  /// Vectors of which every mode changes at least one line.
  private static let telling: Set<VectorID> = [
    "attachment-name-unicode", "attachment-gzip-stub", "unicode-list-from-astral",
  ]

  /// One mode of each kind that can be combined with the others.
  private static let together = [
    "sequences-arrays", "unordered-shuffled", "deleted-omitted", "errors-explained", "own-digests",
    "changes-repeated", "small-pieces", "members-shuffled", "numbers-long", "escapes-all", "blanks",
    "odd-chunks",
  ]

  /// Runs vectors through a mode; returns the number of passed vectors and of changed lines.
  private func ask(
    _ vectors: [CorpusVector], _ modes: String, _ store: String
  ) throws -> (passed: Int, varied: Int) {
    let tally = FileManager.default.temporaryDirectory
      .appending(path: "touchstone-variation-\(UUID())")
    defer { try? FileManager.default.removeItem(at: tally) }
    let command =
      "VARIATION_TALLY='\(tally.path())' exec '\(Self.script)' \(modes) "
      + "'\(try BuiltProgram.path())' serve --implementation \(store)"
    let implementation = try AdapterImplementation(.command(command), runner: "tests")
    var passed = 0
    for vector in vectors {
      switch vector.verdict(on: implementation) {
      case .pass: passed += 1
      // Guarantees that a mode removes are not tested, nor limits that `hello` does not state.
      case .skipped(let skip):
        let hasNoLimits = modes == "hello-bare" && !skip.limits.isEmpty && skip.profile == nil
        #expect(skip.profile == .denseChanges || hasNoLimits, "\(vector.id): \(skip)")
      case let verdict: Issue.record("\(modes), \(vector.id): \(verdict)")
      }
    }
    try implementation.shutdown()
    let lines = try String(contentsOf: tally, encoding: .utf8).split(separator: "\n")
    return (passed, lines.compactMap { Int($0) }.reduce(0, +))
  }

  /// Whether a vector has lines of megabytes. With every character escaped, they exceed the time
  /// limit of an operation; `tools/soak-variation` runs these vectors with an optimized program.
  private static func hasLongLines(_ vector: CorpusVector) -> Bool {
    vector.vector.testedLimits.contains(.bodyBytes)
      || vector.id.description.hasPrefix("sizes-line")
  }

  @Test func thereAreManyModes() {
    #expect(Set(Self.modes).count == Self.modes.count)
    #expect(Self.modes.count >= 20)
    #expect(Set(Self.together).isSubset(of: Self.modes))
  }

  @Test(arguments: modes) func passesInEachMode(_ mode: String) throws {
    let place = try #require(Self.modes.firstIndex(of: mode))
    let vectors = try Self.vectors.get().enumerated().filter {
      ($0.offset % (Self.modes.count * Self.turns) == place * Self.turns + Self.turn
        || Self.telling.contains($0.element.id))
        && !(mode == "escapes-all" && Self.hasLongLines($0.element))
    }.map { $0.element }
    let store = place % 2 == 0 ? "reference" : "sqlite"
    let (passed, varied) = try ask(vectors, mode, store)
    #expect(passed > 30, "turn \(Self.turn)")
    #expect(varied > 0, "the mode changed no line")
  }

  @Test func passesInModesTogether() throws {
    // One of these modes is `escapes-all`.
    let vectors = try Self.vectors.get().enumerated().filter {
      $0.offset % 48 == Self.turn && !Self.hasLongLines($0.element)
    }.map { $0.element }
    let (passed, _) = try ask(vectors, Self.together.joined(separator: ","), "sqlite")
    #expect(passed > 80, "turn \(Self.turn)")
  }
}
