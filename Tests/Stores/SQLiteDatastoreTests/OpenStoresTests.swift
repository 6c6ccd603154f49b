import Datastore
import JSON
import Storage
import Testing

@testable import SQLiteDatastore

/// More stores than the limit of open ones.
@Suite struct OpenStoresTests {
  @Test func whatIsOpenIsNotAffectedByOneTooMany() throws {
    let bench = Bench(opens: false)
    bench.datastore.openStoresMax = 3
    let names: [StoreName] = ["a", "b", "c"]
    for name in names {
      #expect(bench.perform(.open(), on: name) == .ok(.done))
      #expect(bench.perform(.create(id: "d", body: [:]), on: name).errorKind == nil)
    }
    #expect(bench.perform(.open(), on: "d").errorKind == .tooLarge(limit: 3))
    #expect(bench.perform(.info, on: "d").errorKind == .noSuchStore)
    // Already open: does not count again.
    #expect(bench.perform(.open(), on: "b") == .ok(.done))
    for name in names { #expect(bench.perform(.read(id: "d"), on: name).errorKind == nil) }
    #expect(bench.perform(.close, on: "a") == .ok(.done))
    #expect(bench.perform(.open(), on: "d") == .ok(.done))
    #expect(bench.perform(.open(), on: "a").errorKind == .tooLarge(limit: 3))
    #expect(bench.perform(.destroy, on: "d") == .ok(.done))
    #expect(bench.perform(.open(), on: "a") == .ok(.done))
    #expect(bench.perform(.read(id: "d"), on: "a").errorKind == nil)
  }

  @Test func aFolderWithANULIsNotAnotherFolder() {
    let error = #expect(throws: StorageError.self) { try DiskStorage(directory: "/tmp\u{0}/x") }
    #expect(error?.kind == .noFolder)
    #expect(throws: StorageError.self) { try HostFile(path: "/etc/hosts\u{0}x") }
  }
}
