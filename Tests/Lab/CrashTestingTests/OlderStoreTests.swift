import Datastore
import JSON
import Replication
import SQLiteDatastore
import Storage
import Testing

@testable import CrashTesting

/// Stores written by programs of earlier versions.
@Suite struct OlderStoreTests {
  private func world(_ older: OlderStore) throws -> CrashWorld {
    let storage = MemoryStorage()
    let store = SQLiteDatastore(storage: storage)
    let world = try CrashWorld(
      CrashWorld.Beginning(
        record: CrashRecord(of: store.description), seed: 1, inlineBytesMax: nil), on: storage,
      store)
    try older.install(in: world)
    try world.take(.closed)
    return world
  }

  /// The number at offset 60 of the header of a database: its `user_version`.
  private func version(_ world: CrashWorld) throws -> UInt8 {
    let bytes = try #require((world.storage as? MemoryStorage)?["notes.sqlite"])
    return bytes[63]
  }

  @Test(
    arguments: [
      (OlderStore.version5, 5), (.version4, 4), (.version3, 3), (.version2, 2),
    ] as [(OlderStore, UInt8)])
  func oneIsOpenedUpgradedAndWhole(older: OlderStore, number: UInt8) throws {
    let world = try world(older)
    #expect(try version(world) == number)
    #expect(try world.perform(.open()).result != nil)
    #expect(try world.inspect() == nil)
    try world.shutDown()
    #expect(try version(world) == 6)
    #expect(world.finding == nil)
  }

  @Test(arguments: [OlderStore.version5, .version4, .version3, .version2])
  func itsSessionsGoOnFromTheirCheckpoints(older: OlderStore) throws {
    let world = try world(older)
    var beginnings: [UpdateSequence?] = []
    world.onEvent = { event in
      switch event {
      case .begun(let operation):
        if case .changes(let since, _) = operation.action { beginnings.append(since) }
      case .elsewhere(.changes(let since, _)): beginnings.append(since)
      default: break
      }
    }
    try world.perform(.open())
    for isPull in [false, true] {
      let (state, report) = try world.replicate(isPull: isPull)
      #expect(state == .complete)
      // One document was written after the last session of each side.
      #expect(report.processed == 1)
    }
    #expect(beginnings.count == 2)
    #expect(beginnings.allSatisfy { $0 != nil })
    #expect(world.finding == nil)
  }

  /// Version 5 stores no order of attachments: reads order them by name, later writes store their
  /// order.
  @Test func attachmentsOfVersion5ComeByTheirNames() throws {
    let world = try world(OlderStore.version5)
    func names() throws -> [JSONString]? {
      guard case .ok(.document(let document)) = try world.perform(.read(id: "p")) else {
        return nil
      }
      return document.attachments.map { $0.name }
    }
    try world.perform(.open())
    #expect(try names() == ["a", "b", "z"])
    let stubs = ["z", "b", "a"].map { RevisionAttachment($0, .stub) }
    try world.take(CrashStep.edit("p", [:], stubs))
    #expect(try names() == ["z", "b", "a"])
    #expect(world.finding == nil)
  }

  /// The long bodies stay in their table, and are removed with their revisions.
  @Test func longBodiesOfVersion5AreKept() throws {
    let world = try world(OlderStore.version5)
    try world.perform(.open())
    guard case .ok(.document(let document)) = try world.perform(.read(id: "l")) else {
      Issue.record("'l' cannot be read")
      return
    }
    #expect(document.body.objectValue?["n"] == 9)
    #expect(document.body.serializedBytes().count > 800)
    try world.perform(.compact)
    #expect(try world.inspect() == nil)
    #expect(world.finding == nil)
  }

  @Test func aLogThatWasLeftHasEverything() throws {
    let world = try world(OlderStore.version5.withLogLeft)
    let storage = try #require(world.storage as? MemoryStorage)
    #expect(storage["notes.sqlite-wal"]?.isEmpty == false)
    #expect(storage.unsyncedChanges == [])
    try world.perform(.open())
    #expect(try world.inspect() == nil)
  }
}

extension OlderStore: CustomTestStringConvertible {
  public var testDescription: String { "version \(version)" }
}
