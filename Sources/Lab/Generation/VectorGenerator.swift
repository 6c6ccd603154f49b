internal import Datastore
internal import JSON
internal import Scenarios

/// Writes vectors by enumerating small scopes exhaustively.
///
/// Every case of a scope is visited; the smallest of all cases with the same aspect becomes a
/// vector with the model's results as expectations. The output is deterministic.
public struct VectorGenerator {
  /// A file below the folder `generated`.
  public struct File: Hashable, Sendable {
    /// Such as `forests-1.json`.
    public let name: String
    public let text: String
  }

  public init() {}

  /// All files, in byte order of their names.
  public func files() throws(GenerationError) -> [File] {
    (try forests() + sequences() + sessions()).sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
  }

  /// The maximum number of bytes of a file.
  private static let bytesMax = 190_000

  /// Wider lines than in hand-written files, because these files are long and rarely read
  /// completely.
  private static func text(of json: JSONValue) -> String { json.pretty(indent: 1, width: 150) }

  private func forests() throws(GenerationError) -> [File] {
    let scope = 5
    var explorer = ForestExplorer(countMax: scope)
    explorer.explore()
    let writer = ForestVectors(scope: scope)
    var agreed: [Vector] = []
    for found in explorer.cases { agreed.append(try writer.vector(found)) }
    var disputed: [Vector] = []
    for schedule in explorer.disputed { disputed.append(try writer.vector(disputed: schedule)) }
    return files(
      "forests", family: "forest",
      about: JSONString(
        "Revisions of one document that arrive from other stores, with complete and with cut "
          + "histories, in all orders. Every forest of up to 5 revisions was enumerated with every "
          + "set of its records and with every record that can arrive next; the smallest case of "
          + "each effect is a vector. Store a gets the records one by one, store b in "
          + "another order in one call, and both must be equal."),
      agreed)
      + files(
        "forests-disputed", family: "forest",
        about: JSONString(
          "A known revision arrives again with a longer history. "
            + "Stores may adopt it or not, so every vector ends with the first read."),
        disputed)
  }

  private func sequences() throws(GenerationError) -> [File] {
    let scope = 4
    var explorer = SequenceExplorer(lengthMax: scope)
    explorer.explore()
    let writer = SequenceVectors(scope: scope)
    var vectors: [Vector] = []
    for found in explorer.cases { vectors.append(try writer.vector(found)) }
    return files(
      "sequences", family: "sequence",
      about: JSONString(
        "Operations on one document: created, updated and deleted by its winner, a losing "
          + "leaf, a stale or an unknown revision; joined by revisions from other stores; resolved, "
          + "purged, compacted. Every sequence of up to 4 operations was enumerated; the shortest "
          + "one of each effect of its last operation is a vector, with all reads "
          + "afterwards."),
      vectors)
  }

  private func sessions() throws(GenerationError) -> [File] {
    var vectors: [Vector] = []
    for (stores, scope) in [(2, 4), (3, 3)] {
      var explorer = SessionExplorer(stores: stores, writesMax: scope)
      try explorer.explore()
      let writer = SessionVectors(scope: scope)
      for found in explorer.cases { vectors.append(try writer.vector(found)) }
    }
    return files(
      "sessions", family: "session",
      about: JSONString(
        "One document that is written in several stores, and sessions between them. All orders of "
          + "up to 4 writes and any sessions between 2 stores were enumerated, and of up to 3 writes "
          + "between 3; the shortest path to each final state of the stores is a vector. "
          + "Afterwards every store must show the same leaves and the same winner."),
      vectors)
  }

  /// The smallest number of files for the vectors.
  private func files(
    _ name: String, family: JSONString, about: JSONString, _ vectors: [Vector]
  ) -> [File] {
    var groups: [[Vector]] = [[]]
    var size = 0
    for vector in vectors {
      let bytes = Self.text(of: vector.json).utf8.count * 21 / 20
      if size + bytes > Self.bytesMax, !groups[groups.count - 1].isEmpty {
        groups.append([])
        size = 0
      }
      groups[groups.count - 1].append(vector)
      size += bytes
    }
    return groups.enumerated().map { index, vectors in
      let file = VectorFile(family: family, about: about, vectors: vectors)
      return File(
        name: groups.count == 1 ? "\(name).json" : "\(name)-\(index + 1).json",
        text: Self.text(of: file.json) + "\n")
    }
  }
}
