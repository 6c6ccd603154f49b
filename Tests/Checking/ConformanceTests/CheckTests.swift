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
    #expect(corpus.vectors(offeredBy: FakeDatastore()).map(\.id) == ["tree-core"])
    #expect(
      corpus.vectors(offeredBy: FakeDatastore(capabilities: [.purge])).map(\.id)
        == ["tree-pass", "tree-core"])
  }

  @Test func smallLimitsFailEveryCoreVector() throws {
    let vector = try Fixtures.passing()
    let error = #expect(throws: NonconformanceError.self) {
      try vector.check(FakeDatastore(.smallLimits))
    }
    #expect(error?.message.contains("bodyBytesMax is 1000") == true)
    #expect(vector.verdict(on: FakeDatastore(.smallLimits)) == .pass)
  }
}
