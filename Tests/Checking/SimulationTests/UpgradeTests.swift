import Datastore
import JSON
import SQLiteDatastore
import Scenarios
import Storage
import TestSeeds
import Testing

@testable import Simulation

/// Two versions of a store on the same files, in memory.
@Suite struct UpgradeTests {
  private static let description = SQLiteDatastore(storage: MemoryStorage()).description

  private func upgrade(
    old: ImplementationDescription = description, new: ImplementationDescription = description,
    stepCount: Int = 20, goesBack: Bool = false,
    _ opening: @escaping MemoryFiles.Opening = { _, store in store }
  ) throws -> Upgrade {
    try Upgrade(
      Upgrade.Descriptions(old: old, new: new), stepCount: stepCount, goesBack: goesBack
    ) { _ in MemoryFiles(opening) }
  }

  private func disagreement(_ upgrade: Upgrade, seeds: ClosedRange<UInt64>) throws -> Upgrade
    .Disagreement?
  {
    for seed in seeds {
      if case .disagreed(let found) = try upgrade.run(seed: seed) {
        return try upgrade.shrunk(found)
      }
    }
    return nil
  }

  @Test(arguments: [false, true])
  func theSameVersionAgrees(goesBack: Bool) throws {
    let found = try disagreement(upgrade(goesBack: goesBack), seeds: RotatingSeeds.next(20))
    #expect(found == nil)
  }

  /// The version is killed in some cases and stopped in others, and the cases of both kinds have
  /// the end that `end(seed:of:)` states.
  @Test func bothEndsOccur() throws {
    var ends: [UpgradeEnd] = []
    // Both ends must occur, which they do under these seeds.
    for seed in 1...10 as ClosedRange<UInt64> {
      var made: MemoryFiles?
      let upgrade = try Upgrade(
        Upgrade.Descriptions(old: Self.description, new: Self.description), stepCount: 1
      ) { _ in
        let files = MemoryFiles { _, store in store }
        made = files
        return files
      }
      _ = try upgrade.run(seed: seed)
      ends.append(upgrade.end(seed: seed, of: .before))
      #expect(made?.ends == [upgrade.end(seed: seed, of: .before), .stop])
    }
    #expect(Set(ends) == [.kill, .stop])
  }

  /// A version that does not declare that it survives a kill is not killed.
  @Test func aVersionWithoutKillsIsStopped() throws {
    var old = Self.description
    old.crashes = []
    let upgrade = try upgrade(old: old)
    #expect(RotatingSeeds.next(20).allSatisfy { upgrade.end(seed: $0, of: .before) == .stop })
  }

