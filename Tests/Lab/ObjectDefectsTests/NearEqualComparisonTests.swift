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

  /// Each careless comparison of attachments is found within 200 seeds, without a known digest.
  @Test(
    arguments: [
      "ids-without-types", "ids-of-lower-case-types", "ids-without-parameters",
      "ids-of-composed-names", "ids-of-lengths", "ids-of-short-digests", "ids-without-encodings",
      "ids-of-compressed-contents",
    ])
  func attachmentsAreFound(name: String) throws {
    var differential = Self.differential(try Self.defect(name))
    for seed: UInt64 in 1...200 {
      guard let finding = try differential.report(ofSeed: seed).failures.first?.finding else {
        continue
      }
      #expect(finding.oracle == "contents")
      #expect(finding.shape == "attachments")
      return
    }
    Issue.record("not found")
  }

  @Test func theModelAgrees() throws {
    for seed: UInt64 in 1...60 {
      if case .disagreed = try Self.differential(nil).run(seed: seed) {
        Issue.record("seed \(seed)")
      }
    }
  }
}
