import CSQLite
import Foundation
import Storage
import Testing

@Suite struct DiskStorageTests {
  /// Calls `body` with the path of a folder that does not exist yet, and removes it afterwards.
  private func withFolder(_ body: (String) throws -> Void) rethrows {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  @Test func aMissingFolderIsMade() throws {
    try withFolder { folder in
      let storage = try DiskStorage(directory: folder)
      #expect(try storage.fileNames() == [])
      #expect(!storage.isReadOnly)
      #expect(try DiskStorage(directory: folder).fileNames() == [])
    }
  }

  @Test func aMissingParentIsNotMade() {
    withFolder { folder in
      let error = #expect(throws: StorageError.self) {
        try DiskStorage(directory: folder + "/below")
      }
      #expect(error?.kind == .noFolder)
      #expect(error?.fileName == folder + "/below")
    }
  }

  @Test func aFileIsNoFolder() {
    withFolder { path in
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      let error = #expect(throws: StorageError.self) { try DiskStorage(directory: path) }
      #expect(error?.kind == .noFolder)
    }
  }

  @Test func filesAreListedAndDeleted() throws {
    try withFolder { folder in
      let storage = try DiskStorage(directory: folder)
      VFSConnection("b.db", in: storage).run("CREATE TABLE t (x)")
      VFSConnection("a.db", in: storage).run("CREATE TABLE t (x)")
      try FileManager.default.createDirectory(
        atPath: folder + "/folder", withIntermediateDirectories: false)
      #expect(try storage.fileNames() == ["a.db", "b.db"])
      for _ in 0..<2 { try storage.delete("a.db") }
      try storage.syncDirectory()
      #expect(try !storage.exists("a.db"))
      #expect(try storage.exists("b.db"))
      let error = #expect(throws: StorageError.self) { try storage.delete("folder") }
      #expect(error?.step == "delete" && error?.fileName == "folder")
      #expect(error?.reason.isEmpty == false)
    }
  }

  @Test func sizesAreThoseOfTheFiles() throws {
    try withFolder { folder in
      for storage: any Storage in [try DiskStorage(directory: folder), MemoryStorage()] {
        #expect(try storage.size(of: "a.db") == nil)
        try storage.create("a.db")
        #expect(try storage.size(of: "a.db") == 0)
        VFSConnection("a.db", in: storage).run("PRAGMA page_size = 1024; CREATE TABLE t (x)")
        #expect(try storage.size(of: "a.db") == 2048)
        try storage.delete("a.db")
        #expect(try storage.size(of: "a.db") == nil)
      }
      #expect(throws: StorageError.self) {
        try DiskStorage(directory: folder).size(of: String(repeating: "x", count: 999))
      }
    }
  }

  @Test func creatingLeavesWhatIsThere() throws {
    try withFolder { folder in
      for storage: any Storage in [try DiskStorage(directory: folder), MemoryStorage()] {
        try storage.create("a.db")
        #expect(try storage.fileNames() == ["a.db"])
        VFSConnection("a.db", in: storage).run("CREATE TABLE t (x)")
        try storage.create("a.db")
        #expect(VFSConnection("a.db", in: storage).value("SELECT count(*) FROM t") == "0")
      }
    }
  }

  @Test func aFolderThatWentAwayIsAnError() throws {
    try withFolder { folder in
      let storage = try DiskStorage(directory: folder)
      try FileManager.default.removeItem(atPath: folder)
      #expect(throws: StorageError.self) { try storage.fileNames() }
      let error = #expect(throws: StorageError.self) { try storage.create("a.db") }
      #expect(error?.kind == .noFolder)
      #expect(throws: StorageError.self) { try storage.syncDirectory() }
    }
  }
}
