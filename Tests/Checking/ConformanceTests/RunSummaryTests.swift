import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

@Suite struct RunSummaryTests {
  @Test func allOfCorePassed() throws {
    let summary = RunSummary(Fixtures.report([try Fixtures.passing()]))
    #expect(summary.conclusion == .conformant)
    #expect(summary.offers.map(\.phrase) == ["core 1/1"])
  }

  @Test func zeroVectorsAreAFailure() {
    let summary = RunSummary(Fixtures.report([]))
    #expect(summary.conclusion == .notConformant(reasons: ["no vector was selected"]))
    #expect(summary.offers.map(\.phrase) == ["core not run"])
  }

  @Test func zeroAskedVectorsAreAFailure() throws {
    let optional = try Fixtures.passing(more: #", "capabilities": ["purge"]"#)
    let summary = RunSummary(Fixtures.report([optional]))
    #expect(summary.conclusion == .notConformant(reasons: ["no vector ran"]))
  }

  @Test func aSelectionWithoutMatchesIsAFailure() throws {
    let selection = Selection(globs: [Glob("nothing-*")])
    let report = Fixtures.report([try Fixtures.passing()], FakeDatastore(), selection)
    #expect(
      RunSummary(report).conclusion == .notConformant(reasons: ["no vector was selected"]))
  }

  @Test func aSkippedCoreVectorIsNotConformance() throws {
    let (first, second) = (try Fixtures.passing("tree-a"), try Fixtures.passing("tree-b"))
    let report = RunReport(
      implementation: FakeDatastore().description, corpus: Fixtures.corpus([first, second]),
      results: [
        RunReport.Result(vector: first, verdict: .pass),
        RunReport.Result(vector: second, verdict: .skipped(Skip(capabilities: [.purge]))),
      ])
    let summary = RunSummary(report)
    #expect(summary.conclusion == .notConformant(reasons: ["1 core vector skipped"]))
    #expect(summary.offers.map(\.phrase) == ["core 1/2 (1 skipped)"])
  }

  @Test func oneFailureIsNotConformance() throws {
    let vectors = [try Fixtures.passing(), try Fixtures.conflicting()]
    let summary = RunSummary(Fixtures.report(vectors, FakeDatastore(.noConflicts)))
    #expect(summary.conclusion == .notConformant(reasons: ["1 vector failed"]))
    #expect(summary.offers.map(\.phrase) == ["core 1/2"])
  }

