internal import Conformance
internal import JSON
public import ObjectMapping

/// One version of a managed object model, read from a file.
///
/// The source of a model of Core Data is a folder `NAME.xcdatamodeld` with one folder
/// `VERSION.xcdatamodel` for each version, and an XML file `contents` in it.
public struct ModelFile: Hashable, Sendable {
  /// The path of the file with the model.
  public let path: String
  /// The name of the version: that of its folder without `.xcdatamodel`, or of the file.
  public let version: String
  /// The model.
  public let model: ManagedObjectModel
  /// The parts that Touchstone reads differently from Core Data, in the order of the file.
  public let warnings: [ModelFileWarning]

  private let renamingIDs: RenamingIDs

  /// Reads a model.
  ///
  /// - Parameters:
  ///   - path: a folder `.xcdatamodeld` or `.xcdatamodel`, its file `contents`, or a file with a
  ///     model in the JSON of `ManagedObjectModel.json`.
  ///   - version: the version of a folder `.xcdatamodeld`; nil for its current version.
  public init(contentsOf path: String, version: String? = nil) throws(ModelFileError) {
    let folder = try ModelFolder(path)
    self = try ModelFile(folder.file(ofVersion: version))
  }

  /// Reads all versions of a folder `.xcdatamodeld`, in byte order of their names; of another path
  /// its only model.
  public static func versions(of path: String) throws(ModelFileError) -> [ModelFile] {
    let folder = try ModelFolder(path)
    var files: [ModelFile] = []
    for file in folder.files { files.append(try ModelFile(file)) }
    return files
  }

  /// Returns the names of all versions, in byte order, without reading their models.
  public static func versionNames(of path: String) throws(ModelFileError) -> [String] {
    try ModelFolder(path).files.map(\.version)
  }

  /// Returns the model for a migration from another version: the previous names are those of that
  /// version, found by the renaming identifiers of both.
  ///
  /// `model` has the renaming identifiers themselves. They differ if a name changed more than once.
  public func model(migratingFrom source: ModelFile) throws(ModelError) -> ManagedObjectModel {
    try renamingIDs.renaming(model, from: source.renamingIDs)
  }

  private init(_ file: ModelFolder.File) throws(ModelFileError) {
    try file.checkFormat()
    let bytes = try SourceFile.read(file.path)
    try self.init(bytes, path: file.path, version: file.version)
  }

  /// Reads a model from the bytes of a file: XML, or the JSON of `ManagedObjectModel.json`.
  ///
  /// - Parameters:
  ///   - bytes: the content, at most 8 MiB.
  ///   - path: the path for errors and warnings.
  ///   - version: the name of the version.
  public init(
    _ bytes: [UInt8], path: String, version: String = ""
  ) throws(ModelFileError) {
    self.path = path
    self.version = version
    guard bytes.count <= SourceFile.limit else {
      throw ModelFileError(
        path: path, what: "the file is too large", expected: "at most \(SourceFile.limit) bytes")
    }
    guard !SourceFile.isCompiled(bytes) else { throw SourceFile.compiled(path) }
    // XML begins with "<", perhaps after a byte order mark or in UTF-16.
    let first = bytes.first { !" \t\r\n".utf8.contains($0) }
    if let first, "{[\"".utf8.contains(first) {
      model = try SourceFile.json(bytes, path: path)
      warnings = []
      renamingIDs = RenamingIDs(model)
    } else {
      var reader = ModelReader(path: path)
      model = try reader.model(bytes)
      warnings = reader.warnings
      renamingIDs = reader.renamingIDs
    }
  }
}

extension ManagedObjectModel {
  /// Reads a model from a file; `ModelFile` also has the warnings and other versions.
  ///
  /// - Parameter path: a folder `.xcdatamodeld`, of which the current version is read, a folder
  ///   `.xcdatamodel`, its file `contents`, or a file with a model in JSON.
  public init(contentsOf path: String) throws(ModelFileError) {
    self = try ModelFile(contentsOf: path).model
  }
}
