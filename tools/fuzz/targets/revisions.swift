import Datastore
import JSON
import ReferenceDatastore
import RevisionTree
import SQLiteDatastore
import Storage

// Revision ids: an id is unchanged after a round trip, the collations are total orders, and the bundled
// store accepts and orders the ids of a document like the model.
//
// The first byte selects the collation, and whether the revisions are deletions. Each line is a path,
// newest first, with spaces between its ids.

// libFuzzer calls from one thread.
private nonisolated(unsafe) let model = ReferenceDatastore()
private nonisolated(unsafe) let store = SQLiteDatastore(storage: MemoryStorage())
private let linesMax = 16
private let idsMax = 16

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  guard size > 0 else { return 0 }
  let input = bytes(data, size)
  let name = CollationName.allCases[Int(input[0] >> 1) % CollationName.allCases.count]
  let id = newDocument()
  var records: [RevisionRecord] = []
  var found: [Revision] = []
  for line in input[1...].split(separator: UInt8(ascii: "\n"), maxSplits: linesMax) {
    var path: [RevisionID] = []
    for word in line.split(separator: UInt8(ascii: " ")).prefix(idsMax) {
      guard let text = JSONString(validating: word) else { continue }
      let rev = RevisionID(text)
      path.append(rev)
      if let revision = Revision(rev) { check(revision.id == rev, "\(rev) became \(revision)") }
      if let revision = Collation(name).revision(rev) { found.append(revision) }
    }
    records.append(
      RevisionRecord(
        id: id, path: path, deleted: (input[0] ^ UInt8(records.count & 1)) & 1 == 1,
        body: ["n": .integer(Int64(records.count))]))
  }
  checkOrder(found.prefix(8), Collation(name))
  compare(records, name)
  return 0
}

private nonisolated(unsafe) var runCount = 0

/// A new document. The stores are replaced only after many documents, because their creation is slow.
private func newDocument() -> DocumentID {
  if runCount % 500 == 0 {
    for collation in CollationName.allCases {
      let name = StoreName(JSONString(collation.rawValue))
      for action in [StoreAction.destroy, .open(collation: collation)] {
        model.setUp([StoreOperation(name, action)])
        store.setUp([StoreOperation(name, action)])
      }
    }
  }
  runCount += 1
  return DocumentID(JSONString("d\(runCount)"))
}

/// Checks that two revisions are ordered, and that the order of three is transitive.
private func checkOrder(_ revisions: ArraySlice<Revision>, _ collation: Collation) {
  for left in revisions {
    for right in revisions {
      let (forwards, backwards) = (
        collation.precedes(left, right), collation.precedes(right, left)
      )
      check(!(forwards && backwards), "\(left) and \(right) precede each other")
      check(forwards || backwards || left == right, "\(left) and \(right) are not ordered")
      // With generations of more than 8 digits the collation of CDTDatastore is not transitive.
      let isOrder = (revisions.map { $0.generation }.max() ?? 0) < 100_000_000
      guard forwards, isOrder || collation.name != .cdt else { continue }
      for third in revisions where collation.precedes(right, third) {
        check(collation.precedes(left, third), "\(left), \(right), \(third): not transitive")
      }
    }
  }
}

private func compare(_ records: [RevisionRecord], _ collation: CollationName) {
  guard let id = records.first?.id else { return }
  let operations: [StoreAction] = [
    .insertRevisions(records), .leaves(id: id), .read(id: id),
    .getRevisions([RevisionQuery(id: id, revs: records.compactMap { $0.path.first })]),
    .revsDiff([RevisionQuery(id: id, revs: records.flatMap { $0.path })]), .info,
  ]
  for action in operations {
    let operation = StoreOperation(StoreName(JSONString(collation.rawValue)), action)
    let (right, seen) = (model.outcome(operation), store.outcome(operation))
    seen.checkSpelling(of: action)
    check(
      right.comparable.isSameValue(as: seen.comparable),
      "\(operation): the model returns \(right), the store \(seen)")
  }
}

extension Outcome {
  /// The outcome without messages, sequences and the incarnation, which a store chooses.
  fileprivate var comparable: JSONValue { Self.comparable(json, in: nil) }

  private static let decided: Set<JSONString> = ["message", "seq", "last", "incarnation"]

  private static func comparable(_ json: JSONValue, in member: JSONString?) -> JSONValue {
    switch json {
    case .object(let object):
      let members = object.members.filter { !decided.contains($0.name) }
      return .object(JSONObject(members.map { ($0.name, comparable($0.value, in: $0.name)) }))
    case .array(let elements):
      let elements = elements.map { comparable($0, in: nil) }
      guard member == "missing" || member == "possibleAncestors" else { return .array(elements) }
      // These lists have no order.
      return .array(
        elements.sorted { $0.serialized().utf8.lexicographicallyPrecedes($1.serialized().utf8) })
    default: return json
    }
  }
}
