import Datastore
import JSON
import ResolverDefects
import Testing

@testable import ResolverChecking

struct ResolverDefectTests {
  private static func report(
    of defect: ResolverDefect, seeds: ClosedRange<UInt64> = 1...60
  ) throws -> ResolverReport {
    var check = ConflictResolverCheck(timeLimit: .milliseconds(300)) { device in
      defect.closure(device: device)
    }
    // A minimal conflict has two leaves.
    check.enumeratedLeaves = 2
    // The pause serves the others nothing.
    if defect != .clock { check.pause = .milliseconds(1) }
    return try check.report(seeds: seeds)
  }

  private static let visible = ResolverDefect.allCases.filter(\.isVisibleInOneProcess)

  @Test(arguments: visible) func isFoundAndShrunk(_ defect: ResolverDefect) throws {
    let report = try Self.report(of: defect)
    let finding = try #require(
      report.findings.first { $0.guarantee == defect.broken }, "\(report.text)")
    let conflict = finding.conflict
    #expect(conflict.leaves.count == 2, "\(finding.text)")
    let bodies = conflict.leaves.compactMap(\.body) + [conflict.ancestor?.body].compactMap { $0 }
    #expect(bodies.map(\.count).reduce(0, +) <= Self.membersMax, "\(finding.text)")
    for value in bodies.flatMap(\.members).map(\.value) {
      #expect(value.serializedBytes().count <= 4, "\(finding.text)")
    }
  }

  /// The greatest number of members of a minimal conflict: one in the ancestor and in each leaf.
  private static let membersMax = 3

  /// Without random conflicts, null and fractions do not occur.
  @Test(arguments: [ResolverDefect.nullAsRemoved, .wholeNumbers, .arraysAppended])
  func needsRandomConflicts(_ defect: ResolverDefect) throws {
    var check = ConflictResolverCheck { device in defect.closure(device: device) }
    check.enumeratedLeaves = 2
    let report = try check.report(seeds: 1...1)
    let finding = report.findings.first { $0.guarantee == defect.broken }
    #expect(finding.map { $0.origin == "seed 1" } ?? true, "\(report.text)")
  }

  @Test(arguments: ExampleResolver.allCases) func correctResolversPass(
    _ example: ExampleResolver
  ) throws {
    for leaves in ResolvedLeaves.allCases {
      var check = ConflictResolverCheck(expecting: example.guarantees, passing: leaves) {
        example.resolve($0)
      }
      // The conflicts of three leaves take seconds; some of the random ones have as many.
      check.enumeratedLeaves = 2
      let report = try check.report(seeds: 1...150)
      #expect(report.findings.isEmpty, "\(report.text)")
      #expect(report.enumerated > 500)
      #expect(report.random > 110)
    }
  }

  /// A resolver that keeps the winner is wrong for an application that merges.
  @Test func theWinnerDropsChanges() throws {
    var check = ConflictResolverCheck { ExampleResolver.winner.resolve($0) }
    check.enumeratedLeaves = 2
    let report = try check.report(seeds: 1...10)
    #expect(
      report.findings.map(\.guarantee) == [.keepsChanges, .keepsRemovals, .keepsDeletions],
      "\(report.text)")
  }

  @Test(arguments: ResolverDefect.allCases) func hasASentence(_ defect: ResolverDefect) {
    #expect(defect.sentence.hasSuffix("."))
    #expect(Set(ResolverDefect.allCases.map(\.sentence)).count == ResolverDefect.allCases.count)
  }
}
