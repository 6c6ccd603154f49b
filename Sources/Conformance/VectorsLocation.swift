/// Where the folder `Vectors` is.
///
/// A built binary finds it from anywhere inside a checkout, and so do the tests of a package that
/// depends on this one.
public struct VectorsLocation: Hashable, Sendable {
  /// The folder that holds `clauses.json`.
  public let folder: String
  /// The one file of vectors to read instead of those in the folder.
  public private(set) var file: String?

  /// The variable of the environment that names the folder.
  public static let environmentVariable = "TOUCHSTONE_VECTORS"

  /// Looks, in this order: at the given folder, at the one that the environment names, upward from
  /// the executable, upward from the current folder, beside the sources that this was built from.
  ///
  /// A given file is read with the clauses that are found without being told.
  public static func find(_ explicit: String? = nil) throws(CorpusError) -> VectorsLocation {
    if let explicit, Files.exists(explicit), !Files.isFolder(explicit) {
      var location = try find()
      location.file = explicit
      return location
    }
    for named in [explicit, Files.environment(environmentVariable)] {
      guard let named else { continue }
      guard holdsCorpus(named) else {
        throw CorpusError([CorpusProblem(file: named, message: "holds no clauses.json")])
      }
      return VectorsLocation(folder: named)
    }
    for start in [Files.executable, Files.realPath(".")] {
      if let start, let folder = searchUpward(from: start) {
        return VectorsLocation(folder: folder)
      }
    }
    if let folder = searchUpward(from: sourceFile) { return VectorsLocation(folder: folder) }
    throw CorpusError([
      CorpusProblem(
        file: "Vectors",
        message: "not found; name the folder with --vectors or \(environmentVariable)")
    ])
  }

  /// The nearest folder `Vectors` with a corpus beside a path or beside one of its parents.
  static func searchUpward(from path: String) -> String? {
    var components = path.split(separator: "/", omittingEmptySubsequences: true)
    while true {
      let candidate = "/" + (components + ["Vectors"]).joined(separator: "/")
      if holdsCorpus(candidate) { return candidate }
      guard components.popLast() != nil else { return nil }
    }
  }

  /// Reads what is there.
  public func read() -> CorpusReading {
    file.map { CorpusReading(file: $0, clausesOf: folder) } ?? CorpusReading(folder: folder)
  }

  private static func holdsCorpus(_ folder: String) -> Bool {
    Files.exists("\(folder)/clauses.json")
  }

  /// This file as the compiler saw it.
  private static let sourceFile: String = #filePath
}
