#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The files of a real folder.
///
/// SQLite's own VFS for the platform performs the operations on the files: its locking has been
/// tested on far more file systems than a VFS of this project.
public final class DiskStorage: Storage {
  /// The path of the folder, as passed to `init`.
  public let directory: String

  public var vfsName: String? { nil }

  /// The files of a folder. The folder is created if it is missing, but its parent is not.
  ///
  /// Throws `noFolder` if the parent does not exist or the path names something else.
  public init(directory: String) throws(StorageError) {
    SQLiteLibrary.isSetUp
    self.directory = directory
    guard !directory.utf8.contains(0) else {
      throw StorageError(
        .noFolder, step: "open folder", fileName: directory, reason: "the path contains NUL")
    }
    // A process that is killed while its folder is removed must not create it again, as a `mkdir`
    // without this check would.
    if !Self.isFolder(directory), mkdir(directory, 0o755) != 0 {
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
    // A missing folder is a different error.
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
      // Most file systems report the type with the entry, which saves a `stat` for each of possibly
      // many files.
      let type = Int32(entry.pointee.d_type)
      var status = stat()
      if type == Int32(DT_REG)
        || type == Int32(DT_UNKNOWN) && lstat(path(of: name), &status) == 0
          && status.st_mode & S_IFMT == S_IFREG
      {
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
    do throws(StorageError) {
      _ = try SystemFile(path: path(of: fileName), O_RDWR | O_CREAT, named: fileName)
    } catch {
      throw StorageError(
        error.kind, step: "create", fileName: error.fileName, reason: error.reason)
    }
  }

  public func delete(_ fileName: String) throws(StorageError) {
    if unlink(path(of: fileName)) == 0 { return }
    let code = errno
    if code == ENOENT { return }
    throw StorageError(errno: code, step: "delete", fileName: fileName)
  }

  public func open(
    _ fileName: String, _ access: FileAccess
  ) throws(StorageError) -> (any StorageFile)? {
    let flags =
      switch access {
      case .reading: O_RDONLY
      case .changing: O_RDWR
      case .replacing: O_RDWR | O_CREAT | O_TRUNC
      }
    do throws(StorageError) {
      return try SystemFile(path: path(of: fileName), flags, named: fileName)
    } catch {
      if access != .replacing, error.kind == .noFolder { return nil }
      throw error
    }
  }

  public func rename(_ fileName: String, to newName: String) throws(StorageError) {
    if Self.rename(path(of: fileName), path(of: newName)) == 0 { return }
    throw StorageError(errno: errno, step: "rename", fileName: fileName)
  }

  private static func rename(_ old: String, _ new: String) -> CInt {
    #if canImport(Glibc)
      Glibc.rename(old, new)
    #elseif canImport(Musl)
      Musl.rename(old, new)
    #else
      Darwin.rename(old, new)
    #endif
  }

  public func syncDirectory() throws(StorageError) {
    let folder = try SystemFile(path: directory, O_RDONLY, named: directory)
    // Some file systems cannot sync a folder and return EINVAL; SQLite ignores that as well.
    if fsync(folder.descriptor) != 0, errno != EINVAL {
      throw StorageError(errno: errno, step: "sync folder", fileName: directory)
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
