import Conformance
import Datastore
import JSON
import ObjectOperations
import ReferenceDatastore
import Scenarios
import Simulation
import TestSeeds
import Testing
import Variants

/// Correct stores that differ from the model pass the vectors, the comparison and the simulation.
///
/// Each variant runs a part of the corpus, a different one after each commit.
@Suite struct LegitimateVariantTests {
  private static let corpus = Result {
    ObjectOperationFamilies.register()
    return try Corpus.released()
  }

  /// The number of parts of the corpus.
  private static let parts = 48

  private func variant(_ name: String) throws -> LegitimateVariant {
    try #require(LegitimateVariant.all.first { $0.name == name })
  }

  @Test func thereAreManyVariants() {
    let names = LegitimateVariant.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.count >= 30)
    #expect(LegitimateVariant.all.allSatisfy { $0.sentence.hasSuffix(".") })
  }

  /// Only rules of level SHOULD are waived.
  @Test func waivedRulesAreNoRequirements() throws {
    let clauses = try Self.corpus.get().clauses
    for name in Set(LegitimateVariant.all.flatMap(\.waived)) {
      let clause = try #require(clauses.first { $0.id.description == name })
      #expect(clause.level == .should)
    }
  }

  /// A store that keeps unused content fails the recommendation only, also at the grade contract.
  @Test func aWaivedRuleFailsNoRequirement() throws {
    let corpus = try Self.corpus.get().graded(.contract)
    let store = try variant("unused-content-kept").make()
    let failures = corpus.vectors.filter { vector in
      guard vector.vector.capabilities.contains(.attachment) else { return false }
      if case .fail = vector.verdict(on: store) { return true }
      return false
    }
    #expect(failures.count == 4)
    for vector in failures {
      #expect(vector.weight == .recommended, "\(vector.id)")
      #expect(vector.clauses.contains { $0.id == "ATT-041" }, "\(vector.id)")
    }
  }

  @Test(arguments: LegitimateVariant.all.map(\.name)) func passesTheVectors(name: String) throws {
    let variant = try variant(name)
    let all = try Self.corpus.get().vectors
    let place = LegitimateVariant.all.firstIndex { $0.name == name } ?? 0
    let part = (RotatingSeeds.turn(of: Self.parts) + place) % Self.parts
    let store = ShadowedStore(variant.make())
    for (offset, vector) in all.enumerated() where offset % Self.parts == part {
      let verdict = vector.verdict(on: store)
      let isWaived = vector.clauses.contains { variant.waived.contains($0.id.description) }
      if case .skipped = verdict { continue }
      #expect(
        verdict.isPass || isWaived && vector.weight == .recommended, "\(vector.id): \(verdict)")
    }
    // The vector that shows the difference.
    let telling = try #require(all.first { $0.id.description == variant.telling })
    store.differences = 0
    if case .skipped = telling.verdict(on: store) {
      #expect(store.description.offersLess(than: ReferenceDatastore().description))
    } else {
      #expect(store.differences > 0, "\(telling.id) shows no difference")
    }
  }

  @Test(arguments: LegitimateVariant.all.map(\.name)) func agreesWithTheModel(name: String) throws {
    let variant = try variant(name)
    let differential = Differential { variant.make() }
    let first = RotatingSeeds.first
    for seed in [1, 2, 3, first, first + 1, first + 2] {
      guard case .disagreed(let found) = try differential.run(seed: seed) else { continue }
      Issue.record("seed \(seed): \(try differential.shrunk(found).vector().json.pretty())")
      return
    }
  }

  /// All replicas of a run are of the variant.
  @Test(arguments: LegitimateVariant.all.map(\.name)) func survivesFaults(name: String) throws {
    let variant = try variant(name)
    let description = variant.make().description
    var generator = ScenarioGenerator(capabilities: description.capabilities, crashes: [.kill])
    generator.restrictions = description.restrictions
    generator.operationsPerReplica = 15
    let campaign = Campaign(
      generator, World.Participants(makeStore: { _ in PlainStore(variant.make()) }))
    for seed in [1, RotatingSeeds.first] {
      #expect(try campaign.run(seed: seed).findings == [], "seed \(seed)")
    }
  }
}

extension ImplementationDescription {
  fileprivate func offersLess(than other: ImplementationDescription) -> Bool {
    capabilities.isStrictSubset(of: other.capabilities)
      || profiles.isStrictSubset(of: other.profiles)
      || restrictions.isStrictSuperset(of: other.restrictions)
  }
}

/// A store beside the model, which performs the same operations with the same randomness.
private final class ShadowedStore: ImplementationUnderTest {
  private let store: any ImplementationUnderTest
  private let model = ReferenceDatastore()
  /// The number of operations with another outcome than that of the model.
  var differences = 0

  init(_ store: any ImplementationUnderTest) { self.store = store }

  var description: ImplementationDescription { store.description }

  func reset() throws(HarnessError) {
    try store.reset()
    model.reset()
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    let expected = model.perform(operation, environment.copy())
    let outcome = try store.perform(operation, environment)
    if outcome.json.serialized() != expected.json.serialized() { differences += 1 }
    return outcome
  }

  func crash(_ kind: CrashKind) throws(HarnessError) {
    try store.crash(kind)
    model.crash(kind)
  }

  func shutdown() throws(HarnessError) { try store.shutdown() }
}
