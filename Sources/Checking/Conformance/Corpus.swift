public import Datastore
public import Scenarios

/// The clauses and vectors of one folder.
///
/// The folder contains `clauses.json` and the vector files in `core`, `capabilities`, `profiles`
/// and `observed`. Files are read in byte order of their paths, and reports use the same order.
public struct Corpus: Sendable {
  /// The path of the folder; empty for a corpus that was not read from one.
  public let folder: String
  /// The clauses in the order of the file.
  public let clauses: [Clause]
  /// The vectors in the order of their files.
  public let vectors: [CorpusVector]
  /// The comparison of the files with the manifest; only the released corpus proves conformance.
  public let integrity: Integrity
  /// The SHA-256 of the manifest in lower-case hexadecimal; nil if none was read.
  public let manifestSHA256: String?
  /// The rules that decide the verdict of a run.
  public let grade: ConformanceGrade

  /// A selection of vectors, which proves no conformance.
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

  /// Returns the same corpus with another grade.
  public func graded(_ grade: ConformanceGrade) -> Corpus {
    Corpus(
      folder: folder, clauses: clauses, vectors: vectors.map { $0.graded(grade) },
      integrity: integrity, manifestSHA256: manifestSHA256, grade: grade)
  }

  /// Reads a valid folder; throws all problems found while reading.
  package init(folder: String) throws(CorpusError) {
    try self.init(CorpusReading(folder: folder))
  }

  /// Reads the corpus at a location; throws all problems found while reading.
  package init(_ location: VectorsLocation) throws(CorpusError) {
    try self.init(location.read())
  }

  /// Returns the corpus of a reading; throws all its problems.
  package init(_ reading: CorpusReading) throws(CorpusError) {
    guard reading.problems.isEmpty else { throw CorpusError(reading.problems) }
    self = reading.corpus
  }

  /// Returns the corpus that comes with Touchstone, or the one named by the environment; read once
  /// per process.
  ///
  /// Throws the differences if files or vectors differ from the manifest, because tests over an
  /// incomplete corpus would pass. Returns a corpus with another manifest than the released one;
  /// `integrity` reports it, and tests that pass with it prove no conformance. Register the
  /// families of operations that its vectors use before the call.
  package static func released() throws(CorpusError) -> Corpus {
    let corpus = try Corpus(try CorpusReading.standard.get())
    guard corpus.differences.isEmpty else { throw CorpusError(corpus.differences) }
    return corpus
  }

  /// Returns the vector with this id.
  public func vector(_ id: VectorID) -> CorpusVector? { vectors.first { $0.id == id } }

  /// The MUST clauses without a vector.
  public var uncoveredClauses: [Clause] {
    let covered = Set(vectors.flatMap { $0.vector.clauses })
    return clauses.filter { $0.level == .must && !covered.contains($0.id) }
  }
}

/// An invalid folder of a corpus, with its problems.
public struct CorpusError: Error, Equatable, Sendable, CustomStringConvertible {
  /// At least one problem.
  public let problems: [CorpusProblem]

  package init(_ problems: [CorpusProblem]) { self.problems = problems }

  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

/// One problem in a file of a corpus.
public struct CorpusProblem: Hashable, Sendable, CustomStringConvertible {
  /// Relative to the folder of the corpus.
  public let file: String
  /// The vector with the problem; nil if it concerns the file.
  public let vector: VectorID?
  /// The path in the file, such as `vectors[3].steps[0].do.rev`; empty for the file itself.
  public let path: String
  /// What is wrong, and what was expected.
  public let message: String

  package init(file: String, vector: VectorID? = nil, path: String = "", message: String) {
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
