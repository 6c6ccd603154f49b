import Datastore
import JSON
import ReferenceDatastore
import Scenarios
import Testing

@testable import Generation

struct SequenceTests {
  static let cases: [SequenceCase] = {
    var explorer = SequenceExplorer(lengthMax: 3)
    explorer.explore()
    return explorer.cases
  }()

  @Test func everyOperationIsThere() {
    let names = Set(Self.cases.map { $0.after.operations.last?.action.name })
    #expect(
      names == ["create", "update", "delete", "insertRevisions", "resolve", "purge", "compact"])
    let ids = Self.cases.map { $0.after.names.joined(separator: "-") }
    #expect(Set(ids).count == ids.count)
    #expect(ids.contains("create"))
    #expect(ids.contains("create-create"))
    #expect(!ids.contains("create-create-create"))
  }

  @Test func madeIDsAreVariables() throws {
    for found in Self.cases {
      let vector = try SequenceVectors(scope: 3).vector(found)
      for rev in found.after.made {
        #expect(!vector.json.serialized().contains(rev.text.string), "\(vector.id)")
      }
      #expect(vector.findings().isEmpty)
    }
  }

  /// Another digest orders the ids differently; no expectation may depend on that order.
  @Test func nothingDependsOnTheOrderOfMadeIDs() throws {
    for found in Self.cases {
      let vector = try SequenceVectors(scope: 3).vector(found)
      for profile in [RevisionIDProfile.own, .couchdb] {
        let store = ReferenceDatastore()
        let environment = RunEnvironment(seed: 1)
        _ = store.perform(StoreOperation("a", .open(revisionIDs: profile)), environment)
        var bindings = Bindings()
        for step in vector.steps {
          let outcome = store.perform(
            try (try #require(step.template)).operation(bindings), environment)
          guard case .match(let bound) = step.effectiveExpectation.match(outcome, bindings) else {
            Issue.record("\(vector.id) under \(profile): \(step.json) \(outcome)")
            break
          }
          bindings = bound
        }
      }
    }
  }
}
