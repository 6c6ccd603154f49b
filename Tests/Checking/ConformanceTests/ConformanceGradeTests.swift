import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

/// The grades `family` and `contract`: which failures decide the verdict.
@Suite struct ConformanceGradeTests {
  static let evidence = Clause.Evidence(keptBy: ["CouchDB 3.5.0"], neededBy: [.bulkDocs])

  static func clause(
    _ id: ClauseID, _ binds: Clause.Binding, _ level: Clause.Level = .must,
    status: Clause.Status = .agreed
  ) -> Clause {
    Clause(id: id, level: level, text: "A rule.", source: "here", status: status, binds: binds)
  }

  static let family = clause("TREE-001", .family(evidence))
  static let contract = clause("TREE-002", .contract)
  static let layer = clause("TREE-003", .layer)
  static let advice = clause("TREE-004", .contract, .should)
  static let open = clause(
    "TREE-005", .contract, .should, status: .ambiguous(accepted: ["One.", "Another."]))

  /// A vector that a store without conflicts fails.
  static func vector(_ id: String, _ clauses: [Clause], _ grade: ConformanceGrade) throws
    -> CorpusVector
  {
    let plain = try Fixtures.conflicting(id)
    return CorpusVector(plain.vector, clauses: clauses, file: plain.file, grade: grade)
  }

  static func report(
    _ clauses: [[Clause]], _ grade: ConformanceGrade, _ more: [CorpusVector] = []
  ) throws -> RunReport {
    let failing = try clauses.enumerated().map {
      try vector("edit-\($0.offset)", $0.element, grade)
    }
    let corpus = Corpus(
      clauses: [family, contract, layer, advice], vectors: failing + more,
      integrity: .released, grade: grade)
    return Runner(FakeDatastore(.noConflicts)).run(corpus)
  }

  @Test(
    arguments: [
      ([family], .required), ([contract], .contractOnly), ([layer], .required),
      ([family, contract], .contractOnly), ([family, layer], .required),
      ([family, advice], .recommended), ([layer, advice], .recommended),
      ([family, open], .required), ([contract, layer], .required), ([advice], .recommended),
    ] as [([Clause], CorpusVector.Weight)])
  func aVectorIsRequiredWhereNoContractClauseStandsBehindIt(
    _ clauses: [Clause], _ weight: CorpusVector.Weight
  ) throws {
    #expect(try Self.vector("edit-a", clauses, .family).weight == weight)
    let all = try Self.vector("edit-a", clauses, .contract).weight
    #expect(all == (weight == .recommended ? .recommended : .required))
  }

  @Test func aContractFailureDecidesAtGradeContractAlone() throws {
    let passing = try Fixtures.passing()
    let lenient = RunSummary(try Self.report([[Self.contract]], .family, [passing]))
    #expect(lenient.conclusion == .conformant)
    #expect(lenient.total.contractOnly == 1 && lenient.total.requiredFailures == 0)
    #expect(lenient.offers.first?.grade == .conformant)
    let strict = RunSummary(try Self.report([[Self.contract]], .contract, [passing]))
    #expect(strict.conclusion == .notConformant(reasons: ["1 vector failed"]))
    #expect(strict.total.contractOnly == 0)
    let family = RunSummary(try Self.report([[Self.family]], .family, [passing]))
    #expect(family.conclusion == .notConformant(reasons: ["1 vector failed"]))
  }

