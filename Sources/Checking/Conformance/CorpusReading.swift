internal import Datastore
internal import Digest
internal import JSON
internal import Scenarios

/// The readable part of a folder, and its problems.
///
/// A vector is read up to its first error, so later errors may be hidden.
public struct CorpusReading: Sendable {
  /// All valid vectors.
  public private(set) var corpus: Corpus
  /// The problems in the order in which they were found.
  public private(set) var problems: [CorpusProblem] = []

  /// The folder of the file names; empty for names that are paths.
  private var folder: String
  private var clauses: [Clause] = []
  private var clausesByID: [ClauseID: Clause] = [:]
  private var vectors: [CorpusVector] = []
  /// The vectors without a problem.
  private var sound: [CorpusVector] = []
  /// The first file with each id.
  private var files: [VectorID: String] = [:]
  /// The SHA-256 of each file, in lower-case hexadecimal.
  private var digests: [JSONString: JSONString] = [:]

  /// Folders of a corpus without vectors.
  private static let otherFolders: Set<String> = [
    "http", "objects", "products", "schema", "schemas",
  ]

  /// The default corpus; read once per process, because reading takes seconds without optimization.
  package static let standard = Result { () throws(CorpusError) in try VectorsLocation.find().read()
  }

  /// Reads a folder; a problem does not stop the reading.
  public init(folder: String) {
    self.folder = folder
    corpus = Corpus(folder: folder, clauses: [], vectors: [])
    readClauses()
    for file in vectorFiles() { readVectors(file) }
    let (integrity, sha256) = compareWithManifest()
    corpus = Corpus(
      folder: folder, clauses: clauses, vectors: vectors, integrity: integrity,
      manifestSHA256: sha256)
  }

  /// Reads one file of vectors at any path, with the clauses of a folder.
  public init(file: String, clausesOf folder: String) {
    self.folder = folder
    corpus = Corpus(folder: folder, clauses: [], vectors: [])
    readClauses()
    self.folder = ""
    readVectors(file)
    corpus = Corpus(folder: folder, clauses: clauses, vectors: vectors)
  }

  /// Returns the corpus for a run, in which problems of reading are differences from the manifest.
  ///
  /// It has the vectors without a problem; of duplicates, the first. Throws all problems if the
  /// folder has no manifest, if only one file was read, or if no vector is left.
  package func corpusForRun() throws(CorpusError) -> Corpus {
    guard !problems.isEmpty else { return corpus }
    switch corpus.integrity {
    case .noManifest, .part: throw CorpusError(problems)
    case .released, .otherManifest, .incomplete: break
    }
    guard !sound.isEmpty else { throw CorpusError(problems) }
    return Corpus(
      folder: corpus.folder, clauses: corpus.clauses, vectors: sound,
      integrity: .incomplete(problems + corpus.differences), manifestSHA256: corpus.manifestSHA256)
  }

  /// Returns the comparison with the manifest, and the SHA-256 of the manifest.
  private func compareWithManifest() -> (Corpus.Integrity, String?) {
    let path = "\(folder)/\(Manifest.fileName)"
    guard Files.exists(path) else { return (.noManifest, nil) }
    var sha256: String?
    do throws(CorpusError) {
      do throws(Files.Failure) {
        sha256 = DigestAlgorithm.sha256.digest(of: try Files.read(path)).hexadecimal
      } catch {
        throw CorpusError([CorpusProblem(file: Manifest.fileName, message: error.reason)])
      }
      guard let sha256, let manifest = try Manifest.read(folder) else { return (.noManifest, nil) }
      let present = Corpus(folder: folder, clauses: clauses, vectors: vectors)
      return (
        Corpus.Integrity(of: present, manifest, sha256: sha256, digests: digests), sha256
      )
    } catch {
      return (.incomplete(error.problems), sha256)
    }
  }

  private mutating func report(
    _ file: String, _ vector: VectorID? = nil, path: String = "", message: String
  ) {
    problems.append(CorpusProblem(file: file, vector: vector, path: path, message: message))
  }

  private mutating func json(_ file: String) -> JSONValue? {
    do throws(Files.Failure) {
      let bytes = try Files.read(folder.isEmpty ? file : "\(folder)/\(file)")
      digests[JSONString(file)] = JSONString(DigestAlgorithm.sha256.digest(of: bytes).hexadecimal)
      do throws(JSONError) {
        return try JSONValue.parse(bytes)
      } catch {
        report(file, nil, path: Self.place(of: error.offset, in: bytes), message: error.description)
      }
    } catch {
      report(file, nil, path: "", message: error.reason)
    }
    return nil
  }

