/// The files of one database at a path of the user's choice, such as `Documents/Recipes.sqlite3`.
///
/// The database has a fixed name in this storage, and the given one in its folder; SQLite's files
/// beside it and those of attachments have the same beginning. Other files of the folder do not
/// belong to this storage.
public final class SingleDatabaseStorage: Storage {
  /// The name of the database in this storage.
  public let fileName: String
  /// The path of the database.
  public let path: String

  private let folder: DiskStorage
  /// The name of the database in its folder.
  private let name: String

  public var vfsName: String? { folder.vfsName }
  public var isReadOnly: Bool { folder.isReadOnly }

  /// The files of the database at a path, which need not exist. Its folder must exist.
  ///
  /// Throws `noFolder` if the folder does not exist, or if the path is that of a folder or has no
  /// last component.
  ///
  /// - Parameter fileName: the name of the database in this storage.
  public init(path: String, as fileName: String) throws(StorageError) {
    func rejected(_ reason: String) -> StorageError {
      StorageError(.noFolder, step: "open", fileName: path, reason: reason)
    }
    guard !path.utf8.contains(0) else { throw rejected("the path contains NUL") }
    let bytes = path.utf8
    let end = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) }
    let name = String(path[(end ?? path.startIndex)...])
    guard !name.isEmpty, !DiskStorage.isFolder(path) else {
      throw rejected("expected the path of a file, found that of a folder")
    }
    // The folder of `/name` is the root, that of `name` the current one.
    let parent = end.map { String(path[..<$0]) } ?? "."
    guard DiskStorage.isFolder(parent) else { throw rejected("its folder does not exist") }
    folder = try DiskStorage(directory: parent)
    self.path = path
    self.name = name
    self.fileName = fileName
  }

  private func inFolder(_ fileName: String) -> String {
    name + fileName.dropFirst(self.fileName.count)
  }

  public func path(of fileName: String) -> String {
    path + fileName.dropFirst(self.fileName.count)
  }

  public func fileNames() throws(StorageError) -> [String] {
    try folder.fileNames().compactMap { found in
      guard found.utf8.starts(with: name.utf8) else { return nil }
      let rest = found.utf8.dropFirst(name.utf8.count)
      guard rest.isEmpty || rest.first == UInt8(ascii: "-") else { return nil }
      return fileName + String(decoding: rest, as: UTF8.self)
    }
  }

  public func size(of fileName: String) throws(StorageError) -> Int? {
    try folder.size(of: inFolder(fileName))
  }

  public func create(_ fileName: String) throws(StorageError) {
    try folder.create(inFolder(fileName))
  }

  public func delete(_ fileName: String) throws(StorageError) {
    try folder.delete(inFolder(fileName))
  }

  public func open(
    _ fileName: String, _ access: FileAccess
  ) throws(StorageError) -> (any StorageFile)? {
    try folder.open(inFolder(fileName), access)
  }

  public func rename(_ fileName: String, to newName: String) throws(StorageError) {
    try folder.rename(inFolder(fileName), to: inFolder(newName))
  }

  public func syncDirectory() throws(StorageError) { try folder.syncDirectory() }
}
