internal import Datastore
internal import JSON
internal import Scenarios

/// Writes vectors by going through small scopes completely.
///
/// What happens in a scope is looked at in every form; of all that shows the same the smallest form
/// becomes a vector, and what it expects is what the model does. The same comes out every time.
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

  /// How many bytes a file may have.
  private static let bytesMax = 190_000

  /// Wider lines than people would write: these files are long and seldom read from end to end.
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
        "Revisions of one document as they come from elsewhere, with whole histories and with "
          + "cut ones, in all orders. Every forest of up to 5 revisions was looked at with every set "
          + "of records that can tell of it and with every record that can come next; of all that "
          + "shows the same the smallest is here. Store a hears the records one by one, store b in "
          + "another order in one call, and both must be alike."),
      agreed)
      + files(
        "forests-disputed", family: "forest",
        about: JSONString(
          "A revision comes again with a history that is longer than the one it is known with. "
            + "Stores may adopt it or not, so every vector ends at the first look."),
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
        "One document and what is done to it: created, updated and deleted by its winner, a losing "
          + "leaf, a stale or an unknown revision; joined by revisions from elsewhere; resolved, "
          + "purged, compacted. Every sequence of up to 4 operations was looked at; of all whose "
          + "last operation shows the same the shortest is here, with everything that can be asked "
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
          + "up to 4 writes and any sessions between 2 stores were looked at, and of up to 3 writes "
          + "between 3; of all that all stores hold alike in the end the shortest way is here. "
          + "Afterwards every store has to show the same leaves and the same winner."),
      vectors)
  }

  /// As few files as hold the vectors.
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
