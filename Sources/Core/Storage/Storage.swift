/// The files of a store: one flat folder of names, accessible to SQLite through a VFS.
///
/// A storage has three functions for a store. It *locates* a database: the VFS to open it with, and
/// the path under which that VFS finds a file name. It *lists* the folder: the file names, their
/// lengths, and whether changes are permitted. And it *creates* and durably *removes* files: for
/// these steps, SQLite does not report the system's reason for a failure. SQLite performs all other
/// steps (opening, reading, writing, syncing, locking) through the VFS.
///
///     try storage.create("notes.sqlite")
///     sqlite3_open_v2(storage.path(of: "notes.sqlite"), &handle, flags, storage.vfsName)
///
/// Beside its databases a store has files that SQLite does not access: the contents of attachments.
/// They are written and read in chunks (`StorageFile`), and are renamed to their final name once
/// complete:
///
///     let file = try storage.open("notes.sqlite-1.part", .replacing)
///     try file?.write(piece, at: 0)
///     try file?.sync()
///     try storage.rename("notes.sqlite-1.part", to: "notes.sqlite-a0….blob")
///     try storage.syncDirectory()
///
/// A storage and all connections opened through it may be used by one thread at a time only, and
/// the storage must outlive the connections.
public protocol Storage: AnyObject {
  /// The name of the SQLite VFS for the files; nil for SQLite's default VFS of the platform.
  var vfsName: String? { get }

  /// Whether every change is rejected.
  var isReadOnly: Bool { get }

  /// The path under which the VFS finds a file of this storage.
  func path(of fileName: String) -> String

  /// The names of all files, in byte order.
  func fileNames() throws(StorageError) -> [String]

  /// The length of a file in bytes, or nil if no file has the name.
  func size(of fileName: String) throws(StorageError) -> Int?

  /// Creates an empty file unless the file exists; SQLite treats it as an empty database.
  func create(_ fileName: String) throws(StorageError)

  /// Removes a file; removing a missing file is not an error. Durable only after `syncDirectory`.
  func delete(_ fileName: String) throws(StorageError)

  /// Opens a file to read or write it in chunks; nil if no file has the name.
  func open(
    _ fileName: String, _ access: FileAccess
  ) throws(StorageError) -> (any StorageFile)?

  /// Renames a file atomically and replaces any file of the new name. Durable only after
  /// `syncDirectory`.
  func rename(_ fileName: String, to newName: String) throws(StorageError)

  /// Makes the creations, removals and renames of files so far durable.
  func syncDirectory() throws(StorageError)
}

/// The access mode of an open file.
public enum FileAccess: Sendable {
  case reading
  /// The bytes may be changed.
  case changing
  /// The file is created, or truncated to 0 bytes if it exists.
  case replacing
}

/// An open file that is not a database; closed when released.
public protocol StorageFile: AnyObject {
  /// Copies bytes from an offset on, and returns their number, which is smaller than the buffer
  /// only at the end of the file.
  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int

  /// Writes all bytes at an offset; after a failure, some of them may be written.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError)

  /// Truncates the file to a size in bytes.
  func truncate(to size: Int) throws(StorageError)

  /// Makes the bytes durable; the name becomes durable only with `Storage.syncDirectory`.
  func sync() throws(StorageError)
}

extension Storage {
  /// Whether a file of this name exists.
  public func exists(_ fileName: String) throws(StorageError) -> Bool {
    try size(of: fileName) != nil
  }
}
