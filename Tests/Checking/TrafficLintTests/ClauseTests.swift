import Testing

@testable import TrafficLint

/// Each clause has traffic that violates it and no other clause, and correct traffic beside it.
@Suite struct ClauseTests {
  struct Violation: CustomTestStringConvertible, Sendable {
    let clause: LintClause
    let violating: @Sendable () -> Traffic
    let correct: @Sendable () -> Traffic

    init(
      _ clause: LintClause, _ violating: @escaping @autoclosure @Sendable () -> Traffic,
      correct: @escaping @autoclosure @Sendable () -> Traffic = Traffic.session
    ) {
      (self.clause, self.violating, self.correct) = (clause, violating, correct)
    }

    var testDescription: String { clause.id }
  }

  static let all = orderAndCheckpoints + feedAndWaste + forms + servers

  @Test(arguments: all) func violatesOneClause(violation: Violation) throws {
    let report = try violation.violating().report
    #expect(report.counts.map(\.clause.id) == [violation.clause.id])
    for finding in report.findings {
      #expect(!finding.sentence.isEmpty)
      #expect((1...4).contains(finding.evidence.count))
      #expect(finding.evidence.allSatisfy { !$0.line.isEmpty && !$0.note.isEmpty })
    }
  }

  @Test(arguments: all) func correctTrafficHasNoFinding(violation: Violation) throws {
    #expect(try violation.correct().clauses == [])
  }

  @Test func allClausesHaveCases() {
    #expect(Set(Self.all.map(\.clause)) == Set(LintClause.all))
  }

  @Test func idsAreUniqueAndInOrder() {
    let ids = LintClause.all.map(\.id)
    #expect(ids == Array(Set(ids)).sorted())
    #expect(LintClause.all.allSatisfy { $0.sentence.hasSuffix(".") })
    #expect(LintClause.all.count >= 30)
  }
}
