#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The files of a real folder.
///
/// SQLite's own VFS for the platform does the work on the files: its locking has met more file
/// systems than anything written here ever will.
public final class DiskStorage: Storage {
  /// The folder, as it was given.
  public let directory: String

  public var vfsName: String? { nil }

  /// The files of a folder, which is created when only it is missing, not its parent.
  ///
  /// Fails with `noFolder` when the parent does not exist or the path names something else.
  public init(directory: String) throws(StorageError) {
    SQLiteLibrary.isSetUp
    self.directory = directory
    if mkdir(directory, 0o755) != 0 {
      let code = errno
      guard code == EEXIST || Self.isFolder(directory) else {
        throw StorageError(errno: code, step: "create folder", fileName: directory)
      }
    }
    guard Self.isFolder(directory) else {
      throw StorageError(
        .noFolder, step: "open folder", fileName: directory, reason: "not a folder")
    }
  }

  public var isReadOnly: Bool {
    // A folder that is not there any more is another matter.
    access(directory, W_OK) != 0 && [EROFS, EACCES, EPERM].contains(errno)
  }

  public func path(of fileName: String) -> String { "\(directory)/\(fileName)" }

  public func fileNames() throws(StorageError) -> [String] {
    guard let folder = opendir(directory) else {
      throw StorageError(errno: errno, step: "list", fileName: directory)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(
          to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)
        ) { String(cString: $0) }
      }
      var status = stat()
      if lstat(path(of: name), &status) == 0, status.st_mode & S_IFMT == S_IFREG {
        names.append(name)
      }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  public func size(of fileName: String) throws(StorageError) -> Int? {
    var status = stat()
    if stat(path(of: fileName), &status) == 0 { return Int(status.st_size) }
    let code = errno
    if code == ENOENT { return nil }
    throw StorageError(errno: code, step: "look up", fileName: fileName)
  }

  public func create(_ fileName: String) throws(StorageError) {
    let descriptor = open(path(of: fileName), O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw StorageError(errno: errno, step: "create", fileName: fileName)
    }
    close(descriptor)
  }

  public func delete(_ fileName: String) throws(StorageError) {
    if unlink(path(of: fileName)) == 0 { return }
    let code = errno
    if code == ENOENT { return }
    throw StorageError(errno: code, step: "delete", fileName: fileName)
  }

  public func syncDirectory() throws(StorageError) {
    let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StorageError(errno: errno, step: "open folder", fileName: directory)
    }
    defer { close(descriptor) }
    // Some file systems cannot sync a folder and say so with EINVAL; SQLite passes over it as well.
    if fsync(descriptor) != 0, errno != EINVAL {
      throw StorageError(errno: errno, step: "sync folder", fileName: directory)
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

extension StorageError {
  /// The error that an error number of the system stands for.
  fileprivate init(errno code: CInt, step: String, fileName: String) {
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
