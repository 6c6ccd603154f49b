import Conformance
import Datastore
import Defects
import JSON
import ObjectDefects
import ReferenceDatastore
import Scenarios
import Simulation
import Testing

/// `compare` finds revision ids that do not cover all of an edit in stores with ids of their own,
/// where no digest can be checked.
struct NearEqualComparisonTests {
  /// A store without profiles.
  private final class OwnIDs: ImplementationLayer {
    let base: any ImplementationUnderTest

    init(_ base: any ImplementationUnderTest) { self.base = base }

    var description: ImplementationDescription {
      var description = base.description
      description.profiles = [.exactNumbers]
      return description
    }

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome { try base.perform(operation, environment) }

    func shutdown() throws(HarnessError) { try base.shutdown() }
  }

  private static func defect(_ name: String) throws -> Defect {
    try #require(Defect.all.first { $0.name == name })
  }

  private static func differential(_ defect: Defect?) -> Differential {
    Differential { () throws(HarnessError) in
      OwnIDs(defect?.applied(to: ReferenceDatastore()) ?? ReferenceDatastore())
    }
  }

  /// The disagreement is a vector that the mutant fails and the model passes.
  @Test(arguments: [("ids-of-low-bytes", 290)] as [(String, UInt64)])
  func isFound(name: String, seed: UInt64) throws {
    let defect = try Self.defect(name)
    var differential = Self.differential(defect)
    #expect(try differential.report(ofSeed: seed).failures.first?.finding.oracle == "contents")
    let disagreement = try #require(try differential.shrunk(seed: seed))
    #expect(disagreement.finding != nil)
    #expect(disagreement.steps.count <= 6)
    let vector = try disagreement.vector()
    let corpus = Corpus(
      clauses: [], vectors: [CorpusVector(vector, clauses: [], file: "found.json")])
    let killed = Runner(defect.applied(to: ReferenceDatastore())).run(corpus)
    let passed = Runner(ReferenceDatastore()).run(corpus)
    #expect(killed.results.allSatisfy { !$0.verdict.isPass })
    #expect(passed.results.allSatisfy { $0.verdict.isPass })
  }

  @Test func theModelAgrees() throws {
    for seed: UInt64 in 1...60 {
      if case .disagreed = try Self.differential(nil).run(seed: seed) {
        Issue.record("seed \(seed)")
      }
    }
  }
}
