internal import Datastore
internal import JSON

// Sizes at the ends of buffers, and the largest sizes that every store accepts.

extension OperationGenerator {
  /// The size of a body with an empty text, in bytes.
  private static let frameBytes = JSONValue.object(["t": ""]).serializedBytes().count

  /// A long body, several of them, or many records.
  ///
  /// - Parameter bytesMax: the longest body that the implementation accepts.
  mutating func bulk(_ store: StoreName, bytesMax: Int) -> StoreAction {
    let id = document(store)
    switch random.below(6) {
    case 0: return .create(id: id, body: longBody(bytesMax))
    case 1: return .update(id: id, rev: revision(id, store), body: longBody(bytesMax))
    case 2: return .writeLocal(id: id, body: longBody(bytesMax))
    case 3:
      return .insertRevisions(
        (0..<3).map { _ in
          var record = record(store)
          record.body = longBody(bytesMax)
          return record
        })
    case 4:
      let generation = random.pick([100, 600, 1000]) ?? 100
      let path = (0..<generation).map { RevisionID(JSONString("\(generation - $0)-a")) }
      // A separate document, so that histories do not contradict each other.
      return .insertRevisions([
        RevisionRecord(id: DocumentID(JSONString("path-\(generation)")), path: path, body: body())
      ])
    default:
      let first = random.below(100)
      return .insertRevisions(
        (first..<first + 150).map {
          RevisionRecord(id: DocumentID(JSONString("many-\($0)")), path: ["1-a"], body: ["n": 1])
        })
    }
  }

  private mutating func longBody(_ bytesMax: Int) -> JSONValue {
    let minimum = ImplementationDescription.Limits.minimum.bodyBytesMax
    let bytes = random.pick([65_537, 66_000, 300_000, minimum]) ?? minimum
    let count = min(bytes, bytesMax) - Self.frameBytes
    return ["t": .text(String(repeating: "x", count: count))]
  }
}
