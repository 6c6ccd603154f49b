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
  /// How the files compare with the manifest; only the released corpus proves conformance.
  public let integrity: Integrity
  /// The SHA-256 of the manifest in lower-case hexadecimal; nil when none was read.
  public let manifestSHA256: String?
  /// The rules that decide the verdict of a run.
  public let grade: ConformanceGrade

  /// Some vectors, which prove no conformance.
  public init(folder: String = "", clauses: [Clause], vectors: [CorpusVector]) {
    self.init(folder: folder, clauses: clauses, vectors: vectors, integrity: .part)
  }

  package init(
    folder: String = "", clauses: [Clause], vectors: [CorpusVector], integrity: Integrity,
    manifestSHA256: String? = nil, grade: ConformanceGrade = .contract
  ) {
    self.folder = folder
    self.integrity = integrity
    self.manifestSHA256 = manifestSHA256
    self.clauses = clauses
    self.vectors = vectors
    self.grade = grade
  }

  /// The same corpus, of which the rules of a grade decide the verdict.
  public func graded(_ grade: ConformanceGrade) -> Corpus {
    Corpus(
      folder: folder, clauses: clauses, vectors: vectors.map { $0.graded(grade) },
      integrity: integrity, manifestSHA256: manifestSHA256, grade: grade)
  }

  /// Reads a folder in which nothing is wrong; throws all the problems that reading finds.
  package init(folder: String) throws(CorpusError) {
    try self.init(CorpusReading(folder: folder))
  }

  /// Reads what is at a location; throws all the problems that reading finds.
  package init(_ location: VectorsLocation) throws(CorpusError) {
    try self.init(location.read())
  }

  /// The corpus of a reading; throws all the problems that it found.
  package init(_ reading: CorpusReading) throws(CorpusError) {
    guard reading.problems.isEmpty else { throw CorpusError(reading.problems) }
    self = reading.corpus
  }

  /// The corpus that comes with Touchstone, or the one that the environment names; read once per process.
  ///
  /// Throws the differences when files or vectors are not as its manifest says: tests over a corpus
  /// of which vectors are missing would pass. A corpus with another manifest than the released one
  /// is returned; `integrity` says so, and tests that pass with it prove no conformance. The families of
  /// operations that its vectors use have to be registered before.
  package static func released() throws(CorpusError) -> Corpus {
    let corpus = try Corpus(try CorpusReading.standard.get())
    guard corpus.differences.isEmpty else { throw CorpusError(corpus.differences) }
    return corpus
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
