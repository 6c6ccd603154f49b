/// The location of the folder `Vectors`.
///
/// A built binary finds it from anywhere in a checkout, and so do the tests of a package that
/// depends on this one.
public struct VectorsLocation: Hashable, Sendable {
  /// The folder with `clauses.json`.
  public let folder: String
  /// The only file of vectors to read, in place of those in the folder.
  public let file: String?

  /// The environment variable with the folder or the file.
  public static let environmentVariable = "TOUCHSTONE_VECTORS"

  /// Searches, in this order: the given path, the environment variable, the parents of the
  /// executable, the parents of the current folder, and the sources of the build.
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
    for start in [Files.executable, Files.realPath(".")] {
      if let start, let folder = searchUpward(from: start) {
        return folder
      }
    }
    if let folder = searchUpward(from: sourceFile) { return folder }
    throw CorpusError([
      CorpusProblem(
        file: "Vectors",
        message: "not found; set --vectors or \(environmentVariable)")
    ])
  }

  /// Returns the nearest folder `Vectors` with a corpus beside a path or one of its parents.
  static func searchUpward(from path: String) -> String? {
    var components = path.split(separator: "/", omittingEmptySubsequences: true)
    while true {
      let candidate = "/" + (components + ["Vectors"]).joined(separator: "/")
      if holdsCorpus(candidate) { return candidate }
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

  /// This file in the sources of the build.
  private static let sourceFile: String = #filePath
}