  @Test func smallLimitsFailCore() throws {
    let summary = RunSummary(Fixtures.report([try Fixtures.passing()], FakeDatastore(.smallLimits)))
    #expect(
      summary.conclusion
        == .notConformant(reasons: [
          "the declared limit bodyBytesMax is 1000; core requires at least 1000000"
        ]))
  }

  @Test func optionalPartsAreCountedForThemselves() throws {
    let vectors = [
      try Fixtures.passing("tree-core"),
      try Fixtures.vector(
        """
        {"id": "tree-compact", "capabilities": ["compact"],
         "steps": [{"do": {"op": "compact", "store": "a"}}]}
        """),
      try Fixtures.passing("tree-both", more: #", "capabilities": ["compact", "purge"]"#),
      try Fixtures.passing("tree-couch", more: #", "profile": "couchdb""#),
    ]
    let summary = RunSummary(Fixtures.report(vectors, FakeDatastore(capabilities: [.compact])))
    #expect(summary.conclusion == .conformant)
    #expect(
      summary.offers.map(\.phrase) == [
        "core 1/1", "compact 1/2 (1 skipped)", "purge not offered", "couchdb not offered",
      ])
  }

  @Test func aFailingOptionalPartIsNotConformance() throws {
    let compact = try Fixtures.vector(
      """
      {"id": "tree-compact", "capabilities": ["compact"],
       "steps": [{"do": {"op": "compact", "store": "a"},
                  "expect": {"error": {"kind": "busy"}}}]}
      """)
    let report = Fixtures.report(
      [try Fixtures.passing(), compact], FakeDatastore(capabilities: [.compact]))
    #expect(RunSummary(report).conclusion == .notConformant(reasons: ["1 vector failed"]))
  }

  @Test func harnessErrorsAreNoVerdictOnTheStore() throws {
    let vectors = [try Fixtures.passing("tree-a"), try Fixtures.passing("tree-b")]
    let summary = RunSummary(
      Fixtures.report(vectors, FakeDatastore(.harnessError("create"))))
    #expect(
      summary.conclusion
        == .harnessFailed(reasons: [
          "2 vectors without a verdict",
          "all for the same reason: no response to create",
        ]))
    #expect(summary.clauses[0].verdict == .harnessError)
  }

  @Test func aFailureWeighsMoreThanAHarnessError() throws {
    let vectors = [
      try Fixtures.vector(#"{"id": "tree-info", "steps": [{"do": {"op": "info", "store": "a"}}]}"#),
      try Fixtures.vector(
        """
        {"id": "tree-read", "steps": [
          {"do": {"op": "read", "store": "a", "id": "d"}}]}
        """),
    ]
    let summary = RunSummary(Fixtures.report(vectors, FakeDatastore(.harnessError("info"))))
    #expect(summary.conclusion == .notConformant(reasons: ["1 vector failed"]))
  }

  @Test func aRecommendationDoesNotBreakConformance() throws {
    let recommended = try Fixtures.conflicting("edit-quick", clauses: #"["EDIT-002"]"#)
    let report = Fixtures.report(
      [try Fixtures.passing(), recommended], FakeDatastore(.noConflicts))
    let summary = RunSummary(report)
    #expect(summary.conclusion == .conformant)
    #expect(summary.total.deviations == 1)
    #expect(summary.clauses.map(\.verdict) == [.pass, .notAsked, .fail, .notAsked])
  }

  @Test func aSelectionProvesNoConformance() throws {
    let vectors = [try Fixtures.passing("tree-a"), try Fixtures.passing("tree-b")]
    let selection = Selection(globs: [Glob("*-a")])
    let summary = RunSummary(Fixtures.report(vectors, FakeDatastore(), selection))
    #expect(summary.conclusion == .selectionPassed)
    let core = Selection(offers: [.core])
    #expect(
      RunSummary(Fixtures.report(vectors, FakeDatastore(), core)).conclusion == .conformant)
  }

  /// A store is also tested on the capabilities that it offers beyond core.
  @Test func coreAloneIsNotAllOfAStoreThatOffersMore() throws {
    let compact = try Fixtures.vector(
      """
      {"id": "tree-compact", "capabilities": ["compact"],
       "steps": [{"do": {"op": "compact", "store": "a"}}]}
      """)
    let vectors = [try Fixtures.passing(), compact]
    let core = Selection(offers: [.core])
    let more = FakeDatastore(capabilities: [.compact])
    #expect(RunSummary(Fixtures.report(vectors, more, core)).conclusion == .selectionPassed)
    #expect(RunSummary(Fixtures.report(vectors, FakeDatastore(), core)).conclusion == .conformant)
    #expect(RunSummary(Fixtures.report(vectors, more)).conclusion == .conformant)
  }

  @Test func aPartOfACorpusProvesNoConformance() throws {
    let vectors = [try Fixtures.passing()]
    let part = Corpus(clauses: Fixtures.clauses, vectors: vectors)
    let report = Runner(FakeDatastore()).run(part)
    #expect(RunSummary(report).conclusion == .selectionPassed)
    // A report with fewer results than selected vectors is not conformant either.
    let shortened = RunReport(
      implementation: report.implementation,
      corpus: Fixtures.corpus(vectors + [try Fixtures.passing("tree-other")]),
      results: report.results)
    #expect(RunSummary(shortened).conclusion == .selectionPassed)
  }

  @Test func aFullDiskIsNoVerdictOnTheStore() throws {
    let store = FakeDatastore(.answers("create", .storage(.full)))
    let summary = RunSummary(Fixtures.report([try Fixtures.passing()], store))
    #expect(summary.conclusion == .harnessFailed(reasons: ["1 vector without a verdict"]))
  }

  @Test func familiesFollowTheClauses() throws {
    let vectors = [try Fixtures.conflicting(), try Fixtures.passing()]
    let summary = RunSummary(Fixtures.report(vectors))
    #expect(summary.families.map(\.family) == ["TREE", "EDIT"])
    #expect(summary.families.map(\.tally.passed) == [1, 1])
  }
}

@Suite struct SelectionTests {
  @Test(
    arguments: [
      ([], [], true), ([.core], [], true), ([.capability(.purge)], [], false),
      ([], ["tree-*"], true),
      ([], ["TREE-*"], true), ([], ["EDIT-*"], false), ([], ["EDIT-*", "tree-pass"], true),
      ([.profile(.couchdb)], ["tree-*"], false),
    ] as [([Offer], [String], Bool)])
  func selects(_ offers: [Offer], _ globs: [String], _ isSelected: Bool) throws {
    let selection = Selection(offers: offers, globs: globs.map { Glob(JSONString($0)) })
    #expect(selection.contains(try Fixtures.passing()) == isSelected)
  }
}

@Suite struct GlobTests {
  @Test(arguments: [
    ("", "", true), ("", "a", false), ("*", "", true), ("*", "abc", true), ("a*", "abc", true),
    ("*c", "abc", true), ("a*c", "abc", true), ("a*c", "abd", false), ("a?c", "abc", true),
    ("a?c", "ac", false), ("?", "é", false), ("??", "é", true), ("abc", "abcd", false),
    ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false), ("a**b", "ab", true),
    ("*aab", "aaaaab", true), ("TREE-*", "TREE-012", true), ("tree-*", "TREE-012", false),
    ("\u{E9}", "e\u{301}", false), ("[a]", "a", false),
  ])
  func matchesBytes(_ pattern: String, _ name: String, _ isMatch: Bool) {
    #expect(Glob(JSONString(pattern)).matches(JSONString(name)) == isMatch)
  }

  @Test func manyStarsStayQuick() {
    let pattern = Glob(JSONString(String(repeating: "*a", count: 40) + "b"))
    #expect(!pattern.matches(JSONString(String(repeating: "a", count: 4000))))
  }
}
