import Datastore
import Foundation
import JSON
import SQLiteDatastore
import Storage
import Testing

/// The datastore on a real folder, with other processes.
@Suite struct DiskTests {
  private func withFolder(_ body: (String) throws -> Void) rethrows {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private func perform(
    _ datastore: SQLiteDatastore, _ action: StoreAction
  ) throws -> Outcome {
    let environment = RunEnvironment(seed: 1)
    return try datastore.perform(StoreOperation("notes", action), environment)
  }

  @Test func whatIsAcknowledgedIsInTheFolder() throws {
    try withFolder { folder in
      let datastore = SQLiteDatastore(storage: try DiskStorage(directory: folder))
      #expect(try perform(datastore, .open()) == .ok(.done))
      _ = try perform(datastore, .create(id: "d", body: ["n": 1]))
      let info = try perform(datastore, .info)
      try datastore.crash(.kill)
      #expect(FileManager.default.fileExists(atPath: folder + "/notes.sqlite-wal"))
      let next = SQLiteDatastore(storage: try DiskStorage(directory: folder))
      _ = try perform(next, .open())
      #expect(try perform(next, .info) == info)
      expectInvariants(in: try DiskStorage(directory: folder))
      try next.shutdown()
      #expect(try DiskStorage(directory: folder).fileNames() == ["notes.sqlite"])
      try next.reset()
      #expect(try DiskStorage(directory: folder).fileNames() == [])
    }
  }

  @Test(.enabled(if: SQLiteShell.isInstalled))
  func anotherProcessMakesWritersBusyAndReadsPlainJSON() throws {
    try withFolder { folder in
      let datastore = SQLiteDatastore(storage: try DiskStorage(directory: folder))
      _ = try perform(datastore, .open())
      _ = try perform(datastore, .create(id: "d", body: ["price": 19.99, "name": "é"]))
      let shell = try SQLiteShell(folder + "/notes.sqlite")
      #expect(
        shell.run("SELECT substr(CAST(rev AS TEXT), 1, 2) || body FROM revision;")
          == #"1-{"price":19.99,"name":"é"}"#)
      #expect(shell.run("BEGIN IMMEDIATE; SELECT 'held';") == "held")
      #expect(try perform(datastore, .create(id: "e", body: [:])).errorKind == .busy)
      #expect(try perform(datastore, .destroy).errorKind == .busy)
      #expect(try perform(datastore, .read(id: "d")).errorKind == nil)
      #expect(shell.run("ROLLBACK; SELECT 'let go';") == "let go")
      #expect(try perform(datastore, .create(id: "e", body: [:])).errorKind == nil)
      // An open database prevents destruction.
      #expect(try perform(datastore, .destroy).errorKind == .busy)
      shell.quit()
      #expect(try perform(datastore, .destroy).errorKind == nil)
      #expect(try DiskStorage(directory: folder).fileNames() == [])
    }
  }

  @Test func aFolderThatCannotBeWrittenIsReadOnly() throws {
    // The kernel's own file system: no user, not even root, can create a file there.
    let folder = "/sys/kernel"
    guard FileManager.default.fileExists(atPath: folder) else { return }
    let datastore = SQLiteDatastore(storage: try DiskStorage(directory: folder))
    let outcome = try perform(datastore, .open())
    #expect(outcome.errorKind == .storage(.readOnly), "\(outcome)")
  }

  @Test func aFolderThatWentAwayIsAnIOError() throws {
    try withFolder { folder in
      let storage = try DiskStorage(directory: folder)
      try FileManager.default.removeItem(atPath: folder)
      let datastore = SQLiteDatastore(storage: storage)
      let outcome = try perform(datastore, .open())
      #expect(outcome.errorKind == .storage(.io), "\(outcome)")
    }
  }
}

/// The SQLite shell as a separate process.
final class SQLiteShell {
  private static let paths = ["/usr/bin/sqlite3", "/opt/homebrew/bin/sqlite3"]
  private static var path: String? {
    paths.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static var isInstalled: Bool { path != nil }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ database: String) throws {
    process.executableURL = URL(fileURLWithPath: Self.path ?? "")
    process.arguments = ["-batch", database]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { quit() }

  /// Sends statements and returns the line that they print.
  func run(_ statements: String) -> String {
    input.fileHandleForWriting.write(Data((statements + "\n").utf8))
    var line = Data()
    while let byte = try? output.fileHandleForReading.read(upToCount: 1), let first = byte.first,
      first != UInt8(ascii: "\n")
    {
      line.append(first)
    }
    return String(decoding: line, as: UTF8.self)
  }

  func quit() {
    guard process.isRunning else { return }
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
