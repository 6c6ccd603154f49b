#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An open file of the operating system.
final class SystemFile: StorageFile {
  let descriptor: CInt
  private let fileName: String

  /// Opens a path; errors contain `fileName`.
  init(path: String, _ flags: CInt, named fileName: String) throws(StorageError) {
    self.fileName = fileName
    descriptor = open(path, flags | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw StorageError(errno: errno, step: "open", fileName: fileName) }
  }

  deinit { close(descriptor) }

  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    var count = 0
    while count < buffer.count, let start = buffer.baseAddress {
      let more = pread(descriptor, start + count, buffer.count - count, off_t(offset + count))
      if more < 0, errno == EINTR { continue }
      if more < 0 { throw failure("read") }
      if more == 0 { break }
      count += more
    }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    var count = 0
    while count < bytes.count, let start = bytes.baseAddress {
      let more = pwrite(descriptor, start + count, bytes.count - count, off_t(offset + count))
      if more < 0, errno == EINTR { continue }
      if more < 0 { throw failure("write") }
      count += more
    }
  }

  func truncate(to size: Int) throws(StorageError) {
    if ftruncate(descriptor, off_t(size)) != 0 { throw failure("truncate") }
  }

  func sync() throws(StorageError) {
    #if canImport(Darwin)
      // As SQLite does with `fullfsync`: on this platform `fsync` leaves the bytes in the disk's
      // cache.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    if fsync(descriptor) != 0 { throw failure("sync") }
  }

  private func failure(_ step: String) -> StorageError {
    StorageError(errno: errno, step: step, fileName: fileName)
  }
}

/// A file of the host outside any storage, opened read-only.
public final class HostFile {
  private let file: SystemFile

  /// Opens a path; throws `noFolder` if the path is not a regular file.
  public init(path: String) throws(StorageError) {
    guard !path.utf8.contains(0) else {
      throw StorageError(.noFolder, step: "open", fileName: path, reason: "the path contains NUL")
    }
    // Non-blocking, so that opening a pipe does not wait for its other end.
    file = try SystemFile(path: path, O_RDONLY | O_NONBLOCK, named: path)
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(.noFolder, step: "read", fileName: path, reason: "not a regular file")
    }
  }

  /// Copies bytes from an offset on, and returns their number, which is smaller than the buffer
  /// only at the end of the file.
  public func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    try file.read(at: offset, into: buffer)
  }
}

extension StorageError {
  /// The storage error for an error number of the system.
  init(errno code: CInt, step: String, fileName: String) {
    let kind: Kind
    switch code {
    case ENOSPC, EDQUOT: kind = .full
    case EROFS, EACCES, EPERM: kind = .readOnly
    case ENOENT, ENOTDIR: kind = .noFolder
    default: kind = .io
    }
    self.init(kind, step: step, fileName: fileName, reason: String(cString: strerror(code)))
  }
}
