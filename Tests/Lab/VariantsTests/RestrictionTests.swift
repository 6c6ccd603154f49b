import Conformance
import Datastore
import JSON
import ObjectOperations
import ReferenceDatastore
import Replication
import Scenarios
import Simulation
import TestSeeds
import Testing

@testable import Variants

/// Stores that cannot perform a part of what they offer: with the declared restriction nothing is
/// reported that they could perform, and without it the missing part is.
@Suite struct RestrictionTests {
  private static let corpus = Result {
    ObjectOperationFamilies.register()
    return try Corpus.released()
  }

  /// The number of parts of the corpus.
  private static let parts = 8

  static let variants: [LegitimateVariant] = LegitimateVariant.all.filter {
    !$0.make().description.restrictions.isEmpty
  }
  static let names = variants.map(\.name)

  private func variant(_ name: String) throws -> LegitimateVariant {
    try #require(Self.variants.first { $0.name == name })
  }

  @Test func everyRestrictionHasAVariant() {
    let declared = Self.variants.flatMap { $0.make().description.restrictions }
    #expect(declared.count == Set(declared).count)
    #expect(Set(declared) == Set(Restriction.allCases))
  }

  /// Every vector that runs passes: a part of them, a different one after each commit. Without the
  /// restriction, the vectors that it prevents fail.
  @Test(arguments: names) func passesTheOtherVectors(name: String) throws {
    let variant = try variant(name)
    let (store, undeclared) = (variant.make(), Undeclared(variant.make()))
    var (prevented, failed, ran) = (0, 0, 0)
    let turn = RotatingSeeds.turn(of: Self.parts)
    for (place, vector) in try Self.corpus.get().vectors.enumerated() {
      if let skip = vector.skip(for: store.description) {
        guard !skip.restrictions.isEmpty else { continue }
        prevented += 1
        if !vector.verdict(on: undeclared).isPass { failed += 1 }
      } else if place % Self.parts == turn {
        ran += 1
        let verdict = vector.verdict(on: store)
        #expect(verdict.isPass, "\(vector.id): \(verdict)")
      }
    }
    #expect(prevented > 0)
    #expect(ran > 100)
    // A checkpoint that does not exist cannot be lost: these vectors pass without a test.
    let failsNone = store.description.restrictions == [.checkpointsOnOneSide]
    #expect((failed == 0) == failsNone, "\(failed) of \(prevented)")
  }

  /// The verdict is neither `conformant` nor a failure.
  @Test func theVerdictNamesTheRestriction() throws {
    let store = try variant("purge-moves-no-row").make()
    let summary = RunSummary(Runner(store).run(try Self.corpus.get()))
    #expect(summary.conclusion == .restricted)
    #expect(summary.offers.first { $0.offer == .capability(.purge) }?.grade == .restricted)
    #expect(summary.offers.first { $0.offer == .capability(.resolve) }?.grade == .conformant)
    #expect(summary.clauses.first { $0.clause.id == "REPL-023" }?.verdict == .notTested)
    #expect(summary.notTested == "6 vectors not tested (purgeMovesNoRow 6)")
  }

  @Test(arguments: names) func agreesWithTheModel(name: String) throws {
    let variant = try variant(name)
    let differential = Differential { variant.make() }
    for seed in 1...100 as ClosedRange<UInt64> {
      guard case .disagreed(let found) = try differential.run(seed: seed) else { continue }
      Issue.record("seed \(seed): \(try differential.shrunk(found).vector().json.pretty())")
      return
    }
  }

  @Test(arguments: names) func survivesFaults(name: String) throws {
    let variant = try variant(name)
    let campaign = Self.campaign { variant.make() }
    for seed in 1...16 as ClosedRange<UInt64> {
      #expect(try campaign.run(seed: seed).findings == [], "seed \(seed)")
    }
  }

  /// Without the restriction, the comparison reports the missing part.
  @Test(arguments: names.filter { $0 != "checkpoints-on-one-side" })
  func disagreesWithoutTheRestriction(name: String) throws {
    let variant = try variant(name)
    let differential = Differential { Undeclared(variant.make()) }
    for seed in 1...100 as ClosedRange<UInt64> {
      if case .disagreed = try differential.run(seed: seed) { return }
    }
    Issue.record("no disagreement in 100 sequences")
  }

  /// Without the restriction, the simulation reports the missing part. It has no queries, and
  /// `restoredStores` has the stores of which only a copy shows a difference.
  @Test(arguments: names.filter { $0 != "find-without-sort" && $0 != "checkpoints-on-one-side" })
  func failsWithoutTheRestriction(name: String) throws {
    let variant = try variant(name)
    let campaign = Self.campaign { Undeclared(variant.make()) }
    for seed in 1...400 as ClosedRange<UInt64> {
      if try campaign.run(seed: seed).findings != [] { return }
    }
    Issue.record("no finding in 400 scenarios")
  }

  /// A target that is restored from a copy lacks what a checkpoint at the source records.
  @Test func restoredStores() throws {
    func failures(_ restrictions: Set<Restriction>) throws -> Int {
      let capabilities = RestoredStore().implementation.description.capabilities
      var generator = ScenarioGenerator(
        capabilities: capabilities.subtracting([.validation]), crashes: [])
      generator.restrictions = restrictions
      generator.operationsPerReplica = 25
      let campaign = Campaign(
        generator, World.Participants(makeStore: { _ in RestoredStore() }))
      return try (1...60 as ClosedRange<UInt64>).count {
        try !campaign.run(seed: $0).findings.isEmpty
      }
    }
    #expect(try failures([.checkpointsOnOneSide]) == 0)
    #expect(try failures([]) > 0)
  }

  private static func campaign(_ make: @escaping () -> any ImplementationUnderTest) -> Campaign {
    let description = make().description
    // The harness cannot observe a write that a store rejects from its own replicator.
    let capabilities =
      description.capabilities.contains(.replicate)
      ? description.capabilities.subtracting([.validation]) : description.capabilities
    var generator = ScenarioGenerator(capabilities: capabilities, crashes: [.kill])
    generator.restrictions = description.restrictions
    generator.profiles = description.profiles
    generator.operationsPerReplica = 25
    return Campaign(generator, World.Participants(makeStore: { _ in PlainStore(make()) }))
  }
}

/// The model with a replicator that writes checkpoints at the source only, and with copies.
private final class RestoredStore: SimulatedStore {
  private let model = ReferenceDatastore()
  let implementation: any ImplementationUnderTest
  private var saved: ReferenceDatastore.Snapshot?

  init() {
    implementation = ReplicatingDatastore(model, makeMachine: { OneSidedReplicator($0) })
  }

  func copy() -> Bool {
    saved = model.snapshot
    return true
  }

  func restore() -> Bool {
    guard let saved else { return false }
    model.restore(saved)
    return true
  }
}

/// A store that does not declare its restrictions.
private final class Undeclared: ImplementationLayer {
  let base: any ImplementationUnderTest

  init(_ base: any ImplementationUnderTest) { self.base = base }

  var description: ImplementationDescription {
    var description = base.description
    description.restrictions = []
    return description
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    try base.perform(operation, environment)
  }
}
