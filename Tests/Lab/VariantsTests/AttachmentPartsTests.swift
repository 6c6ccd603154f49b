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

/// Stores with a part of the capabilities of attachments are tested for exactly this part.
@Suite struct AttachmentPartsTests {
  private static let corpus = Result {
    ObjectOperationFamilies.register()
    return try Corpus.released()
  }

  private static let names = [
    "inline-attachments", "without-attachment-encodings", "without-attachment-pieces",
  ]

  private func variant(_ name: String) throws -> LegitimateVariant {
    try #require(LegitimateVariant.all.first { $0.name == name })
  }

  private static let parts: Set<Capability> = [.attachmentEncoding, .attachmentPieces]

  /// Every vector of the offered part passes, and every other one is skipped.
  @Test(arguments: names) func passesTheVectorsOfItsPart(name: String) throws {
    let store = try variant(name).make()
    let offered = store.description.capabilities
    #expect(offered.contains(.attachment))
    var counts: [Set<Capability>: Int] = [:]
    for vector in try Self.corpus.get().vectors
    where vector.vector.capabilities.contains(.attachment) {
      let needed = Self.parts.intersection(vector.vector.capabilities)
      let verdict = vector.verdict(on: store)
      if case .skipped = verdict { continue }
      #expect(needed.isSubset(of: offered), "\(vector.id)")
      #expect(verdict.isPass, "\(vector.id): \(verdict)")
      counts[needed, default: 0] += 1
    }
    #expect(counts[[], default: 0] >= 180)
    for part in Self.parts.intersection(offered) {
      #expect(counts[[part], default: 0] >= 15, "\(part.rawValue)")
    }
  }

  /// The grade of the capability depends on its own vectors only.
  @Test func itsGradeIsComplete() throws {
    let store = ObjectDatastore(try variant("inline-attachments").make())
    let summary = RunSummary(Runner(store).run(try Self.corpus.get()))
    let grades = [.attachment, .attachmentEncoding, .attachmentPieces].map { capability in
      summary.offers.first { $0.offer == .capability(capability) }?.grade
    }
    #expect(grades == [.conformant, .notOffered, .notOffered])
  }

  /// A sequence has attachments, and no operation that the store does not offer.
  @Test(arguments: names) func agreesWithTheModel(name: String) throws {
    let variant = try variant(name)
    let watched = Watched()
    let differential = Differential { WatchedStore(variant.make(), watched) }
    // All parts must be needed, which they are under the first half of these seeds.
    for seed in Array(1...30) + RotatingSeeds.next(30) {
      guard case .disagreed(let found) = try differential.run(seed: seed) else { continue }
      Issue.record("seed \(seed): \(try differential.shrunk(found).vector().json.pretty())")
      return
    }
    let offered = variant.make().description.capabilities
    #expect(watched.needed.contains(.attachment))
    #expect(watched.needed.intersection(Self.parts) == Self.parts.intersection(offered))
  }

  /// Clients and sessions of a simulation use the offered part only.
  @Test(arguments: names) func survivesFaults(name: String) throws {
    let variant = try variant(name)
    let offered = variant.make().description.capabilities
    var generator = ScenarioGenerator(capabilities: offered, crashes: [.kill])
    generator.operationsPerReplica = 25
    let watched = Watched()
    let campaign = Campaign(
      generator,
      World.Participants(makeStore: { _ in PlainStore(WatchedStore(variant.make(), watched)) }))
    // All parts must be needed, which they are under these seeds.
    for seed in 1...12 as ClosedRange<UInt64> {
      #expect(try campaign.run(seed: seed).findings == [], "seed \(seed)")
    }
    #expect(watched.needed.contains(.attachment))
    #expect(watched.needed.intersection(Self.parts).isSubset(of: offered))
    #expect(watched.needed.contains(.attachmentPieces) == offered.contains(.attachmentPieces))
  }
}

/// The capabilities that performed operations needed.
private final class Watched {
  var needed: Set<Capability> = []
}

/// A store that records the capabilities of its operations.
private final class WatchedStore: ImplementationUnderTest {
  private let store: any ImplementationUnderTest
  private let watched: Watched

  init(_ store: any ImplementationUnderTest, _ watched: Watched) {
    (self.store, self.watched) = (store, watched)
  }

  var description: ImplementationDescription { store.description }

  func reset() throws(HarnessError) { try store.reset() }
  func crash(_ kind: CrashKind) throws(HarnessError) { try store.crash(kind) }
  func shutdown() throws(HarnessError) { try store.shutdown() }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    watched.needed.formUnion(operation.action.capabilities)
    return try store.perform(operation, environment)
  }
}
