import Conformance
import Datastore
import Defects
import Diagnosis
import JSON
import ObjectOperations
import ReferenceDatastore
import Scenarios
import Testing

struct ProductFileTests {
  static let names = [
    "couchdb-3.5", "couchdb-3.5-cluster", "pouchdb-9", "cdtdatastore-2.1",
  ]

  static func product(_ name: String) throws -> ProductFile {
    try ProductFile.read("\(try VectorsLocation.find().folder)/products/\(name).json")
  }

  /// The corpus has vectors of all families of operations.
  static func corpus() throws -> Corpus {
    OperationFamily.registerObjects()
    return try Corpus.released()
  }

  @Test(arguments: names)
  func aFileIsReadAndWrittenAgain(name: String) throws {
    let product = try Self.product(name)
    let again = try ProductFile(product.json)
    #expect(again.store == product.store)
    #expect(again.deviations.map(\.id) == product.deviations.map(\.id))
    #expect(product.deviations.allSatisfy { $0.evidence(about: product.store.name) != nil })
  }

  @Test func clausesExist() throws {
    let clauses = Set(try Self.corpus().clauses.map(\.id.description))
    for deviation in Deviation.all {
      #expect(deviation.clauses.allSatisfy { clauses.contains($0) }, "\(deviation.id)")
    }
  }

  @Test(arguments: [
    (#""format": "x""#, "format"), (#""version": 2"#, "version"),
    (#""deviations": [{"id": "no-such"}]"#, "unknown deviation 'no-such'"),
    (
      #""deviations": [{"id": "stubs-are-missing"}, {"id": "stubs-are-missing"}]"#,
      "declared twice"
    ), (#""store": {"name": "", "version": "1"}"#, "expected a name"),
    (#""store": {"name": "s", "version": "1", "hides": true}"#, "hides"),
    (#""more": 1"#, "more"),
  ])
  func aBadFileIsRejected(member: String, message: String) throws {
    let good: JSONObject = [
      "format": "touchstone-product", "version": 1, "store": ["name": "s", "version": "1"],
      "about": "", "deviations": [],
    ]
    #expect(throws: Never.self) { try ProductFile(.object(good)) }
    var bad = good
    for change in try JSONValue.parse("{\(member)}").objectValue?.members ?? [] {
      bad[change.name] = change.value
    }
    let error = #expect(throws: DecodingFailure.self) { try ProductFile(.object(bad)) }
    #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  /// Behind each declared deviation, all remaining steps are followed.
  @Test(arguments: names)
  func theModelOfAProductIsExplained(name: String) throws {
    let product = try Self.product(name)
    let corpus = try Self.corpus()
    let report = Runner(product.makeModel(), explainer: product.explainer).run(corpus)
    let failures = report.results.filter { $0.verdict.name == "fail" }
    let open = failures.filter { $0.knownFailure == nil }
    #expect(open.isEmpty, "\(open.prefix(3).map { "\($0.verdict)" })")
    #expect(failures.count > 30)
    let summary = RunSummary(report)
    #expect(summary.conclusion.name == "explained")
    #expect(summary.conclusion.reasons[0].hasSuffix("declared deviations, 0 unexplained"))
  }

  /// A declared deviation explains its own outcomes only.
  @Test func declarationsHideNothingElse() throws {
    let corpus = try Self.corpus()
    let everything = ProductFile(
      store: ImplementationDescription(name: "s", version: "1"), about: "",
      deviations: Deviation.all)
    // The model passes everything, but a declaration of broken requirements is no conformance.
    let clean = Runner(ReferenceDatastore(), explainer: everything.explainer).run(corpus)
    #expect(RunSummary(clean).conclusion.name == "explained")
    #expect(RunSummary(clean).total.failed == 0)
    for name in [
      "deleted-branch-wins", "long-tombstones-win", "generations-as-text", "losing-leaves-not-sent",
      "differences-cached",
    ] {
      let defect = try #require(Defect.ofDocuments.first { $0.name == name })
      let runner = Runner(
        defect.applied(to: ReferenceDatastore()), explainer: everything.explainer)
      let citing = corpus.graded(.contract).vectors.filter { vector in
        vector.clauses.contains { $0.id.description == defect.clause }
      }
      #expect(citing.contains { !runner.isExplained($0) }, "\(name)")
    }
  }
}