  @Test func failuresOfTheOtherGradeAreNamedAndCounted() throws {
    let report = try Self.report([[Self.contract], [Self.contract]], .family)
    let text = TerminalReport(report).text
    #expect(text.contains("FAIL (contract) edit-0  core/tree.json\n"), "\(text)")
    #expect(
      text.contains(
        "CONTRACT 2 vectors failed, required by grade contract and not by grade family:\n"
          + "  edit-0, edit-1\n"), "\(text)")
    #expect(
      text.hasSuffix(
        "\nconformant (grade family): 2 vectors failed (required by grade contract only)\n"),
      "\(text)")
  }

  @Test(arguments: ReportFormat.allCases) func everyReportTellsTheGradesApart(
    _ format: ReportFormat
  ) throws {
    let text = format.text(of: try Self.report([[Self.contract]], .family))
    switch format {
    case .html:
      #expect(text.contains("grade family; 1 vector failed (required by grade contract only)"))
    case .jsonl:
      #expect(text.contains(#""grade":"family""#))
      #expect(text.contains(#""required":false,"weight":"contractOnly""#))
      #expect(text.contains(#""contractOnly":1"#))
    case .junit:
      #expect(text.contains(#"failures="0" errors="0" skipped="1""#))
      #expect(text.contains("required by grade contract alone: "))
    case .markdown:
      #expect(text.contains("(grade family): 1 vector failed (required by grade contract only)"))
      #expect(text.contains("0 failed, 1 failed at grade contract alone, 0 deviate"))
    case .tap: #expect(text.contains("not ok 1 - edit-0 # TODO required by grade contract alone"))
    case .badgeSVG, .badgeJSON: #expect(text.contains("conformant · family · core 0/1"))
    }
  }

  /// Only a required failure ends a run that fails fast.
  @Test func failingFastWaitsForARequiredFailure() throws {
    let vectors = [
      try Self.vector("edit-a", [Self.contract], .family),
      try Self.vector("edit-b", [Self.family], .family),
      try Self.vector("edit-c", [Self.family], .family),
    ]
    let corpus = Corpus(
      clauses: [], vectors: vectors, integrity: .released, grade: .family)
    let queue = RunQueue(corpus, failsFast: true)
    Runner(FakeDatastore(.noConflicts)).work(on: queue)
    let report = queue.report(on: FakeDatastore().description)
    #expect(report.results.map(\.vector.id) == ["edit-a", "edit-b"])
  }

  // MARK: Evidence

  private static func read(_ more: String) throws -> Clause {
    try Clause(
      try JSONValue.parse(
        """
        {"id": "TREE-001", "level": "MUST", \(more), "text": "t", "source": "s", "status": "agreed"}
        """), path: "clause")
  }

  @Test func evidenceIsReadBack() throws {
    let clause = try Self.read(
      #""binds": "family", "keptBy": ["CouchDB 3.5.0"], "neededBy": ["POST /db/_bulk_docs"]"#)
    #expect(clause.binds == .family(Self.evidence))
    #expect(try Clause(clause.json, path: "") == clause)
  }

  @Test(arguments: [
    (#""binds": "family""#, "clause.keptBy: missing member"),
    (#""binds": "family", "keptBy": ["CouchDB 3.5.0"]"#, "clause.neededBy: missing member"),
    (
      #""binds": "family", "keptBy": [], "neededBy": ["PUT /db/id"]"#,
      "clause.keptBy: required for a clause that binds the family"
    ),
    (
      #""binds": "family", "keptBy": ["CouchDB 3.5.0"], "neededBy": []"#,
      "clause.neededBy: required for a clause that binds the family"
    ),
    (
      #""binds": "family", "keptBy": ["CouchDB"], "neededBy": ["PUT /db/id"]"#,
      "clause.keptBy[0]: expected a product with its version"
    ),
    (#""binds": "everyone""#, "clause.binds: 'everyone' is not one of family, contract, layer"),
  ])
  func aClauseBindsTheFamilyOnlyWithEvidence(_ members: String, _ problem: String) throws {
    let error = #expect(throws: DecodingFailure.self) { try Self.read(members) }
    #expect(error.map { "\($0.path): \($0.message)" } == problem)
  }

  @Test func evidenceOfAnotherBindingIsRejected() throws {
    let error = #expect(throws: DecodingFailure.self) {
      try Self.read(#""binds": "contract", "keptBy": ["CouchDB 3.5.0"]"#)
    }
    #expect(error?.path == "clause.keptBy")
  }
}

/// Declarations of a store with one kind of revision ids and one winner order.
@Suite struct DefaultsTests {
  private static func description(
    _ defaults: ImplementationDescription.Defaults, _ profiles: Set<Profile> = [.couchdb]
  ) -> ImplementationDescription {
    ImplementationDescription(
      name: "server", version: "1", profiles: profiles, defaults: defaults)
  }

  private static let couchdb = ImplementationDescription.Defaults(
    revisionIDs: .couchdb, collation: .couchdb)

  @Test func aVectorThatNeedsOtherDefaultsIsSkipped() throws {
    let vector = try Fixtures.passing(
      more: #", "needs": {"revisionIDs": ["own"], "collation": ["bytes", "cdt"]}"#)
    #expect(vector.skip(for: Self.description(.init())) == nil)
    let skip = try #require(vector.skip(for: Self.description(Self.couchdb)))
    #expect(
      skip.description
        == "does not apply to default revision ids couchdb, default collation couchdb"
    )
    #expect(skip.isOfAnotherKind)
    let purge = try Fixtures.passing(
      more: #", "capabilities": ["purge"], "needs": {"collation": ["bytes"]}"#)
    #expect(
      purge.skip(for: Self.description(Self.couchdb))?.description
        == "capability purge not offered; does not apply to default collation couchdb")
    #expect(purge.skip(for: Self.description(Self.couchdb))?.isOfAnotherKind == false)
  }

  @Test func suchASkipLeavesNothingOut() throws {
    let vectors = [
      try Fixtures.passing("tree-a"),
      try Fixtures.passing("tree-b", more: #", "needs": {"collation": ["bytes"]}"#),
    ]
    let description = Self.description(Self.couchdb)
    let results = vectors.map { vector in
      RunReport.Result(
        vector: vector, verdict: vector.skip(for: description).map { .skipped($0) } ?? .pass)
    }
    let report = RunReport(
      implementation: description, corpus: Fixtures.corpus(vectors), results: results)
    #expect(RunSummary(report).conclusion == .conformant)
    #expect(RunSummary(report).offers.first?.grade == .conformant)
    #expect(RunSummary(report).offers.first?.phrase == "core 1/2 (1 skipped)")
  }

  /// Without this check any store could decline core vectors.
  @Test func defaultsNeedTheProfileThatPromisesThem() {
    #expect(Self.description(Self.couchdb).declarationFaults.isEmpty)
    #expect(
      Self.description(Self.couchdb, []).declarationFaults == [
        "the declared default revisionIDs couchdb needs the profile couchdb, which is not declared",
        "the declared default collation couchdb needs the profile couchdb, which is not declared",
      ])
    #expect(
      Self.description(.init(revisionIDs: .cdtDigest, collation: .cdt)).declarationFaults == [
        "the declared default revisionIDs cdt-digest needs the profile cdt-digest, "
          + "which is not declared",
        "the declared default collation cdt needs the profile cdt-collation, which is not declared",
      ])
  }

  @Test(arguments: [
    (#"{}"#, "needs: expected revisionIDs, collation or a limit"),
    (#"{"collation": []}"#, "needs.collation: expected one or more"),
    (#"{"collation": ["a"]}"#, "needs.collation[0]: 'a' is not one of bytes, couchdb, cdt"),
  ])
  func needsAreChecked(_ needs: String, _ problem: String) {
    let error = #expect(throws: DecodingFailure.self) {
      try Vector(
        try JSONValue.parse(
          """
          {"id": "a-b", "clauses": ["TREE-001"], "profile": "core", "needs": \(needs), "note": "n",
           "steps": []}
          """))
    }
    #expect(error.map { "\($0.path): \($0.message)" } == problem)
  }
}
