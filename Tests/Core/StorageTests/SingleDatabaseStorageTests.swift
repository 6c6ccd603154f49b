import Foundation
import Storage
import Testing

@Suite struct SingleDatabaseStorageTests {
  /// Calls `body` with the path of a new folder, and removes it afterwards.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  /// The names of the files of a folder.
  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func itsFilesHaveTheNameOfTheDatabase() throws {
    try withFolder { folder in
      for other in ["Other.db", "Book.db2", "Book.dbx-wal", "B"] {
        #expect(FileManager.default.createFile(atPath: "\(folder)/\(other)", contents: nil))
      }
      let storage = try SingleDatabaseStorage(path: "\(folder)/Book.db", as: "main.sqlite")
      #expect(try storage.fileNames() == [])
      VFSConnection("main.sqlite", in: storage).run("CREATE TABLE t (x)")
      try storage.create("main.sqlite-new-1.part")
      try storage.rename("main.sqlite-new-1.part", to: "main.sqlite-a.blob")
      try storage.syncDirectory()
      #expect(try storage.fileNames() == ["main.sqlite", "main.sqlite-a.blob"])
      #expect(
        try names(folder) == [
          "B", "Book.db", "Book.db-a.blob", "Book.db2", "Book.dbx-wal", "Other.db",
        ])
      let size = try storage.size(of: "main.sqlite") ?? 0
      #expect(size > 0)
      #expect(storage.path(of: "main.sqlite-wal") == "\(folder)/Book.db-wal")
      let file = try #require(try storage.open("main.sqlite-a.blob", .reading))
      var buffer = [UInt8](repeating: 1, count: 4)
      let count = try buffer.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
      #expect(count == 0)
      for name in try storage.fileNames() { try storage.delete(name) }
      #expect(try names(folder) == ["B", "Book.db2", "Book.dbx-wal", "Other.db"])
    }
  }

  @Test func onlyAFileInAnExistingFolderIsAccepted() throws {
    try withFolder { folder in
      for path in [folder, folder + "/", folder + "/below/Book.db", "", "a\0b"] {
        let error = #expect(throws: StorageError.self) {
          try SingleDatabaseStorage(path: path, as: "main.sqlite")
        }
        #expect(error?.kind == .noFolder)
        #expect(error?.fileName == path)
      }
      let left = try names(folder)
      #expect(left == [])
    }
  }

  @Test func aPathWithoutFolderIsInTheCurrentOne() throws {
    let name = UUID().uuidString + ".db"
    let storage = try SingleDatabaseStorage(path: name, as: "main.sqlite")
    try storage.create("main.sqlite")
    #expect(FileManager.default.fileExists(atPath: name))
    try storage.delete("main.sqlite")
    #expect(!FileManager.default.fileExists(atPath: name))
  }
}