  /// The old version returns to files in which the new one has lost a document, and only then.
  @Test func theReturnIsChecked() throws {
    func opening(_ start: Int, _ store: any ImplementationUnderTest) -> any ImplementationUnderTest
    {
      start == 2 ? WithoutLocalDocuments(store) : store
    }
    #expect(try disagreement(upgrade(opening), seeds: RotatingSeeds.next(20)) == nil)
    // The loss must be found, which it is under these seeds.
    let found = try #require(
      try disagreement(upgrade(goesBack: true, opening), seeds: 1...20))
    #expect(found.phase == .back)
    #expect(found.reported.sentence.string.hasPrefix("after the return to the old version, "))
  }

  /// The shrunk case has one operation in each phase besides the opening, and the seed repeats it.
  @Test func aDisagreementIsShrunk() throws {
    let upgrade = try upgrade { start, store in start == 1 ? WithoutLocalDocuments(store) : store }
    let found = try #require(try disagreement(upgrade, seeds: 1...80))
    #expect(found.phase == .after)
    let names = found.steps.map { "\($0.phase.rawValue) \($0.operation.action.name)" }
    // The write is `writeLocal`, or a batch of it.
    #expect(names.count == 4 && found.steps.prefix(2).allSatisfy { $0.phase == .before })
    #expect(names.suffix(2) == ["after open", "after readLocal"])
    guard case .disagreed(let again) = try upgrade.run(seed: found.seed) else {
      Issue.record("seed \(found.seed) agrees")
      return
    }
    #expect(again.phase == .after)
  }

  /// The new version starts with all stores closed.
  @Test func storesAreClosedAfterTheUpgrade() throws {
    let operations = [
      PhasedOperation(phase: .before, operation: StoreOperation("a", .open())),
      PhasedOperation(phase: .after, operation: StoreOperation("a", .read(id: "d"))),
    ]
    #expect(try upgrade().run(seed: 1, operations: operations) == .agreed(operations: 2))
  }

  @Test func aVersionThatDoesNotStartIsADisagreement() throws {
    let upgrade = try upgrade { start, store throws(HarnessError) in
      guard start == 1 else { return store }
      throw HarnessError("the files have version 7; expected 6")
    }
    let found = try #require(try disagreement(upgrade, seeds: 1...1))
    #expect(found.failure == .start("the files have version 7; expected 6"))
    #expect(found.phase == .after && !found.isOfStep && found.files == "memory")
  }

  /// A version that starts on no files at all gives no verdict about the files.
  @Test func aVersionThatNeverStartsIsAHarnessError() throws {
    var starts = 0
    let upgrade = try upgrade { start, store throws(HarnessError) in
      starts += 1
      guard starts > 1 else { return store }
      throw HarnessError("no memory")
    }
    #expect(throws: HarnessError("no memory")) { try upgrade.run(seed: 1) }
  }

  /// A full disk proves nothing about the new version.
  @Test func aFullDiskIsAHarnessError() throws {
    let upgrade = try upgrade { start, store in
      start == 1 ? Answering(store) { _ in .error(DatastoreError(.storage(.full), "full")) } : store
    }
    let error = #expect(throws: HarnessError.self) { try upgrade.run(seed: 1) }
    #expect(error?.message.hasPrefix("after the upgrade: ") == true, "\(String(describing: error))")
  }

  /// A death of the old version is reported in its own phase.
  @Test func anOldVersionThatDies() throws {
    let upgrade = try upgrade { start, store in
      Answering(store) { operation throws(HarnessError) in
        guard start == 0, operation.action.name == "insertRevisions" else { return nil }
        throw HarnessError("exit code 7", breakdown: .init(shape: "exit 7"))
      }
    }
    let found = try #require(try disagreement(upgrade, seeds: 1...5))
    #expect(found.phase == .before && found.answer == "no outcome: exit code 7")
    #expect(found.steps.map(\.operation.action.name) == ["open", "insertRevisions"])
  }

  @Test func otherDefaultsAreRejected() throws {
    var new = Self.description
    new.defaults = .init(revisionIDs: .couchdb, collation: .couchdb)
    let error = #expect(throws: HarnessError.self) { try upgrade(new: new) }
    #expect(error?.message.contains("different defaults of open") == true)
  }

  /// Operations of a capability that one version lacks are not sent to the old version.
  @Test func capabilitiesThatOneVersionLacks() throws {
    var new = Self.description
    new.capabilities.remove(.purge)
    new.capabilities.remove(.find)
    #expect(
      Upgrade.Descriptions(old: Self.description, new: new).dropped == [.purge, .find])
    let upgrade = try upgrade(new: new) { _, store in
      Answering(store) { operation throws(HarnessError) in
        guard operation.action.name == "purge" else { return nil }
        throw HarnessError("purge was sent")
      }
    }
    #expect(try disagreement(upgrade, seeds: RotatingSeeds.next(20)) == nil)
  }
}

/// Files in memory, whose versions are SQLite stores in wrappers.
private final class MemoryFiles: UpgradeFiles {
  /// Wraps the store of a start, counted from 0.
  typealias Opening = (Int, any ImplementationUnderTest) throws(HarnessError) ->
    any ImplementationUnderTest

  private let storage = MemoryStorage()
  private let opening: Opening
  private var store: SQLiteDatastore?
  private var starts = 0
  private(set) var ends: [UpgradeEnd] = []

  init(_ opening: @escaping Opening) { self.opening = opening }

  func start(_ version: UpgradeVersion) throws(HarnessError) -> any ImplementationUnderTest {
    let store = SQLiteDatastore(storage: storage)
    self.store = store
    defer { starts += 1 }
    return try opening(starts, store)
  }

  func end(_ end: UpgradeEnd) throws(HarnessError) {
    ends.append(end)
    switch end {
    case .stop: try store?.shutdown()
    case .kill: try store?.crash(.kill)
    }
    store = nil
  }

  func keep() -> String? { "memory" }
}

/// A store that returns given outcomes for some operations.
private final class Answering: ImplementationLayer {
  let base: any ImplementationUnderTest
  private let answer: (StoreOperation) throws(HarnessError) -> Outcome?

  init(
    _ base: any ImplementationUnderTest,
    _ answer: @escaping (StoreOperation) throws(HarnessError) -> Outcome?
  ) {
    (self.base, self.answer) = (base, answer)
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    if let outcome = try answer(operation) { return outcome }
    return try base.perform(operation, environment)
  }
}

/// A version that loses the local documents of each store when it opens it for the first time.
private final class WithoutLocalDocuments: ImplementationLayer {
  let base: any ImplementationUnderTest
  private var opened: Set<StoreName> = []
  private let ids: [DocumentID] = ["d", "e", "é", "e\u{301}", "\u{ff5e}", "\u{1f600}", "d/1", " "]

  init(_ base: any ImplementationUnderTest) { self.base = base }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    let outcome = try base.perform(operation, environment)
    guard case .open = operation.action, outcome == .ok(.done),
      opened.insert(operation.store).inserted
    else { return outcome }
    for id in ids {
      _ = try base.perform(
        StoreOperation(operation.store, .writeLocal(id: id, body: nil)), environment)
    }
    return outcome
  }
}
