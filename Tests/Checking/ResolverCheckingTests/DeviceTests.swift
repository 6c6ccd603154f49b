import Datastore
import JSON
import ResolverChecking
import Testing

/// The devices: stores that resolve and replicate.
struct DeviceTests {
  /// The report of all conflicts of two leaves, and of random ones, of which a third has more: only
  /// with three the exchange of the devices may be incomplete.
  private static func report(
    expecting expected: Set<ResolverGuarantee>, _ resolve: @escaping ConflictResolverCheck.Closure
  ) throws -> ResolverReport {
    var check = ConflictResolverCheck(expecting: expected, resolve)
    check.enumeratedLeaves = 2
    return try check.report(seeds: 1...60)
  }

  private static func finding(
    expecting expected: Set<ResolverGuarantee>, _ resolve: @escaping ConflictResolverCheck.Closure
  ) throws -> ResolverFinding {
    let report = try report(expecting: expected, resolve)
    return try #require(report.findings.first, "\(report.text)")
  }

  /// Each device keeps another leaf and deletes the other one.
  @Test func keepingDifferentLeavesLosesTheDocument() throws {
    let finding = try Self.finding(expecting: [.converges]) { conflict in
      let leaves = conflict.winnerFirst
      return .keep(conflict.device == "phone" ? leaves[0].rev : leaves[leaves.count - 1].rev)
    }
    #expect(finding.guarantee == .converges)
    #expect(finding.explanation.contains("lost"), "\(finding.text)")
  }

  /// Each resolution gives another body, so that there is always a conflict.
  @Test func aCounterOfEachDeviceNeverEnds() throws {
    let finding = try Self.finding(expecting: [.converges]) { conflict in
      let numbers = conflict.leaves.compactMap { $0.body?["n"]?.integerValue }
      let step: Int64 = conflict.device == "phone" ? 1 : 2
      return .body(["n": .integer((numbers.max() ?? 0) + step)])
    }
    #expect(finding.explanation.contains("10 rounds"), "\(finding.text)")
  }

  /// Ids that depend on the values only are equal for both orders of members.
  @Test func anotherOrderOfMembersEnds() throws {
    let report = try Self.report(expecting: [.converges]) { conflict in
      conflict.device == "phone" ? .body(["a": 1, "b": 2]) : .body(["b": 2, "a": 1])
    }
    #expect(report.findings.isEmpty, "\(report.text)")
  }

  /// A resolver that leaves each conflict changes nothing, so the devices do not differ by it.
  @Test func anUnresolvedConflictIsNoDivergence() throws {
    let report = try Self.report(expecting: Set.all.subtracting([.resolves])) { _ in .unresolved }
    #expect(report.findings.isEmpty, "\(report.text)")
  }

  /// Two devices can resolve one conflict to two revisions with one body.
  @Test func aCopyOfTheOutcomeMustChangeNothing() throws {
    let finding = try Self.finding(expecting: [.idempotent]) { conflict in
      let isCopy = conflict.leaves.allSatisfy { $0.rev.text.string.hasPrefix("3-") }
      return isCopy ? .body(["merged": true]) : .body(["merged": false])
    }
    #expect(finding.answers.last?.label == "phone, outcome against its copy", "\(finding.text)")
  }
}
