import Datastore
import Digest
import Foundation
import JSON
import Storage
import Testing

@testable import SQLiteDatastore

/// Content from files of the host, and content that is larger than the memory used for it.
@Suite struct HostFileTests {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func file(_ path: String, digest: JSONString? = nil, length: Int64? = nil) -> StoreAction
  {
    .create(
      id: "d", body: [:],
      attachments: [
        RevisionAttachment("a", .file(JSONString(path)), digest: digest, length: length)
      ])
  }

  @Test func aFileIsCopied() throws {
    try withFolder { folder in
      let bench = Bench(readsFiles: true)
      let path = folder.appending(path: "x").path
      let content = String(repeating: "content ", count: 20_000)
      try content.write(toFile: path, atomically: false, encoding: .utf8)
      #expect(bench.failure(file(path, digest: digest("other"))) == .badAttachment)
      #expect(bench.failure(file(path, length: 3)) == .badAttachment)
      _ = try bench.write(file(path, digest: digest(content), length: Int64(content.count)))
      try FileManager.default.removeItem(atPath: path)
      #expect(try bench.content("a") == content)
      #expect(try bench.attachments().first?.content == .stub)
      // Already stored: not stored twice.
      try content.write(toFile: path, atomically: false, encoding: .utf8)
      _ = try bench.write(
        .create(id: "e", body: [:], attachments: [RevisionAttachment("b", .file(JSONString(path)))])
      )
      #expect(try bench.storage.fileNames().filter { $0.hasSuffix(".part") } == [])
      #expect(try bench.content("b", "e") == content)
      expectInvariants(in: bench.storage)
    }
  }

  @Test func whatIsNoReadableFile() throws {
    try withFolder { folder in
      let bench = Bench(readsFiles: true)
      for path in ["", "x", "./x", "\(folder.path)/missing", folder.path, "/dev/zero", "/a\u{0}"] {
        #expect(bench.failure(file(path)) == .badAttachment, "\(path)")
      }
      #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
      #expect(bench.failure(file("\(folder.path)/pipe")) == .badAttachment)
      let names = try bench.storage.fileNames()
      #expect(!names.contains { $0.hasSuffix(".part") })
    }
  }

  /// Only the program that opens the store can permit reading files.
  @Test func withoutPermissionNoFileIsRead() throws {
    try withFolder { folder in
      let path = folder.appending(path: "x").path
      try "secret".write(toFile: path, atomically: false, encoding: .utf8)
      let bench = Bench()
      let rev = try bench.write(.create(id: "r", body: [:]))
      let attachments = [RevisionAttachment("a", .file(JSONString(path)))]
      for action in [
        file(path), file("\(folder.path)/missing"),
        .update(id: "r", rev: rev, body: [:], attachments: attachments),
        .resolve(id: "r", leaves: [rev], keep: rev, body: [:], attachments: attachments),
        .batch([.writeLocal(id: "l", body: [:]), file(path)]),
      ] {
        #expect(bench.failure(action) == .unsupported(what: "file"), "\(action.name)")
      }
      let batch = StoreAction.batch([.writeLocal(id: "l", body: [:]), file(path)])
      let error = try #require(bench.perform(batch).error)
      #expect(error.write == 1)
      let names = try bench.storage.fileNames()
      #expect(!names.contains { $0.hasSuffix(".blob") || $0.hasSuffix(".part") })
    }
  }

  /// A record comes from another replica, whose files are not on this machine.
  @Test(arguments: [true, false]) func aRecordNeverNamesAFile(readsFiles: Bool) throws {
    try withFolder { folder in
      let path = folder.appending(path: "x").path
      try "secret".write(toFile: path, atomically: false, encoding: .utf8)
      let bench = Bench(readsFiles: readsFiles)
      let attachments = [RevisionAttachment("a", .file(JSONString(path)))]
      let records = [
        RevisionRecord(id: "d", path: ["1-a"], body: [:], attachments: attachments),
        RevisionRecord(id: "d", path: ["1-b"], body: [:]),
      ]
      guard case .ok(.inserted(let results)) = bench.perform(.insertRevisions(records)) else {
        Issue.record("the complete call failed")
        return
      }
      #expect(results.map { $0?.kind } == [.unsupported(what: "file"), nil])
      #expect(bench.leaves("d") == ["1-b"])
    }
  }

