internal import JSON

/// The clauses and vectors of the HTTP interface.
public struct WireCorpus: Sendable {
  /// The clauses, in order.
  public let clauses: [WireClause]
  /// The vectors with their files, in order.
  public let vectors: [Entry]
  /// The problems of the files, for readers; a vector with one is left out.
  public let problems: [String]

  /// A vector in its file.
  public struct Entry: Hashable, Sendable {
    /// The vector.
    public let vector: WireVector
    /// The name of the file.
    public let file: String
  }

  /// The name of the folder below `Vectors`.
  public static let folderName = "http"
  /// The name of the file of clauses.
  public static let clausesName = "clauses.json"

  /// Reads the files of the folder.
  ///
  /// - Parameter files: the bytes of the JSON files by name, in the order of the names.
  public init(files: [(name: String, bytes: [UInt8])]) {
    var problems: [String] = []
    var clauses: [WireClause] = []
    var vectors: [Entry] = []
    for file in files {
      do throws(JSONError) {
        let json = try JSONValue.parse(file.bytes)
        if Array((json.pretty() + "\n").utf8) != file.bytes {
          problems.append("\(file.name): not in the canonical form")
        }
        do throws(DecodingFailure) {
          if JSONString(file.name) == JSONString(Self.clausesName) {
            clauses = try Self.clauses(json)
          } else {
            vectors += try Self.vectors(json).map { Entry(vector: $0, file: file.name) }
          }
        } catch {
          problems.append("\(file.name): \(error)")
        }
      } catch {
        problems.append("\(file.name): \(error)")
      }
    }
    problems += Self.problems(clauses, vectors)
    (self.clauses, self.vectors, self.problems) = (clauses, vectors, problems)
  }

  /// The clauses of a vector, in its order.
  public func clauses(of vector: WireVector) -> [WireClause] {
    vector.clauses.compactMap { id in clauses.first { $0.id == id } }
  }

  private static func clauses(_ json: JSONValue) throws(DecodingFailure) -> [WireClause] {
    var reader = try ObjectReader(json)
    let clauses = try reader.elements("clauses") { value, path throws(DecodingFailure) in
      try WireClause(value, path: path)
    }
    try reader.finish()
    return clauses
  }

  private static func vectors(_ json: JSONValue) throws(DecodingFailure) -> [WireVector] {
    var reader = try ObjectReader(json)
    _ = try reader.text("about")
    let vectors = try reader.elements("vectors") { value, path throws(DecodingFailure) in
      try WireVector(value, path: path)
    }
    try reader.finish()
    return vectors
  }

  /// The ids that occur twice, unknown clauses, and clauses without a vector.
  private static func problems(_ clauses: [WireClause], _ vectors: [Entry]) -> [String] {
    var problems: [String] = []
    var known: Set<JSONString> = []
    for clause in clauses where !known.insert(clause.id).inserted {
      problems.append("\(clausesName): \(clause.id) occurs twice")
    }
    var cited: Set<JSONString> = []
    var ids: Set<JSONString> = []
    for entry in vectors {
      let id = entry.vector.id
      if !ids.insert(id).inserted { problems.append("\(entry.file): \(id) occurs twice") }
      for clause in entry.vector.clauses where !known.contains(clause) {
        problems.append("\(entry.file): \(id): unknown clause \(clause)")
      }
      cited.formUnion(entry.vector.clauses)
    }
    for clause in clauses where !cited.contains(clause.id) {
      problems.append("\(clausesName): no vector tests \(clause.id)")
    }
    return problems
  }
}
