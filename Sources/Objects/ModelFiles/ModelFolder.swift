internal import Conformance
internal import JSON

/// The files of a path that may contain several versions of a model.
struct ModelFolder {
  /// A file with one version.
  struct File {
    let path: String
    let version: String

    /// Throws if a folder has the binary files of earlier versions of Xcode.
    func checkFormat() throws(ModelFileError) {
      let folder = Files.folder(of: path)
      guard !Files.exists(path), Files.exists("\(folder)/elements") else { return }
      throw ModelFileError(
        path: folder, what: "the model is in the binary format before Xcode 4",
        expected: "XML: open it in Xcode and save it")
    }
  }

  private static let suffix = ".xcdatamodel"

  private let path: String
  /// The versions in byte order of their names.
  let files: [File]
  /// Whether the path is that of a folder with versions.
  private let hasVersions: Bool

  init(_ given: String) throws(ModelFileError) {
    var path = given
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    self.path = path
    let name = Self.name(of: path)
    guard !name.hasSuffix(".mom"), !name.hasSuffix(".momd"), !name.hasSuffix(".omo") else {
      throw SourceFile.compiled(path)
    }
    do throws(Files.Failure) { try Files.require(path) } catch {
      throw ModelFileError(path: error.path, what: error.reason)
    }
    guard Files.isFolder(path) else {
      hasVersions = false
      // The version of a file `contents` has the name of its folder.
      let folder = Self.name(of: Files.folder(of: path))
      files = [File(path: path, version: Self.version(name == "contents" ? folder : name))]
      return
    }
    let names: [String]
    do throws(Files.Failure) { names = try Files.names(inFolder: path) } catch {
      throw ModelFileError(path: error.path, what: error.reason)
    }
    if names.contains("contents") {
      hasVersions = false
      files = [File(path: "\(path)/contents", version: Self.version(name))]
      return
    }
    hasVersions = true
    files = names.filter { $0.hasSuffix(Self.suffix) }
      .map { File(path: "\(path)/\($0)/contents", version: Self.version($0)) }
    guard files.isEmpty else { return }
    if names.contains(where: { $0.hasSuffix(".mom") }) { throw SourceFile.compiled(path) }
    try File(path: "\(path)/contents", version: "").checkFormat()
    throw ModelFileError(
      path: path, what: "the folder has no model",
      expected: "a folder .xcdatamodeld with folders .xcdatamodel, or the file 'contents'")
  }

  /// Returns the file of a version, or of the current version.
  func file(ofVersion version: String?) throws(ModelFileError) -> File {
    if let version {
      let name = Self.version(version)
      guard let file = files.first(where: { $0.version == name }) else {
        throw ModelFileError(
          path: path, what: "no version '\(name)'", expected: list)
      }
      return file
    }
    guard hasVersions else { return files[0] }
    let place = "\(path)/.xccurrentversion"
    let current = Files.exists(place) ? try Self.current(place) : nil
    guard let current else {
      guard files.count == 1 else {
        throw ModelFileError(
          path: path,
          what: "no file .xccurrentversion names the current one of \(files.count) versions",
          expected: "the path of a version: \(list)")
      }
      return files[0]
    }
    let name = Self.version(current)
    guard let file = files.first(where: { $0.version == name }) else {
      throw ModelFileError(
        path: place, what: "the current version '\(name)' does not exist", expected: list)
    }
    return file
  }

  private var list: String {
    files.count == 1
      ? "'\(files[0].version)'"
      : "one of \(files.map { "'\($0.version)'" }.joined(separator: ", "))"
  }

  /// The name of the current version in a property list, with `.xcdatamodel`; nil for a list without
  /// it, which Xcode writes for a folder with one version.
  private static func current(_ path: String) throws(ModelFileError) -> String? {
    let bytes = try SourceFile.read(path)
    let root: MarkupElement
    do throws(MarkupFailure) { root = try MarkupParser.parse(bytes) } catch {
      throw ModelFileError(
        path: path, line: error.line, what: error.what, expected: error.expected)
    }
    guard root.name == "plist", let list = root.children("dict").first else {
      throw ModelFileError(
        path: path, line: root.line, what: "the file is not a property list with a dictionary",
        expected: "<plist> with <dict>")
    }
    for (key, value) in zip(list.children, list.children.dropFirst())
    where key.name == "key" && key.text == "_XCCurrentVersionName" && value.name == "string" {
      return value.text
    }
    return nil
  }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func version(_ name: String) -> String {
    name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
  }
}
