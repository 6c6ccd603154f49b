import Datastore
import SQLiteDatastore
import Simulation
import Storage
import TestSeeds
import Testing

@testable import CrashTesting

/// The bundled store opens the files of earlier versions, and mutants of opening are killed.
@Suite struct OpeningDefectTests {
  private func upgrade(
    _ defect: OpeningDefect?, from recorded: RecordedStore? = nil
  ) throws -> Upgrade {
    let description = SQLiteDatastore(storage: MemoryStorage()).description
    return try Upgrade(
      Upgrade.Descriptions(old: description, new: description), stepCount: 30,
      recorded: try recorded?.steps().map {
        Differential.Step(operation: $0.operation, outcome: $0.outcome)
      } ?? []
    ) { end throws(HarnessError) in try MemoryFiles(defect, recorded, after: end) }
  }

  private func seedOfDisagreement(
    _ upgrade: Upgrade, seeds: ClosedRange<UInt64>
  ) throws -> UInt64? {
    for seed in seeds {
      guard case .disagreed(let found) = try upgrade.run(seed: seed) else { continue }
      #expect(found.phase == .after)
      return seed
    }
    return nil
  }

  @Test(arguments: OpeningDefect.all.map(\.name)) func eachMutantIsKilled(name: String) throws {
    let defect = try #require(OpeningDefect.all.first { $0.name == name })
    #expect(try seedOfDisagreement(upgrade(defect), seeds: 1...60) != nil)
  }

  /// The cases that kill the mutants agree without one, so these seeds do not change either.
  @Test func noMutantAgrees() throws {
    #expect(try seedOfDisagreement(upgrade(nil), seeds: 1...60) == nil)
  }

  @Test(arguments: RecordedStore.all.map(\.version))
  func recordedStoresAreUpgraded(version: Int) throws {
    let store = try #require(RecordedStore.all.first { $0.version == version })
    #expect(try seedOfDisagreement(upgrade(nil, from: store), seeds: RotatingSeeds.next(6)) == nil)
  }

  /// The documents of a recorded store are not among those of a sequence of near-equal edits, which
  /// these seeds have.
  @Test func aRecordedStoreGetsNearEqualEdits() throws {
    let store = try #require(RecordedStore.all.last)
    for seed: UInt64 in [12, 22] {
      #expect(try seedOfDisagreement(upgrade(nil, from: store), seeds: seed...seed) == nil)
    }
  }

  /// The content of a recorded store is checked, not only what is written after its upgrade.
  @Test func aMutantIsKilledOnARecordedStore() throws {
    let store = try #require(RecordedStore.all.last)
    let defect = try #require(
      OpeningDefect.all.first { $0.name == "opening-forgets-local-documents" })
    #expect(try seedOfDisagreement(upgrade(defect, from: store), seeds: 1...1) == 1)
  }

  @Test func namesAreSorted() {
    #expect(OpeningDefect.all.map(\.name) == OpeningDefect.all.map(\.name).sorted())
  }
}

/// Files in memory: the mutant damages them before the new version starts.
private final class MemoryFiles: UpgradeFiles {
  private let storage = MemoryStorage()
  private let defect: OpeningDefect?
  private var store: SQLiteDatastore?

  init(
    _ defect: OpeningDefect?, _ recorded: RecordedStore?, after end: UpgradeEnd
  ) throws(HarnessError) {
    self.defect = defect
    try recorded?.write(to: storage, isLogLeft: end == .kill)
  }

  func start(_ version: UpgradeVersion) throws(HarnessError) -> any ImplementationUnderTest {
    if version == .new { try defect?.damage(storage) }
    let store = SQLiteDatastore(storage: storage)
    self.store = store
    return store
  }

  func end(_ end: UpgradeEnd) throws(HarnessError) {
    switch end {
    case .stop: try store?.shutdown()
    case .kill: try store?.crash(.kill)
    }
    store = nil
  }

  func keep() -> String? { nil }
}
