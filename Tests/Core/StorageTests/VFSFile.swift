import CSQLite
import Storage

/// One open file of a storage, through the calls that SQLite makes; each returns SQLite's result
/// code.
final class VFSFile {
  private let vfs: UnsafeMutablePointer<sqlite3_vfs>?
  private let name: UnsafeMutablePointer<CChar>
  private let file: UnsafeMutablePointer<sqlite3_file>
  /// The result code of the open call.
  let opened: CInt

  init(_ fileName: String, in storage: MemoryStorage, _ role: CInt = SQLITE_OPEN_MAIN_DB) {
    vfs = storage.vfsName.flatMap { sqlite3_vfs_find($0) }
    let bytes = fileName.utf8CString
    name = .allocate(capacity: bytes.count)
    name.initialize(from: Array(bytes), count: bytes.count)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Int(vfs?.pointee.szOsFile ?? 0), alignment: 16)
    file = memory.bindMemory(to: sqlite3_file.self, capacity: 1)
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | role
    opened = vfs?.pointee.xOpen(vfs, name, file, flags, nil) ?? SQLITE_ERROR
  }

  deinit {
    if opened == SQLITE_OK { _ = file.pointee.pMethods.pointee.xClose(file) }
    UnsafeMutableRawPointer(file).deallocate()
    name.deallocate()
  }

  @discardableResult
  func write(_ byte: UInt8, count: Int, at offset: Int) -> CInt {
    let bytes = [UInt8](repeating: byte, count: count)
    return file.pointee.pMethods.pointee.xWrite(file, bytes, CInt(count), Int64(offset))
  }

  @discardableResult
  func truncate(to size: Int) -> CInt {
    file.pointee.pMethods.pointee.xTruncate(file, Int64(size))
  }

  @discardableResult
  func sync() -> CInt { file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_FULL) }

  func read(count: Int, at offset: Int) -> (code: CInt, bytes: [UInt8]) {
    var bytes = [UInt8](repeating: 0xff, count: count)
    let code = file.pointee.pMethods.pointee.xRead(file, &bytes, CInt(count), Int64(offset))
    return (code, bytes)
  }

  /// The system's error number of the last failure.
  var systemError: CInt { vfs?.pointee.xGetLastError(vfs, 0, nil) ?? 0 }
}

/// The bytes of a file as runs of equal bytes, such as `a3 b2`; nil if the file is missing.
func runs(_ bytes: [UInt8]?) -> String? {
  guard let bytes else { return nil }
  var runs: [(byte: UInt8, count: Int)] = []
  for byte in bytes {
    if runs.last?.byte == byte {
      runs[runs.count - 1].count += 1
    } else {
      runs.append((byte, 1))
    }
  }
  return runs.map { ($0.byte == 0 ? "-" : String(UnicodeScalar($0.byte))) + "\($0.count)" }
    .joined(separator: " ")
}
