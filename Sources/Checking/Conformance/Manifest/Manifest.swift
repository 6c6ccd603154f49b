internal import Datastore
internal import Digest
package import JSON
internal import Scenarios

/// The files and ids of a corpus, with its retired ids: `manifest.json` beside the clauses.
///
/// All members but the retired ids are computed from the files. A run compares the files with it.
package struct Manifest: Hashable, Sendable {
  /// The clauses, then the files of vectors in the order of the corpus.
  package let files: [File]
  /// Written by hand; `touchstone vectors generate` keeps it.
  package let retiredVectors: [Retired]
  package let retiredClauses: [Retired]

  package static let fileName = "manifest.json"
  static let clausesName = "clauses.json"

  package struct File: Hashable, Sendable {
    /// Relative to the folder of the corpus.
    package let path: JSONString
    /// In lower-case hexadecimal.
    package let sha256: JSONString
    /// The number of its clauses or vectors.
    package let count: Int
    /// The ids in a hand-written file; nil for files that a script writes.
    package let ids: [JSONString]?
  }

  /// An id that is never used again.
  package struct Retired: Hashable, Sendable {
    package let id: JSONString
    package let reason: JSONString

    package init(id: JSONString, reason: JSONString) {
      self.id = id
      self.reason = reason
    }
  }

  init(files: [File], retiredVectors: [Retired], retiredClauses: [Retired]) {
    self.files = files
    self.retiredVectors = retiredVectors
    self.retiredClauses = retiredClauses
  }

  /// Creates the manifest of a corpus from its current files, with the retired ids of an earlier
  /// one.
  package init(of corpus: Corpus, after earlier: Manifest?) throws(CorpusError) {
    var groups: [(file: String, vectors: [CorpusVector])] = []
    for vector in corpus.vectors {
      if groups.last.map({ JSONString($0.file) }) == JSONString(vector.file) {
        groups[groups.count - 1].vectors.append(vector)
      } else {
        groups.append((vector.file, [vector]))
      }
    }
    var files = [
      try File(
        Self.clausesName, in: corpus.folder, corpus.clauses.count,
        ids: corpus.clauses.map(\.id.text))
    ]
    for (file, vectors) in groups {
      let isWritten = vectors.allSatisfy { $0.origin == .written }
      files.append(
        try File(
          file, in: corpus.folder, vectors.count, ids: isWritten ? vectors.map(\.id.text) : nil))
    }
    self.files = files
    retiredVectors = earlier?.retiredVectors ?? []
    retiredClauses = earlier?.retiredClauses ?? []
  }

  /// Returns the manifest of a folder; nil if it has no such file.
  package static func read(_ folder: String) throws(CorpusError) -> Manifest? {
    try CorpusFile.read(fileName, in: folder) { (json) throws(DecodingFailure) in
      try Manifest(json)
    }
  }
}

extension Manifest.File {
  fileprivate init(
    _ path: String, in folder: String, _ count: Int, ids: [JSONString]?
  ) throws(CorpusError) {
    self.path = JSONString(path)
    self.count = count
    self.ids = ids
    do throws(Files.Failure) {
      let digest = DigestAlgorithm.sha256.digest(of: try Files.read("\(folder)/\(path)"))
      sha256 = JSONString(digest.hexadecimal)
    } catch {
      throw CorpusError([CorpusProblem(file: path, message: error.reason)])
    }
  }
}

extension Manifest {
  /// Returns retired ids that are in use, and ids that disappeared without an entry.
  package func idProblems(in corpus: Corpus) -> [CorpusProblem] {
    let used = (
      vectors: Set(corpus.vectors.map(\.id.text)), clauses: Set(corpus.clauses.map(\.id.text))
    )
    return Self.reused(retiredVectors, used.vectors, noun: "vector")
      + Self.reused(retiredClauses, used.clauses, noun: "clause")
      + lost(from: files.dropFirst(), used.vectors, retiredVectors, noun: "vector")
      + lost(from: files.prefix(1), used.clauses, retiredClauses, noun: "clause")
  }

  private static func reused(
    _ retired: [Retired], _ used: Set<JSONString>, noun: String
  ) -> [CorpusProblem] {
    retired.filter { used.contains($0.id) }.map {
      CorpusProblem(
        file: fileName, path: "retired",
        message: "the \(noun) '\($0.id)' is retired (\($0.reason)); choose another id")
    }
  }

  private func lost(
    from files: ArraySlice<File>, _ used: Set<JSONString>, _ retired: [Retired], noun: String
  ) -> [CorpusProblem] {
    let known = used.union(retired.map(\.id))
    return files.flatMap { file in
      (file.ids ?? []).filter { !known.contains($0) }.map {
        CorpusProblem(
          file: Self.fileName, path: file.path.string,
          message: "the \(noun) '\($0)' is missing; list it below 'retired', with the reason")
      }
    }
  }

  /// Returns the other problems of the manifest: ids, and files that differ from the list.
  package func problems(in corpus: Corpus) throws(CorpusError) -> [CorpusProblem] {
    let ids = idProblems(in: corpus)
    guard ids.isEmpty else { return ids }
    let present = try Manifest(of: corpus, after: self)
    let (listed, there) = (Set(files), Set(present.files))
    let differing =
      present.files.filter { !listed.contains($0) }.map(\.path)
      + files.filter { file in !there.contains { $0.path == file.path } }.map(\.path)
    return differing.map {
      CorpusProblem(
        file: $0.string,
        message: "differs from \(Self.fileName); run 'touchstone vectors generate'")
    }
  }
}
