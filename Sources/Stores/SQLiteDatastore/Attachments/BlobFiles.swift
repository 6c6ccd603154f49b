internal import Datastore
internal import Digest
internal import Storage

/// The files beside a database that hold the contents of attachments.
///
/// Their names are those of `BlobName`. Which of them count, the tables `blob` and `upload` say: a file without a row is left over and
/// is removed when there is time. So files come before their rows, and go after them. Whoever makes or
/// removes one holds the lock for writing; no two processes do that at a time.
final class BlobFiles {
  /// How many bytes are read or written at a time: what a large attachment takes of memory.
  static let pieceBytes = 65_536

  /// The files that were made since the last `begin`, and that nobody needs when it comes to nothing.
  private(set) var made: [String] = []
  /// The files that nobody needs when it comes to an end.
  var superseded: [String] = []

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

  /// Begins anew, with nothing made yet.
  func begin() {
    made = []
    superseded = []
    isSynced = true
  }

  /// Makes the names of all files durable that were made since `begin`.
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

  /// All files of the store, and what each of them is.
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

  /// Puts content under its name.
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

  /// Gives a file that was made here its last name.
  func settle(_ part: String, as digest: BlobDigest) throws(DatastoreError) {
    let name = name(of: digest)
    try rename(part, to: name)
    made.removeAll { $0 == part }
    made.append(name)
  }

  /// Copies what a source has, to its end, into a file that has no last name yet.
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
        throw DatastoreError(.tooLarge(limit: sizeMax), "more than \(sizeMax) bytes")
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

  /// Shows the first bytes of a file, as many as said; false when they are not there.
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

  /// Bytes of a file from an offset on; fewer than asked for only at its end, nil without a file.
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

  /// Whether the bytes of a piece belong to content of a digest, as far as that is known.
  ///
  /// Only the piece that reaches the end decides: until then the answer is true. When the pieces before
  /// it were read in their order, their digest is at hand; otherwise the whole file is read once more.
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

  /// Puts a piece behind what is there of an upload; what is behind that was never acknowledged.
  func append(_ bytes: [UInt8], to upload: Upload) throws(DatastoreError) {
    do throws(StorageError) {
      guard let file = try storage.open(name(of: upload), .changing) else {
        throw StorageError(
          .io, step: "open", fileName: name(of: upload), reason: "it is gone")
      }
      try append(bytes, to: file, at: Int(upload.length))
      try file.sync()
    } catch {
      throw DatastoreError(error)
    }
  }

  /// Begins an upload anew with the first bytes of the one before and a piece.
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

  /// Cuts off what was never acknowledged, and gives an upload that is whole its last name.
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

  // MARK: Pieces

  private func newName() -> String {
    newCount += 1
    return "\(prefix)new-\(newCount).part"
  }

  private func make(_ fileName: String) throws(StorageError) -> any StorageFile {
    isSynced = false
    made.append(fileName)
    guard let file = try storage.open(fileName, .replacing) else {
      throw StorageError(.io, step: "create", fileName: fileName, reason: "it is not there")
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

/// Memory for one piece of content.
private final class PieceBuffer {
  let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: BlobFiles.pieceBytes, alignment: 16)

  deinit { bytes.deallocate() }

  func prefix(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[..<count])
  }
}
