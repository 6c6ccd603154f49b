import Foundation
import Storage
import Testing

/// Files that are not databases behave alike on a disk and in memory, including power loss.
@Suite struct FileTests {
  private func withStorages(_ body: (any Storage) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(try DiskStorage(directory: folder.path))
    try body(MemoryStorage())
  }

  private func write(_ text: String, at offset: Int, to file: any StorageFile) throws {
    try Array(text.utf8).withUnsafeBytes { try file.write($0, at: offset) }
  }

  private func text(_ file: any StorageFile, at offset: Int = 0, count: Int = 100) throws -> String
  {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try bytes.withUnsafeMutableBytes { try file.read(at: offset, into: $0) }
    return String(decoding: bytes.prefix(read), as: UTF8.self)
  }

  @Test func aFileIsReadAndWrittenInPieces() throws {
    try withStorages { storage in
      #expect(try storage.open("a.part", .reading) == nil)
      #expect(try storage.open("a.part", .changing) == nil)
      let file = try #require(try storage.open("a.part", .replacing))
      try write("hello", at: 0, to: file)
      try write(" world", at: 5, to: file)
      try file.sync()
      #expect(try text(file, at: 4, count: 3) == "o w")
      #expect(try text(file, at: 9, count: 3) == "ld")
      #expect(try text(file, at: 99) == "")
      try file.truncate(to: 5)
      #expect(try storage.size(of: "a.part") == 5)
      let other = try #require(try storage.open("a.part", .changing))
      try write("J", at: 0, to: other)
      #expect(try text(try #require(try storage.open("a.part", .reading))) == "Jello")
      _ = try storage.open("a.part", .replacing)
      #expect(try storage.size(of: "a.part") == 0)
    }
  }

  @Test func aNewNameTakesThePlaceOfTheOldOne() throws {
    try withStorages { storage in
      for (name, text) in [("a.part", "new"), ("a.blob", "old")] {
        try write(text, at: 0, to: try #require(try storage.open(name, .replacing)))
      }
      try storage.rename("a.part", to: "a.blob")
      #expect(try storage.fileNames() == ["a.blob"])
      #expect(try text(try #require(try storage.open("a.blob", .reading))) == "new")
      #expect(throws: StorageError.self) { try storage.rename("a.part", to: "a.blob") }
      try storage.syncDirectory()
    }
  }

  @Test func aRenamingIsLostAsAWhole() throws {
    let storage = MemoryStorage()
    storage["a.blob"] = Array("old".utf8)
    let file = try #require(try storage.open("a.part", .replacing))
    try write("new", at: 0, to: file)
    try file.sync()
    try storage.syncDirectory()
    try storage.rename("a.part", to: "a.blob")
    let changes = storage.unsyncedChanges
    #expect(changes.map { $0.step } == [StorageStep(.rename, .blob, ordinal: 1)])
    for isKept in [true, false] {
      let copy = storage.copy()
      copy.restart(after: PowerLoss(others: isKept ? .kept : .dropped))
      #expect(try copy.fileNames() == (isKept ? ["a.blob"] : ["a.blob", "a.part"]))
      #expect(copy["a.blob"] == Array((isKept ? "new" : "old").utf8))
    }
    // The name became durable before the contents.
    let early = MemoryStorage()
    try write("new", at: 0, to: try #require(try early.open("a.part", .replacing)))
    try early.rename("a.part", to: "a.blob")
    try early.syncDirectory()
    early.restart(after: PowerLoss())
    #expect(early["a.blob"] == [])
  }

  @Test func stepsFailAndAreCounted() throws {
    let storage = MemoryStorage()
    let kinds: [StorageStep.Kind] = [.create, .write, .read, .sync, .truncate, .rename, .open]
    func perform() throws {
      let file = try #require(try storage.open("a.part", .replacing))
      try write("a", at: 0, to: file)
      _ = try text(file)
      try file.sync()
      try file.truncate(to: 0)
      try storage.rename("a.part", to: "b.blob")
      _ = try storage.open("b.blob", .reading)
      try storage.delete("b.blob")
    }
    try perform()
    for kind in kinds {
      #expect(storage.counts[kind, .blob] == 1, "\(kind)")
      storage.plan = FaultPlan([StorageFault(.io, kind, role: .blob, ordinals: 2...2)])
      let copy = storage.copy()
      copy.plan = storage.plan
      #expect(throws: StorageError.self) {
        let file = try #require(try copy.open("a.part", .replacing))
        try write("a", at: 0, to: file)
        _ = try text(file)
        try file.sync()
        try file.truncate(to: 0)
        try copy.rename("a.part", to: "b.blob")
        _ = try copy.open("b.blob", .reading)
      }
    }
    storage.plan = FaultPlan()
    storage.capacityBytes = 10
    let file = try #require(try storage.open("a.part", .replacing))
    try write("0123456789", at: 0, to: file)
    let error = #expect(throws: StorageError.self) { try write("0", at: 10, to: file) }
    #expect(error?.kind == .full)
    // Replacing another file frees its space.
    try storage.rename("a.part", to: "b.blob")
    storage.capacityBytes = 15
    try write("01234", at: 0, to: try #require(try storage.open("a.part", .replacing)))
    try storage.rename("a.part", to: "b.blob")
    try write("0123456789", at: 0, to: try #require(try storage.open("a.part", .replacing)))
  }

  @Test func onlyOrdinaryFilesAreRead() throws {
    for path in ["/", "/dev/null", "/nothing/there"] {
      #expect(throws: StorageError.self) { try HostFile(path: path) }
    }
  }
}
