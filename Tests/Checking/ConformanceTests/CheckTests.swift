import Datastore
import Testing

@testable import Conformance

@Suite struct CheckTests {
  @Test func passesQuietly() throws {
    try Fixtures.conflicting().check(FakeDatastore())
  }

  @Test func throwsTheWitness() throws {
    let vector = try Fixtures.conflicting()
    let error = #expect(throws: NonconformanceError.self) {
      try vector.check(FakeDatastore(.noConflicts))
    }
    let message = try #require(error?.description)
    #expect(message.contains("EDIT-001 MUST Only a leaf can be edited."))
    #expect(message.contains("step 3"))
  }

  @Test func aSkipIsNoPass() throws {
    let vector = try Fixtures.passing(more: #", "capabilities": ["purge"]"#)
    #expect(throws: NonconformanceError.self) { try vector.check(FakeDatastore()) }
    let corpus = Fixtures.corpus([vector, try Fixtures.passing("tree-core")])
    #expect(try corpus.vectors(offeredBy: FakeDatastore(), matching: []).map(\.id) == ["tree-core"])
    let purging = FakeDatastore(capabilities: [.purge])
    #expect(
      try corpus.vectors(offeredBy: purging, matching: []).map(\.id) == ["tree-pass", "tree-core"])
    #expect(
      try corpus.vectors(offeredBy: purging, matching: ["*-core"]).map(\.id) == ["tree-core"])
  }

  @Test func smallLimitsFailEveryCoreVector() throws {
    let vector = try Fixtures.passing()
    let error = #expect(throws: NonconformanceError.self) {
      try vector.check(FakeDatastore(.smallLimits))
    }
    #expect(error?.message.contains("bodyBytesMax is 1000") == true)
    #expect(vector.verdict(on: FakeDatastore(.smallLimits)) == .pass)
  }

  @Test(
    arguments: [
      ("zzz-*", "TOUCHSTONE_FILTER: no vector matches 'zzz-*'"),
      ("tree-core,\tzzz", "TOUCHSTONE_FILTER: no vector matches 'zzz'"),
      (
        "tree-pass",
        "TOUCHSTONE_FILTER: fake can run none of the 1 selected vector: capability purge not offered"
      ),
    ])
  func aFilterWithoutVectorsIsAnError(_ filter: String, _ text: String) throws {
    let corpus = try Self.corpus()
    let error = #expect(throws: SelectionError.self) {
      try corpus.selection(
        matching: nil, offeredBy: FakeDatastore().description, filter: filter)
    }
    #expect(error?.description == text)
  }

  @Test func theFilterAppliesUnlessGlobsAreGiven() throws {
    let corpus = try Self.corpus()
    let fake = FakeDatastore().description
    #expect(
      try corpus.selection(matching: nil, offeredBy: fake, filter: " tree-core, TREE-*\n").globs
        == ["tree-core", "TREE-*"])
    #expect(
      try corpus.selection(matching: ["TREE-*"], offeredBy: fake, filter: "zzz").globs
        == ["TREE-*"])
    #expect(try corpus.selection(matching: nil, offeredBy: fake, filter: nil) == .all)
    #expect(throws: SelectionError(source: nil, reason: "no vector matches 'zzz'")) {
      try corpus.vectors(offeredBy: FakeDatastore(), matching: ["zzz"])
    }
  }

  @Test func aWholeRunIsOneError() throws {
    let corpus = Fixtures.corpus([try Fixtures.passing(), try Fixtures.conflicting()])
    let report = try corpus.check(FakeDatastore(), matching: [])
    #expect(report.results.count == 2)
    let error = try #require(
      #expect(throws: CorpusCheckError.self) {
        try corpus.check(FakeDatastore(.noConflicts), matching: [])
      })
    let text = error.description
    #expect(text.contains("\nFAIL edit-stale"), "\(text)")
    #expect(text.contains("again   TOUCHSTONE_FILTER=edit-stale swift test\n"), "\(text)")
    #expect(text.hasSuffix("not conformant (grade contract): 1 vector failed\n"), "\(text)")
    // A selection that passes is not an error, though it proves no conformance.
    #expect(
      try corpus.check(FakeDatastore(.noConflicts), matching: ["tree-pass"]).results.count == 1)
    #expect(throws: CorpusCheckError.self) {
      try corpus.check(FakeDatastore(.harnessError("create")), matching: [])
    }
  }

  private static func corpus() throws -> Corpus {
    Fixtures.corpus([
      try Fixtures.passing(more: #", "capabilities": ["purge"]"#),
      try Fixtures.passing("tree-core"),
    ])
  }
}
