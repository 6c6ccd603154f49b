import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

/// Vectors that a declared restriction makes untestable, in verdicts and reports.
@Suite struct RestrictedRunTests {
  private static func report() throws -> RunReport {
    let later = try Fixtures.vector(
      """
      {"id": "edit-later", "clauses": ["EDIT-001"], "steps": [
        {"do": {"op": "changes", "store": "a"}, "expect": {"ok": {"last": {"$bind": "s"}}}},
        {"do": {"op": "changes", "store": "a", "since": {"$ref": "s"}}}]}
      """)
    return Fixtures.report(
      [try Fixtures.passing(), later], FakeDatastore(restrictions: [.changesFromStart]))
  }

  @Test func theyAreNotTested() throws {
    let report = try Self.report()
    let summary = RunSummary(report)
    #expect(report.results.map(\.verdict.name) == ["pass", "notTested"])
    #expect(summary.conclusion == .restricted)
    #expect(summary.conclusion.words == "passed with restrictions")
    #expect(summary.offers.map(\.grade) == [.restricted])
    #expect(summary.offers.map(\.phrase) == ["core 1/2 (1 not tested)"])
    #expect(summary.total.passed == 1)
    #expect(summary.total.skipped == 0)
    #expect(summary.total.notTested == 1)
    let verdicts = summary.clauses.map { "\($0.clause.id) \($0.verdict.rawValue)" }
    #expect(verdicts.prefix(3) == ["TREE-001 pass", "EDIT-001 notTested", "EDIT-002 notAsked"])
    #expect(summary.remarks == ["1 vector not tested (changesFromStart 1)"])
  }

  /// A selection of other vectors is not affected.
  @Test func otherVectorsAreNotAffected() throws {
    let report = Fixtures.report(
      [try Fixtures.passing()], FakeDatastore(restrictions: [.changesFromStart]))
    #expect(RunSummary(report).conclusion == .conformant)
  }

  /// A failure beside them is a failure.
  @Test func failuresCount() throws {
    let vectors = try Self.report().corpus.vectors + [try Fixtures.conflicting()]
    let report = Fixtures.report(
      vectors, FakeDatastore(.noConflicts, restrictions: [.changesFromStart]))
    let summary = RunSummary(report)
    #expect(summary.conclusion == .notConformant(reasons: ["1 vector failed"]))
    #expect(summary.clauses.first { $0.clause.id == "EDIT-001" }?.verdict == .fail)
  }

  @Test(arguments: [
    (ReportFormat.jsonl, #""verdict":"notTested","required":true,"weight":"required","#),
    (.jsonl, #""reason":"not testable: changesFromStart","restrictions":["changesFromStart"]}"#),
    (.jsonl, #""conclusion":"restricted""#),
    (.jsonl, #""skipped":0,"notTested":1"#),
    (.tap, "ok 2 - edit-later # SKIP not testable: changesFromStart"),
    (.junit, #"<skipped message="not testable: changesFromStart"/>"#),
    (.junit, #"tests="2" failures="0" errors="0" skipped="1""#),
    (.markdown, "**passed with restrictions** (grade contract): 1 vector not tested"),
    (.markdown, "| deviates | no verdict | not tested | skipped |"),
    (.markdown, "| not testable: changesFromStart | 1 |"),
    (.html, "1 vector not tested (changesFromStart 1)"),
    (.html, "not testable: changesFromStart"),
    (.badgeSVG, "passed with restrictions · contract · core 1/2 · 1 not tested"),
    (.badgeJSON, "passed with restrictions · contract · core 1/2 · 1 not tested"),
  ])
  func everyReportSaysSo(format: ReportFormat, text: String) throws {
    let report = format.text(of: try Self.report())
    #expect(report.contains(text), "\(report)")
  }

  @Test func theTextSaysSo() throws {
    let text = TerminalReport(try Self.report()).text
    #expect(text.contains("EDIT  0/1  1 not tested"), "\(text)")
    #expect(
      text.hasSuffix(
        "passed with restrictions (grade contract): 1 vector not tested (changesFromStart 1)\n"))
  }

  /// The effect of a restriction on a corpus.
  @Test func theEffectOfARestriction() throws {
    let effect = RestrictionEffect(.changesFromStart, in: try Self.report().corpus)
    #expect(effect.vectors.map(\.id) == ["edit-later"])
    #expect(effect.untested.map(\.id) == ["EDIT-001"])
    #expect(effect.partlyTested.isEmpty)
  }

  static let steps: [(Restriction, String, Bool)] = [
    (
      .historyLimitAtCreation, #"[{"do": {"op": "historyLimit", "store": "a", "limit": 2}}]"#, false
    ),
    (
      .historyLimitAtCreation,
      #"[{"do": {"op": "open", "store": "a"}}, {"do": {"op": "historyLimit", "store": "a", "limit": 2}}]"#,
      false
    ),
    (
      .historyLimitAtCreation,
      #"[{"do": {"op": "info", "store": "b"}}, {"do": {"op": "historyLimit", "store": "a", "limit": 2}}]"#,
      false
    ),
    (
      .historyLimitAtCreation,
      #"[{"do": {"op": "info", "store": "a"}}, {"do": {"op": "historyLimit", "store": "a", "limit": 2}}]"#,
      true
    ),
    (
      .historyLimitAtCreation,
      #"[{"do": {"op": "info", "store": "a"}}, {"do": {"op": "destroy", "store": "a"}}, "#
        + #"{"do": {"op": "historyLimit", "store": "a", "limit": 2}}]"#,
      false
    ),
    (
      .historyLimitAtCreation,
      #"[{"replicate": {"source": "b", "target": "a"}}, {"do": {"op": "historyLimit", "store": "a", "limit": 2}}]"#,
      true
    ),
    (
      .purgeMovesNoRow,
      #"[{"do": {"op": "purge", "store": "a", "id": "d", "revs": ["1-a"]}}, "#
        + #"{"do": {"op": "changes", "store": "a"}}]"#,
      false
    ),
    (
      .purgeMovesNoRow,
      #"[{"do": {"op": "purge", "store": "a", "id": "d", "revs": ["1-a"]}}, "#
        + #"{"replicate": {"source": "a", "target": "b"}}]"#,
      true
    ),
    (
      .purgeMovesNoRow,
      #"[{"do": {"op": "purge", "store": "a", "id": "d", "revs": ["1-a"]}}, "#
        + #"{"replicate": {"source": "b", "target": "a"}}]"#,
      false
    ),
    (.checkpointsOnOneSide, #"[{"loseCheckpoint": {"store": "a"}}]"#, true),
    (.findWithoutSort, #"[{"do": {"op": "find", "store": "a", "selector": {}}}]"#, false),
    (
      .findWithoutSort,
      #"[{"do": {"op": "find", "store": "a", "selector": {}, "sort": [{"n": "asc"}]}}]"#, true
    ),
  ]

  /// A restriction prevents a vector only if its steps need the missing part.
  @Test(arguments: steps)
  func aRestrictionPreventsAVector(restriction: Restriction, steps: String, isPrevented: Bool)
    throws
  {
    let capabilities = restriction.capability.map { #""\#($0.rawValue)""# } ?? ""
    let vector = try Fixtures.vector(#"{"capabilities": [\#(capabilities)], "steps": \#(steps)}"#)
    #expect(restriction.prevents(vector.vector) == isPrevented)
  }
}