  /// All reads and writes are limited to one chunk, however large the content is.
  @Test func largeContentGoesThroughInPieces() throws {
    try withFolder { folder in
      let storage = MeteredStorage(try DiskStorage(directory: folder.path))
      let datastore = SQLiteDatastore(storage: storage, readsFiles: true)
      let environment = RunEnvironment(seed: 1)
      func perform(_ action: StoreAction) throws -> Outcome {
        try datastore.perform(StoreOperation("notes", action), environment)
      }
      #expect(try perform(.open()) == .ok(.done))
      let count = 64 << 20
      let (path, digest) = try largeFile(folder, count)
      #expect(try perform(file(path)).errorKind == nil)
      #expect(storage.bytesWritten == count)
      // The same in chunks, into a store without the content.
      _ = try perform(.destroy)
      _ = try perform(.open())
      let source = try HostFile(path: path)
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
      defer { piece.deallocate() }
      for offset in stride(from: 0, to: count, by: piece.count) {
        let read = try source.read(at: offset, into: piece)
        let bytes = Base64.encode(UnsafeRawBufferPointer(rebasing: piece[..<read]))
        let put = StoreAction.putBlob(digest: digest, offset: Int64(offset), bytes: bytes)
        #expect(try perform(put) == .ok(.held(Int64(offset + read))))
      }
      let attachment = RevisionAttachment("a", .chunks, digest: digest, length: Int64(count))
      let create = StoreAction.create(id: "d", body: [:], attachments: [attachment])
      #expect(try perform(create).errorKind == nil)
      #expect(storage.largestPiece == BlobFiles.pieceBytes)
      let read = StoreAction.readAttachment(id: "d", name: "a", offset: Int64(count) - 5)
      guard case .ok(.attachment(let piece)) = try perform(read) else {
        Issue.record("not read")
        return
      }
      #expect(Base64.decode(piece.bytes)?.count == 5)
    }
  }

  /// A file of a given size, and its digest.
  private func largeFile(_ folder: URL, _ count: Int) throws -> (String, JSONString) {
    let path = folder.appending(path: "large").path
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    var witness = DigestStream(.sha256)
    for number in 0..<(count >> 20) {
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1 << 20)
      witness.update(bytes)
      try handle.write(contentsOf: Data(bytes))
    }
    try handle.close()
    return (path, BlobDigest(bytes: witness.finish()).text)
  }
}

/// A storage that records the sizes of reads and writes of the store's own files.
private final class MeteredStorage: Storage {
  private let base: any Storage
  fileprivate(set) var largestPiece = 0
  fileprivate(set) var bytesWritten = 0

  init(_ base: any Storage) { self.base = base }

  var vfsName: String? { base.vfsName }
  var isReadOnly: Bool { base.isReadOnly }
  func path(of fileName: String) -> String { base.path(of: fileName) }
  func fileNames() throws(StorageError) -> [String] { try base.fileNames() }
  func size(of fileName: String) throws(StorageError) -> Int? { try base.size(of: fileName) }
  func create(_ fileName: String) throws(StorageError) { try base.create(fileName) }
  func delete(_ fileName: String) throws(StorageError) { try base.delete(fileName) }
  func syncDirectory() throws(StorageError) { try base.syncDirectory() }

  func rename(_ fileName: String, to newName: String) throws(StorageError) {
    try base.rename(fileName, to: newName)
  }

  func open(
    _ fileName: String, _ access: FileAccess
  ) throws(StorageError) -> (any StorageFile)? {
    guard let file = try base.open(fileName, access) else { return nil }
    return MeteredFile(file, self)
  }

  private final class MeteredFile: StorageFile {
    let base: any StorageFile
    let storage: MeteredStorage

    init(_ base: any StorageFile, _ storage: MeteredStorage) {
      self.base = base
      self.storage = storage
    }

    func read(
      at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(StorageError) -> Int {
      storage.largestPiece = max(storage.largestPiece, buffer.count)
      return try base.read(at: offset, into: buffer)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
      storage.largestPiece = max(storage.largestPiece, bytes.count)
      storage.bytesWritten += bytes.count
      try base.write(bytes, at: offset)
    }

    func truncate(to size: Int) throws(StorageError) { try base.truncate(to: size) }
    func sync() throws(StorageError) { try base.sync() }
  }
}

extension Outcome {
  fileprivate var error: DatastoreError? { if case .error(let error) = self { error } else { nil } }
}
