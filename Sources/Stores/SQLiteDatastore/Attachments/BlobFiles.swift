internal import Datastore
internal import Digest
internal import Storage

/// The files beside a database that contain the contents of attachments.
///
/// Their names are those of `BlobName`. The tables `blob` and `upload` list the files in use: a
/// file without a row is a leftover and is removed later. So files are created before their rows
/// and removed after them. A process creates or removes files only while it has the write lock, so
/// no two processes do this at the same time.
final class BlobFiles {
  /// The number of bytes read or written at a time: the memory that a large attachment needs.
  static let pieceBytes = 65_536

  /// The files created since the last `begin`; removed if the transaction is rolled back.
  private(set) var made: [String] = []
  /// The files to remove after the transaction is committed.
  var superseded: [String] = []
  /// Whether the operation found a file missing or too short.
  var hasMissed = false

  private let storage: any Storage
  private let readings = ContentReadings()
  private let prefix: String
  private var newCount = 0
  private var isSynced = true

  init(of fileName: String, in storage: any Storage) {
    self.storage = storage
    prefix = BlobName.prefix(of: fileName)
  }

  // MARK: Transactions

  /// Starts a transaction without created files.
  func begin() {
    made = []
    superseded = []
    hasMissed = false
    isSynced = true
  }

  /// Makes the names of all files durable that were created since `begin`.
  func syncNames() throws(DatastoreError) {
    if isSynced { return }
    do throws(StorageError) { try storage.syncDirectory() } catch { throw DatastoreError(error) }
    isSynced = true
  }

  // MARK: Names

  func name(of digest: BlobDigest) -> String { "\(prefix)\(digest.bytes.hexadecimal).blob" }

  func name(of upload: Upload) -> String {
    "\(prefix)\(upload.digest.bytes.hexadecimal)-\(upload.number).part"
  }

  /// All files of the store, with their kinds.
  func all() throws(DatastoreError) -> [(fileName: String, kind: BlobName.Kind)] {
    let names: [String]
    do throws(StorageError) { names = try storage.fileNames() } catch {
      throw DatastoreError(error)
    }
    return names.compactMap { fileName in
      guard fileName.hasPrefix(prefix), let name = BlobName(fileName), name.prefix == prefix
      else { return nil }
      return (fileName, name.kind)
    }
  }

  // MARK: Files

  func size(of fileName: String) throws(DatastoreError) -> Int64? {
    do throws(StorageError) { return try storage.size(of: fileName).map { Int64($0) } } catch {
      throw DatastoreError(error)
    }
  }

  func remove(_ fileName: String) throws(DatastoreError) {
    do throws(StorageError) { try storage.delete(fileName) } catch { throw DatastoreError(error) }
  }

  func rename(_ fileName: String, to newName: String) throws(DatastoreError) {
    isSynced = false
    do throws(StorageError) { try storage.rename(fileName, to: newName) } catch {
      throw DatastoreError(error)
    }
  }

  /// Writes content to the file of its digest.
  func write(_ bytes: [UInt8], _ digest: BlobDigest) throws(DatastoreError) {
    let part = newName()
    do throws(StorageError) {
      let file = try make(part)
      try append(bytes, to: file, at: 0)
      try file.sync()
    } catch {
      throw DatastoreError(error)
    }
    try settle(part, as: digest)
  }

  /// Renames a temporary file to its final name.
  func settle(_ part: String, as digest: BlobDigest) throws(DatastoreError) {
    let name = name(of: digest)
    try rename(part, to: name)
    made.removeAll { $0 == part }
    made.append(name)
  }

  /// Copies a source to its end into a new temporary file.
  func copy(
    seenBy witness: inout ContentWitness,
    _ read: (Int, UnsafeMutableRawBufferPointer) throws(DatastoreError) -> Int
  ) throws(DatastoreError) -> String {
    let part = newName()
    let sizeMax = Limits.attachmentBytesMax
    let buffer = PieceBuffer()
    let file: any StorageFile
    do throws(StorageError) { file = try make(part) } catch { throw DatastoreError(error) }
    while true {
      let offset = Int(witness.size)
      let piece = buffer.prefix(try read(offset, buffer.bytes))
      guard witness.size + Int64(piece.count) <= sizeMax else {
        throw DatastoreError(.tooLarge(limit: sizeMax), "the content exceeds \(sizeMax) bytes")
      }
      witness.see(piece)
      do throws(StorageError) {
        if !piece.isEmpty { try file.write(piece, at: offset) } else { try file.sync() }
      } catch {
        throw DatastoreError(error)
      }
      if piece.isEmpty { return part }
    }
  }

  /// Reads the first `size` bytes of a file into a witness; returns false if the file is shorter.
  func show(
    _ fileName: String, size: Int64, to witness: inout ContentWitness
  ) throws(DatastoreError) -> Bool {
    try forEachPiece(of: fileName, size: size) { witness.see($0) }
  }

