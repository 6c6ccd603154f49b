internal import Datastore
internal import JSON

/// The history of a seed: revisions that arrive at some stores, and sessions between them.
///
/// Revisions have fixed names, so that the outcomes of all stores can be compared.
struct LawHistory {
  static let stores: [StoreName] = ["a", "b", "c"]
  static let documents = 3

  private(set) var steps: [Step] = []
  /// The same revisions in another order.
  private(set) var shuffled: [RevisionRecord] = []

  enum Step {
    case arrive(store: Int, [RevisionRecord])
    case replicate(source: Int, target: Int)
  }

  init(seed: UInt64) {
    var random = KeyedRandom(seed: seed, key: 0x1a3)
    var branches: [[[RevisionID]]] = Array(repeating: [], count: Self.documents)
    for _ in 0..<4 + random.below(8) {
      if random.chance(1, in: 3) {
        let source = random.below(Self.stores.count)
        let target = (source + 1 + random.below(Self.stores.count - 1)) % Self.stores.count
        steps.append(.replicate(source: source, target: target))
        continue
      }
      var records: [RevisionRecord] = []
      for _ in 0...random.below(3) {
        let document = random.below(Self.documents)
        // A new root, or a child of any revision that exists somewhere.
        let parent = random.chance(1, in: 4) ? [] : random.pick(branches[document]) ?? []
        let suffix = String(random.next() | 1 << 63, radix: 16)
        let path = [RevisionID(JSONString("\(parent.count + 1)-\(suffix)"))] + parent
        branches[document].append(path)
        let isDeleted = random.chance(1, in: 4)
        records.append(
          RevisionRecord(
            id: DocumentID(JSONString("d\(document)")), path: path, deleted: isDeleted,
            body: isDeleted ? [:] : ["n": .integer(Int64(random.below(100)))]))
      }
      steps.append(.arrive(store: random.below(Self.stores.count), records))
    }
    var rest = records
    while !rest.isEmpty { shuffled.append(rest.remove(at: random.below(rest.count))) }
  }

  /// All revisions in the order of the history.
  var records: [RevisionRecord] {
    steps.flatMap { step -> [RevisionRecord] in
      if case .arrive(_, let records) = step { records } else { [] }
    }
  }
}

/// A variant of a history; a law states that its result is equal.
struct Telling {
  /// The store for each store of the history, by index.
  var stores = [0, 1, 2]
  var names: [DocumentID] = (0..<LawHistory.documents).map { DocumentID(JSONString("d\($0)")) }
  var isSplit = false
  /// The steps before which all stores are closed and reopened.
  var restarts: Set<Int> = []

  func id(_ id: DocumentID) -> DocumentID {
    let number = LawHistory.documents
    return (0..<number).first { id == DocumentID(JSONString("d\($0)")) }.map { names[$0] } ?? id
  }

  func record(_ record: RevisionRecord) -> RevisionRecord {
    var record = record
    record.id = id(record.id)
    return record
  }
}
