import Datastore
import JSON
import ObjectMapping
import ReferenceDatastore
import Testing

/// Saves over a datastore without batches that fails in between.
struct SavesInPartsTests {
  /// A datastore without batches, whose writes fail from some point on.
  final class Failing: ImplementationUnderTest {
    let inner = ReferenceDatastore()
    /// The number of writes that still succeed; nil for all.
    var writesLeft: Int?
    /// The capabilities of the datastore, with or without batches.
    let capabilities: Set<Capability>

    init(offering capabilities: Set<Capability> = []) { self.capabilities = capabilities }

    var description: ImplementationDescription {
      var description = inner.description
      description.capabilities = capabilities
      return description
    }

    func reset() { inner.reset() }
    func crash(_ kind: CrashKind) { inner.crash(kind) }
    func shutdown() { inner.shutdown() }

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      switch operation.action {
      case .create, .update, .delete, .batch:
        if let left = writesLeft {
          guard left > 0 else { return .error(DatastoreError(.storage(.full), "no room")) }
          writesLeft = left - 1
        }
      default: break
      }
      return inner.perform(operation, environment)
    }
  }

  static let model: @Sendable () throws -> ManagedObjectModel = {
    try ManagedObjectModel([
      EntityDescription("E", attributes: [AttributeDescription("n", .int16)])
    ])
  }

  static func open(
    _ datastore: Failing, _ model: ManagedObjectModel? = nil, migrates: Bool = false
  ) throws -> IncrementalStore {
    let coordinator = StoreCoordinator(
      try model ?? Self.model(), types: StoreTypeRegistry(registersAutomatically: true),
      host: ObjectHost(datastore, RunEnvironment(seed: 1)))
    let store = try coordinator.addStore(
      type: IncrementalStore.type, url: "file:///db",
      options: IncrementalStoreOptions(migratesAutomatically: migrates))
    return try #require(store as? IncrementalStore)
  }

  static func object(_ id: ObjectID, _ number: Int64) -> ManagedObject {
    ManagedObject(id, of: "E", ["n": .attribute(.integer(number))])
  }

  /// The error lists exactly the writes that were performed.
  @Test func theErrorListsWhatWasWritten() throws {
    let datastore = Failing()
    let store = try Self.open(datastore)
    #expect(!store.isAtomic)
    try store.save(SaveRequest(inserted: [Self.object("old", 1), Self.object("gone", 1)]))
    datastore.writesLeft = 2
    let update = SaveRequest.Update(Self.object("old", 2), changed: ["n"])
    do {
      try store.save(
        SaveRequest(
          inserted: [Self.object("a", 1)], updated: [update], deleted: ["gone"]))
      Issue.record("expected the disk to be full")
    } catch {
      #expect(error.written == ["a", "old"])
      #expect(error.description.hasSuffix("written nevertheless: a, old"))
      guard case .datastore("gone", let refusal) = error.reason else { throw error }
      #expect(refusal.kind == .storage(.full))
    }
    datastore.writesLeft = nil
    let objects = try store.objects(of: "E")
    #expect(objects.map { $0.id } == ["a", "gone", "old"])
    #expect(objects.last?.properties["n"] == .attribute(.integer(2)))
  }

  /// The error names the index of the first write, too.
  @Test func theErrorNamesTheWriteThatFailed() throws {
    let datastore = Failing()
    let store = try Self.open(datastore)
    for (place, ids) in [["a", "b"], ["c", "d"]].enumerated() {
      datastore.writesLeft = place
      do throws(StoreError) {
        try store.save(SaveRequest(inserted: ids.map { Self.object(ObjectID(JSONString($0)), 1) }))
        Issue.record("expected the disk to be full")
      } catch {
        guard case .datastore(_, let refusal) = error.reason else { throw error as any Error }
        #expect(refusal.write == Int64(place) && error.written.count == place)
      }
    }
  }

  /// An object that cannot be encoded is detected before anything is written.
  @Test func nothingIsWrittenOfWhatCannotBeEncoded() throws {
    let store = try Self.open(Failing())
    do {
      try store.save(SaveRequest(inserted: [Self.object("a", 1), Self.object("b", 99_999)]))
      Issue.record("expected 99999 to be out of range for int16")
    } catch {
      #expect(error.written.isEmpty)
      guard case .mapping("b", let fault) = error.reason else { throw error }
      #expect(fault.kind == .outOfRange && fault.property == "n")
    }
    #expect(try store.objects(of: "E").isEmpty)
  }

  /// With batches, a failed save has no effect.
  @Test func aBatchIsAllOrNothing() throws {
    let datastore = Failing(offering: [.atomicBatch])
    let store = try Self.open(datastore)
    datastore.writesLeft = 0
    do {
      try store.save(SaveRequest(inserted: [Self.object("a", 1), Self.object("b", 1)]))
      Issue.record("expected the disk to be full")
    } catch {
      #expect(error.written.isEmpty)
    }
    datastore.writesLeft = nil
    #expect(try store.objects(of: "E").isEmpty)
  }

  /// A migration that is interrupted anywhere is repeated when the store is opened again.
  @Test(arguments: 0...4) func aMigrationIsResumed(afterWrites count: Int) throws {
    let datastore = Failing()
    let store = try Self.open(datastore)
    let ids: [ObjectID] = ["a", "b", "c"]
    try store.save(SaveRequest(inserted: ids.map { Self.object($0, 7) }))
    let later = try ManagedObjectModel([
      EntityDescription(
        "E",
        attributes: [
          AttributeDescription("number", .int16, renamedFrom: "n"),
          AttributeDescription("new", .utf8, defaultValue: .text("x")),
        ])
    ])
    datastore.writesLeft = count
    // Three objects and the metadata document.
    if count < 4 {
      #expect(throws: StoreError.self) { try Self.open(datastore, later, migrates: true) }
    }
    datastore.writesLeft = nil
    let migrated = try Self.open(datastore, later, migrates: true)
    for id in ids {
      #expect(
        try migrated.object(id).properties
          == ["number": .attribute(.integer(7)), "new": .attribute(.text("x"))])
    }
    // The later model is stored, so the store opens without a migration.
    _ = try Self.open(datastore, later)
  }

  /// Two attributes that swap their names keep their values, if the datastore has atomic batches.
  @Test func namesAreSwapped() throws {
    func model(_ isSwapped: Bool) throws -> ManagedObjectModel {
      try ManagedObjectModel([
        EntityDescription(
          "E",
          attributes: [
            AttributeDescription("a", .double, renamedFrom: isSwapped ? "b" : nil),
            AttributeDescription("b", .double, renamedFrom: isSwapped ? "a" : nil),
          ] + (isSwapped ? [AttributeDescription("c", .utf8)] : []))
      ])
    }
    for capabilities in [[], [.atomicBatch]] as [Set<Capability>] {
      let datastore = Failing(offering: capabilities)
      let store = try Self.open(datastore, try model(false))
      try store.save(
        SaveRequest(inserted: [
          ManagedObject(
            "x", of: "E", ["a": .attribute(.double(1)), "b": .attribute(.double(-0.0))])
        ]))
      guard store.isAtomic else {
        // Half of it, repeated, would swap the names back.
        #expect(throws: StoreError.self) {
          try Self.open(datastore, try model(true), migrates: true)
        }
        continue
      }
      let swapped = try Self.open(datastore, try model(true), migrates: true)
      #expect(
        try swapped.object("x").properties
          == ["a": .attribute(.double(-0.0)), "b": .attribute(.double(1))])
    }
  }
}