  private func forEachPiece(
    of fileName: String, size: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(DatastoreError) -> Bool {
    guard let file = try open(fileName) else { return false }
    let buffer = PieceBuffer()
    var offset: Int64 = 0
    while offset < size {
      let count = min(size - offset, Int64(Self.pieceBytes))
      do throws(StorageError) {
        let piece = buffer.prefix(
          try file.read(
            at: Int(offset),
            into: UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<Int(count)])))
        if piece.isEmpty { return false }
        body(piece)
        offset += Int64(piece.count)
      } catch {
        throw DatastoreError(error)
      }
    }
    return true
  }

  /// Bytes of a file from an offset on; fewer than requested only at its end, nil without a file.
  func read(_ fileName: String, at offset: Int64, count: Int) throws(DatastoreError) -> [UInt8]? {
    guard let file = try open(fileName) else { return nil }
    var failure: StorageError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, used in
      do throws(StorageError) {
        used = try file.read(at: Int(offset), into: UnsafeMutableRawBufferPointer(target))
      } catch {
        failure = error
      }
    }
    if let failure { throw DatastoreError(failure) }
    return bytes
  }

  /// Whether the bytes of a chunk belong to content of a digest, as far as known.
  ///
  /// Only the chunk that reaches the end can decide; for earlier chunks the result is true. If all
  /// chunks were read in order, their digest is available; otherwise the complete file is read
  /// again.
  func verify(
    _ piece: [UInt8], at offset: Int64, of digest: BlobDigest, size: Int64
  ) throws(DatastoreError) -> Bool {
    let isEnd = offset + Int64(piece.count) == size
    if offset == 0, isEnd { return DigestAlgorithm.sha256.digest(of: piece) == digest.bytes }
    if let sum = readings.update(digest, piece, at: offset, isEnd: isEnd) {
      return sum == digest.bytes
    }
    guard isEnd else { return true }
    let reading = ContentReading()
    let isWhole = try forEachPiece(of: name(of: digest), size: size) { reading.update($0) }
    return isWhole && reading.finish() == digest.bytes
  }

  // MARK: Uploads

  /// Appends a chunk to the stored part of an upload; bytes beyond that part were never
  /// acknowledged.
  func append(_ bytes: [UInt8], to upload: Upload) throws(DatastoreError) {
    do throws(StorageError) {
      guard let file = try storage.open(name(of: upload), .changing) else {
        throw StorageError(
          .io, step: "open", fileName: name(of: upload), reason: "the file is missing")
      }
      try append(bytes, to: file, at: Int(upload.length))
      try file.sync()
    } catch {
      throw DatastoreError(error)
    }
  }

  /// Starts a new attempt of an upload with the first bytes of the previous one and a chunk.
  func begin(
    _ upload: Upload, with old: Upload?, _ bytes: [UInt8]
  ) throws(DatastoreError) {
    let source = try old.flatMap { (old) throws(DatastoreError) in try open(name(of: old)) }
    let buffer = PieceBuffer()
    do throws(StorageError) {
      let file = try make(name(of: upload))
      var offset: Int64 = 0
      while let source, offset < upload.length {
        let count = Int(min(upload.length - offset, Int64(Self.pieceBytes)))
        let piece = buffer.prefix(
          try source.read(
            at: Int(offset), into: UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<count])))
        guard !piece.isEmpty else { break }
        try file.write(piece, at: Int(offset))
        offset += Int64(piece.count)
      }
      try append(bytes, to: file, at: Int(upload.length))
      try file.sync()
    } catch {
      throw DatastoreError(error)
    }
  }

  /// Truncates bytes that were never acknowledged, and renames a complete upload to its final name.
  func settle(_ upload: Upload) throws(DatastoreError) {
    let part = name(of: upload)
    if let size = try size(of: part), size > upload.length {
      do throws(StorageError) {
        let file = try storage.open(part, .changing)
        try file?.truncate(to: Int(upload.length))
        try file?.sync()
      } catch {
        throw DatastoreError(error)
      }
    }
    try rename(part, to: name(of: upload.digest))
  }

  // MARK: Chunks

  private func newName() -> String {
    newCount += 1
    return "\(prefix)new-\(newCount).part"
  }

  private func make(_ fileName: String) throws(StorageError) -> any StorageFile {
    isSynced = false
    made.append(fileName)
    guard let file = try storage.open(fileName, .replacing) else {
      throw StorageError(
        .io, step: "create", fileName: fileName, reason: "the file was not created")
    }
    return file
  }

  private func open(_ fileName: String) throws(DatastoreError) -> (any StorageFile)? {
    do throws(StorageError) { return try storage.open(fileName, .reading) } catch {
      throw DatastoreError(error)
    }
  }

  private func append(
    _ bytes: [UInt8], to file: any StorageFile, at offset: Int
  ) throws(StorageError) {
    try bytes.span.withUnsafeBytes { (all) throws(StorageError) in
      for start in stride(from: 0, to: all.count, by: Self.pieceBytes) {
        let end = min(start + Self.pieceBytes, all.count)
        try file.write(UnsafeRawBufferPointer(rebasing: all[start..<end]), at: offset + start)
      }
    }
  }
}

/// Memory for one chunk of content.
private final class PieceBuffer {
  let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: BlobFiles.pieceBytes, alignment: 16)

  deinit { bytes.deallocate() }

  func prefix(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[..<count])
  }
}
