public import Datastore
public import Scenarios

/// The clauses and vectors of one folder.
///
/// The folder holds `clauses.json` and, in `core`, `capabilities`, `profiles` and `observed`, the
/// vector files; they are read in byte order of their paths, and all order in reports follows.
public struct Corpus: Sendable {
  public let folder: String
  public let clauses: [Clause]
  public let vectors: [CorpusVector]
  /// Whether these are all the vectors there are; some files of a corpus prove no conformance.
  public let isWhole: Bool

  public init(
    folder: String = "", clauses: [Clause], vectors: [CorpusVector], isWhole: Bool = false
  ) {
    self.folder = folder
    self.isWhole = isWhole
    self.clauses = clauses
    self.vectors = vectors
  }

  /// Reads a folder in which nothing is wrong; throws all the problems that reading finds.
  public init(folder: String) throws(CorpusError) {
    try self.init(CorpusReading(folder: folder))
  }

  /// Reads what is at a location; throws all the problems that reading finds.
  public init(_ location: VectorsLocation) throws(CorpusError) {
    try self.init(location.read())
  }

  private init(_ reading: CorpusReading) throws(CorpusError) {
    guard reading.problems.isEmpty else { throw CorpusError(reading.problems) }
    self = reading.corpus
  }

  /// The corpus that comes with Touchstone, or the one that the environment names.
  public static func standard() throws(CorpusError) -> Corpus {
    try Corpus(try VectorsLocation.find())
  }

  /// The vector with this id.
  public func vector(_ id: VectorID) -> CorpusVector? { vectors.first { $0.id == id } }

  /// The MUST clauses that no vector shows.
  public var uncoveredClauses: [Clause] {
    let covered = Set(vectors.flatMap { $0.vector.clauses })
    return clauses.filter { $0.level == .must && !covered.contains($0.id) }
  }
}

/// A folder that is not a corpus, and what is wrong with it.
public struct CorpusError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Never empty.
  public let problems: [CorpusProblem]

  package init(_ problems: [CorpusProblem]) { self.problems = problems }

  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

/// One thing that is wrong in a file of a corpus.
public struct CorpusProblem: Hashable, Sendable, CustomStringConvertible {
  /// Relative to the folder of the corpus.
  public let file: String
  public let vector: VectorID?
  /// Where in the file, such as `vectors[3].steps[0].do.rev`; empty for the file itself.
  public let path: String
  /// What is wrong and what was expected.
  public let message: String

  init(file: String, vector: VectorID? = nil, path: String = "", message: String) {
    self.file = file
    self.vector = vector
    self.path = path
    self.message = message
  }

  public var description: String {
    let parts = [file, vector?.description ?? "", path, message]
    return parts.filter { !$0.utf8.isEmpty }.joined(separator: ": ")
  }
}
