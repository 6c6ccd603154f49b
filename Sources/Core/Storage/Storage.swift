/// Files as a store sees them: one flat folder of names, reachable by SQLite as a VFS.
///
/// A store asks its storage three things. *Where* a database lives: the VFS to open it with and the
/// path under which that VFS knows a file name. *What is there*: the file names, their
/// lengths, and whether anything may be changed. And to *make* a file and to *remove* it so that it
/// stays removed: there SQLite keeps the system's reason to itself. Everything between (opening,
/// reading, writing, syncing, locking) happens inside SQLite, through the VFS.
///
///     try storage.create("notes.sqlite")
///     sqlite3_open_v2(storage.path(of: "notes.sqlite"), &handle, flags, storage.vfsName)
///
/// Beside its databases a store has files of its own, which SQLite never sees: the contents of
/// attachments. They are written and read piece by piece (`StorageFile`), and become visible under
/// their last name when they are whole:
///
///     let file = try storage.open("notes.sqlite-1.part", .replacing)
///     try file?.write(piece, at: 0)
///     try file?.sync()
///     try storage.rename("notes.sqlite-1.part", to: "notes.sqlite-a0….blob")
///     try storage.syncDirectory()
///
/// A storage and all connections that were opened through it belong to one thread at a time, and
/// the storage must outlive the connections.
public protocol Storage: AnyObject {
  /// The name of the SQLite VFS that reaches the files; nil is SQLite's own for the platform.
  var vfsName: String? { get }

  /// Whether every change is refused.
  var isReadOnly: Bool { get }

  /// The path under which the VFS knows a file of this storage.
  func path(of fileName: String) -> String

  /// The names of all files, in byte order.
  func fileNames() throws(StorageError) -> [String]

  /// The length of a file in bytes, or nil when there is none of this name.
  func size(of fileName: String) throws(StorageError) -> Int?

  /// Makes an empty file where there is none, which SQLite takes for an empty database.
  func create(_ fileName: String) throws(StorageError)

  /// Removes a file; removing what is not there is no error. Durable after `syncDirectory` only.
  func delete(_ fileName: String) throws(StorageError)

  /// A file to be read or written piece by piece; nil when there is none of this name.
  func open(
    _ fileName: String, _ access: FileAccess
  ) throws(StorageError) -> (any StorageFile)?

  /// Gives a file another name, in one step; a file that had the name is gone. Durable after
  /// `syncDirectory` only.
  func rename(_ fileName: String, to newName: String) throws(StorageError)

  /// Makes the creations, removals and new names of files so far durable.
  func syncDirectory() throws(StorageError)
}

/// What a file is opened for.
public enum FileAccess: Sendable {
  case reading
  /// Its bytes may be changed.
  case changing
  /// It is made, or emptied when it is there.
  case replacing
}

/// An open file that SQLite knows nothing of; closed when it is let go.
public protocol StorageFile: AnyObject {
  /// Copies what there is from an offset on; answers how many bytes that were, fewer than asked for
  /// only at the end of the file.
  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int

  /// Writes all of the bytes at an offset; when it fails, some of them may be there.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError)

  /// Cuts off what is behind a size.
  func truncate(to size: Int) throws(StorageError)

  /// Makes the bytes durable; the name is durable after `Storage.syncDirectory` only.
  func sync() throws(StorageError)
}

extension Storage {
  /// Whether a file of this name exists.
  public func exists(_ fileName: String) throws(StorageError) -> Bool {
    try size(of: fileName) != nil
  }
}
