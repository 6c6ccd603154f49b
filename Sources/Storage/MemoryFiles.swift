internal import CSQLite

/// The files of a `MemoryStorage`, and the one gate that every step on them passes.
///
/// A step asks `admit` before it happens and is refused by a result code of SQLite. There is no
/// other way to the bytes, so a limit, a count or a fault belongs into the gate and nowhere else.
final class MemoryFiles {
  /// Something that is done to the files, in the terms of a disk.
  enum Step {
    case create
    case read
    /// The number of bytes, and by how many of them the file grows.
    case write(bytes: Int, growth: Int)
    case truncate
    case sync
    case delete
    case syncDirectory
  }

  private(set) var counts = StorageCounts()
  var capacityBytes: Int?
  var isReadOnly = false

  private var files: [String: MemoryFile] = [:]
  /// The sum of the sizes of the named files.
  private var usedBytes = 0
  /// SplitMix64, so that what SQLite asks of its VFS is the same in every run.
  private var randomState: UInt64 = 0x746f_7563_6873_746f
  private var millisecondsPassed: Int64 = 0

  init(capacityBytes: Int?) { self.capacityBytes = capacityBytes }

  /// The gate: counts the step and answers whether it may happen.
  private func admit(_ step: Step) -> CInt {
    if isReadOnly {
      switch step {
      case .read, .sync, .syncDirectory: break
      case .create, .write, .truncate, .delete: return SQLITE_READONLY
      }
    }
    switch step {
    case .create: counts.creations += 1
    case .read: counts.reads += 1
    case .write(let bytes, let growth):
      if let capacityBytes, growth > 0, usedBytes + growth > capacityBytes { return SQLITE_FULL }
      counts.writes += 1
      counts.bytesWritten += bytes
    case .truncate: counts.truncations += 1
    case .sync: counts.syncs += 1
    case .delete: counts.deletions += 1
    case .syncDirectory: counts.directorySyncs += 1
    }
    return SQLITE_OK
  }

  // MARK: Names

  var names: [String] {
    files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether a file is still the one under its name.
  func holds(_ file: MemoryFile) -> Bool { files[file.name] === file }

  func size(of name: String) -> Int? { files[name]?.contents.count }

  /// A handle on the named file; without a name, on one that is gone when the handle is.
  func open(_ name: String?, create: Bool, exclusive: Bool) -> Result<MemoryHandle, ResultCode> {
    guard let name else {
      return .success(MemoryHandle(file: MemoryFile(name: ""), files: self))
    }
    if let file = files[name] {
      if exclusive { return .failure(ResultCode(SQLITE_CANTOPEN)) }
      return .success(MemoryHandle(file: file, files: self))
    }
    guard create else { return .failure(ResultCode(SQLITE_CANTOPEN)) }
    let admitted = admit(.create)
    guard admitted == SQLITE_OK else { return .failure(ResultCode(admitted)) }
    let file = MemoryFile(name: name)
    files[name] = file
    return .success(MemoryHandle(file: file, files: self))
  }

  /// Removes the name; the bytes live on while a handle has them.
  func delete(_ name: String) -> CInt {
    guard let file = files[name] else { return ioErrorDeleteNoEntry }
    let admitted = admit(.delete)
    guard admitted == SQLITE_OK else { return admitted }
    usedBytes -= file.contents.count
    files[name] = nil
    return SQLITE_OK
  }

  func syncDirectory() -> CInt { admit(.syncDirectory) }

  /// Replaces the contents of a file, made when absent, or removes it.
  func replace(_ name: String, with contents: [UInt8]?) {
    guard let contents else {
      usedBytes -= files.removeValue(forKey: name)?.contents.count ?? 0
      return
    }
    let file = files[name] ?? MemoryFile(name: name)
    files[name] = file
    usedBytes += contents.count - file.contents.count
    file.contents.bytes = contents
  }

  func contents(of name: String) -> [UInt8]? { files[name]?.contents.bytes }

  // MARK: Bytes

  func read(_ file: MemoryFile, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> CInt
  {
    let admitted = admit(.read)
    guard admitted == SQLITE_OK else { return admitted }
    let available = file.contents.read(at: offset, into: buffer)
    guard available < buffer.count else { return SQLITE_OK }
    // SQLite requires the rest of a short read to be zero.
    UnsafeMutableRawBufferPointer(rebasing: buffer[available...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    return ioErrorShortRead
  }

  func write(_ file: MemoryFile, at offset: Int, _ buffer: UnsafeRawBufferPointer) -> CInt {
    let end = offset + buffer.count
    let growth = max(0, end - file.contents.count)
    let isNamed = !file.name.isEmpty
    let admitted = admit(.write(bytes: buffer.count, growth: isNamed ? growth : 0))
    guard admitted == SQLITE_OK else { return admitted }
    if isNamed, holds(file) { usedBytes += growth }
    file.contents.write(buffer, at: offset)
    return SQLITE_OK
  }

  func truncate(_ file: MemoryFile, to size: Int) -> CInt {
    let admitted = admit(.truncate)
    guard admitted == SQLITE_OK else { return admitted }
    guard size < file.contents.count else { return SQLITE_OK }
    if holds(file) { usedBytes -= file.contents.count - size }
    file.contents.truncate(to: size)
    return SQLITE_OK
  }

  func sync(_ file: MemoryFile) -> CInt { admit(.sync) }

  // MARK: Time and chance

  func nextRandom() -> UInt64 {
    randomState &+= 0x9e37_79b9_7f4a_7c15
    var mixed = randomState
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Lets time pass without waiting for it.
  func sleep(microseconds: Int) { millisecondsPassed += Int64(microseconds / 1000) }

  /// Milliseconds since noon of 24 November 4714 BC, as SQLite counts; begins with the year 2000.
  var julianMilliseconds: Int64 { 211_813_444_800_000 + millisecondsPassed }
}

/// A result code of SQLite as an error value.
struct ResultCode: Error {
  let value: CInt
  init(_ value: CInt) { self.value = value }
}
