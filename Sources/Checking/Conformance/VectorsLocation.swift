/// The location of the folder `Vectors`.
///
/// A built program finds it from anywhere in a checkout, and so do the tests of a package that
/// depends on this one. An installed program finds it in the folder `share/touchstone` beside its
/// folder `bin`, also if it is started through a symbolic link.
public struct VectorsLocation: Hashable, Sendable {
  /// The folder with `clauses.json`.
  public let folder: String
  /// The only file of vectors to read, in place of those in the folder.
  public let file: String?

  /// The environment variable with the folder or the file.
  public static let environmentVariable = "TOUCHSTONE_VECTORS"

  /// Searches, in this order: the given path, the environment variable, the parents of the
  /// executable with their folders `share/touchstone`, the parents of the current folder, and the
  /// sources of the build. A program that was built for installation skips the last one.
  ///
  /// A file of vectors is read with the clauses of the next folder that is found.
  public static func find(_ explicit: String? = nil) throws(CorpusError) -> VectorsLocation {
    try find(explicit, environment: Files.environment(environmentVariable))
  }

  static func find(
    _ explicit: String?, environment: String?
  ) throws(CorpusError) -> VectorsLocation {
    var file: String?
    for named in [explicit, environment] {
      guard let named else { continue }
      try require(named)
      if Files.isFolder(named) { return VectorsLocation(folder: named, file: file) }
      file = file ?? named
    }
    return VectorsLocation(folder: try search(), file: file)
  }

  /// Throws unless a path is a file or the folder of a corpus.
  private static func require(_ path: String) throws(CorpusError) {
    do throws(Files.Failure) {
      try Files.require(path)
    } catch {
      throw CorpusError([CorpusProblem(file: path, message: error.reason)])
    }
    guard !Files.isFolder(path) || holdsCorpus(path) else {
      throw CorpusError([CorpusProblem(file: path, message: "has no clauses.json")])
    }
  }

  /// Returns the default folder.
  private static func search() throws(CorpusError) -> String {
    if let program = Files.executable {
      let folders = ["Vectors", installed]
      if let folder = searchUpward(from: program, for: folders) { return folder }
    }
    if let start = Files.realPath("."), let folder = searchUpward(from: start) { return folder }
    // `tools/release` defines this: an installed program must neither contain the paths of the
    // machine that built it nor read from them.
    #if !TOUCHSTONE_INSTALLED
      if let folder = searchUpward(from: sourceFile) { return folder }
    #endif
    throw CorpusError([
      CorpusProblem(
        file: "Vectors",
        message: "not found; set --vectors or \(environmentVariable)")
    ])
  }

  /// The folder of an installed corpus, relative to the parent of the folder `bin`.
  static let installed = "share/touchstone/Vectors"

  /// Returns the nearest folder with a corpus beside a path or one of its parents.
  ///
  /// - Parameter folders: the relative paths to try at each parent, in this order.
  static func searchUpward(from path: String, for folders: [String] = ["Vectors"]) -> String? {
    var components = path.split(separator: "/", omittingEmptySubsequences: true)
    while true {
      for folder in folders {
        let candidate = "/" + (components.map { String($0) } + [folder]).joined(separator: "/")
        if holdsCorpus(candidate) { return candidate }
      }
      guard components.popLast() != nil else { return nil }
    }
  }

  /// Reads the corpus.
  public func read() -> CorpusReading {
    file.map { CorpusReading(file: $0, clausesOf: folder) } ?? CorpusReading(folder: folder)
  }

  private static func holdsCorpus(_ folder: String) -> Bool {
    Files.exists("\(folder)/clauses.json")
  }

  #if !TOUCHSTONE_INSTALLED
    /// This file in the sources of the build.
    private static let sourceFile: String = #filePath
  #endif
}
