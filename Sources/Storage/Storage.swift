/// Files as a store sees them: one flat folder of names, reachable by SQLite as a VFS.
///
/// A store asks its storage three things. *Where* a database lives: the VFS to open it with and the
/// path under which that VFS knows a file name. *What is there*: the file names, their
/// lengths, and whether anything may be changed. And to *make* a file and to *remove* it so that it stays removed: there
/// SQLite keeps the system's reason to itself. Everything between (opening, reading, writing,
/// syncing, locking) happens inside SQLite, through the VFS.
///
///     try storage.create("notes.sqlite")
///     sqlite3_open_v2(storage.path(of: "notes.sqlite"), &handle, flags, storage.vfsName)
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

  /// Makes the creations and removals of files so far durable.
  func syncDirectory() throws(StorageError)
}

extension Storage {
  /// Whether a file of this name exists.
  public func exists(_ fileName: String) throws(StorageError) -> Bool {
    try size(of: fileName) != nil
  }
}
