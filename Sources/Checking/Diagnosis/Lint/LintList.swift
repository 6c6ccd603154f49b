package import Conformance
internal import Datastore
public import JSON
public import ReferenceDatastore

/// The known dependencies of vectors on deviations: vectors that fail under a deviation although
/// they cite none of the clauses that it breaks, with the reason why they stay as they are.
public struct LintList: Sendable {
  /// The name of the file beside `clauses.json`.
  package static let fileName = "lint.json"

  /// The entries in the order of the file.
  public let entries: [Entry]

  /// Creates a list.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// Vectors that depend on one deviation.
  public struct Entry: Sendable {
    /// The deviation.
    public let deviation: Deviation
    /// A pattern for the ids of the vectors.
    package let vectors: Glob
    /// The number of these vectors that depend on the deviation, so that the pattern hides no later
    /// vector.
    package let count: Int
    /// Why the vectors depend on the deviation, for readers.
    public let reason: JSONString

    /// Whether the entry explains that a vector fails under a deviation.
    package func describes(_ vector: CorpusVector, under deviation: Deviation) -> Bool {
      self.deviation.id.utf8.elementsEqual(deviation.id.utf8) && vectors.matches(vector.id.text)
    }
  }
}

extension LintList {
  private static let format: JSONString = "touchstone-lint"

  /// Reads a list.
  public init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    try reader.requireFormat(Self.format, version: 1)
    entries = try reader.elements("entries") { (element, path) throws(DecodingFailure) in
      try Entry(element, path: path)
    }
    try reader.finish()
  }

  /// Reads the list of a corpus; the list is empty if the corpus has none.
  package static func read(_ folder: String) throws(CorpusError) -> LintList {
    let path = "\(folder)/\(fileName)"
    guard Files.exists(path) else { return LintList() }
    return try CorpusFile.read(path: path, named: fileName) { (json) throws(DecodingFailure) in
      try LintList(json)
    }
  }
}

extension LintList.Entry {
  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let id = try reader.filledText("deviation")
    vectors = Glob(try reader.filledText("vectors"))
    let count = try reader.optionalInteger("count") ?? 1
    guard let exact = Int(exactly: count), exact > 0 else {
      throw DecodingFailure(
        path: reader.path(to: "count"), message: "\(count) is not a number of vectors")
    }
    self.count = exact
    reason = try reader.filledText("reason")
    try reader.finish()
    guard let deviation = Deviation.named(id.string) else {
      throw DecodingFailure(
        path: reader.path(to: "deviation"),
        message: "unknown deviation '\(id)'; 'touchstone explain deviations' lists all")
    }
    self.deviation = deviation
  }

}