  /// Returns the line of an offset and the byte in that line, both from 1.
  private static func place(of offset: Int, in bytes: [UInt8]) -> String {
    let before = bytes.prefix(offset)
    let newline = UInt8(ascii: "\n")
    let line = before.count { $0 == newline } + 1
    let column = offset - ((before.lastIndex(of: newline) ?? -1) + 1) + 1
    return "line \(line), byte column \(column)"
  }

  private mutating func readClauses() {
    let file = "clauses.json"
    guard let json = json(file) else { return }
    do throws(DecodingFailure) {
      var reader = try ObjectReader(json)
      let elements = try reader.array("clauses")
      try reader.finish()
      for (index, element) in elements.enumerated() {
        do throws(DecodingFailure) {
          let clause = try Clause(element, path: "clauses[\(index)]")
          if clausesByID.updateValue(clause, forKey: clause.id) != nil {
            report(
              file, nil, path: "clauses[\(index)].id", message: "duplicate clause '\(clause.id)'")
          } else {
            clauses.append(clause)
          }
        } catch {
          report(file, nil, path: error.path, message: error.message)
        }
      }
    } catch {
      report(file, nil, path: error.path, message: error.message)
    }
  }

  /// Returns all JSON files in subfolders of the folder, in byte order of their paths.
  ///
  /// A folder with several paths is read once, by a path without links if there is one.
  private mutating func vectorFiles() -> [String] {
    var found: [String] = []
    var visited: Set<JSONString> = []
    var waiting = [""]
    var links: [String] = []
    while let path = waiting.popLast() ?? (links.isEmpty ? nil : links.removeFirst()) {
      let full = path.isEmpty ? folder : "\(folder)/\(path)"
      if let real = Files.realPath(full), !visited.insert(JSONString(real)).inserted { continue }
      let names: [String]
      do throws(Files.Failure) {
        names = try Files.names(inFolder: full)
      } catch {
        report(path.isEmpty ? folder : path, nil, path: "", message: error.reason)
        continue
      }
      for name in names {
        let inner = path.isEmpty ? name : "\(path)/\(name)"
        if Files.isFolder("\(folder)/\(inner)") {
          if path.isEmpty, Self.otherFolders.contains(name) {
            // A link to the folder itself is not followed.
            if let real = Files.realPath("\(folder)/\(inner)") { visited.insert(JSONString(real)) }
          } else if Files.isLink("\(folder)/\(inner)") {
            links.append(inner)
          } else {
            waiting.append(inner)
          }
        } else if !path.isEmpty, inner.utf8.hasSuffix(".json") {
          found.append(inner)
        }
      }
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private mutating func readVectors(_ file: String) {
    guard let json = json(file) else { return }
    let reading = VectorFile.Reading(json)
    let faulty = Set(reading.findings.compactMap(\.vector))
    for finding in reading.findings {
      report(file, finding.vector, path: finding.failure.path, message: finding.failure.message)
    }
    guard let read = reading.file else { return }
    for (vector, place) in zip(read.vectors, reading.places) {
      let path = "vectors[\(place)]"
      let earlierProblems = problems.count
      for (inner, message) in placementProblems(vector, family: read.family, file: file) {
        report(file, vector.id, path: "\(path).\(inner)", message: message)
      }
      if let first = files.updateValue(file, forKey: vector.id) {
        report(file, vector.id, path: "\(path).id", message: "duplicate id, also in \(first)")
      }
      let cited = resolve(vector, file: file, path: path)
      vectors.append(CorpusVector(vector, clauses: cited, file: file))
      if problems.count == earlierProblems, !faulty.contains(vector.id) {
        sound.append(vectors[vectors.count - 1])
      }
    }
  }

  /// Returns the clauses of a vector; unknown ones and a `oneOf` without an ambiguous clause are
  /// problems.
  private mutating func resolve(_ vector: Vector, file: String, path: String) -> [Clause] {
    var cited: [Clause] = []
    for (index, id) in vector.clauses.enumerated() {
      if let clause = clausesByID[id] {
        cited.append(clause)
      } else {
        report(
          file, vector.id, path: "\(path).clauses[\(index)]", message: "unknown clause '\(id)'")
      }
    }
    for (index, step) in vector.steps.enumerated() {
      if case .oneOf = step.expectation, !cited.contains(where: \.isAmbiguous) {
        report(
          file, vector.id, path: "\(path).steps[\(index)].expect",
          message: "'oneOf' needs a clause whose status is ambiguous")
      }
    }
    return cited
  }
}

extension String.UTF8View {
  fileprivate func hasSuffix(_ suffix: String) -> Bool {
    count >= suffix.utf8.count && self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}
