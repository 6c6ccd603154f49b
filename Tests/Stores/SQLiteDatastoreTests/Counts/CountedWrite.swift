import Datastore
import JSON
import SQLiteDatastore
import Storage

/// A kind of acknowledged write, and an instance of it on a store prepared for it.
enum CountedWrite: String, CaseIterable {
  case create, createOnTombstone, update, delete
  case insertOne, insertTen, insertThousand, insertPath, insertBranch, insertOnBranch
  case writeLocal, replaceLocal, deleteLocal, writeCheckpoint
  case resolve, resolveWithBody, purge, purgeDocument
  case compact, historyLimit, cutByLimit, batch, setValidation
  case createIndex, dropIndex

  static let documentCount = 1000

  static func id(_ number: Int) -> DocumentID {
    let digits = String(number)
    return DocumentID(JSONString("d\(String(repeating: "0", count: 6 - digits.count))\(digits)"))
  }

  /// A name as long as those with a digest.
  static func rev(_ generation: Int, _ number: Int) -> RevisionID {
    let digits = String(number &* 2_654_435_761 % 0xffff_ffff, radix: 16)
    return RevisionID(
      JSONString("\(generation)-\(String(repeating: "0", count: 32 - digits.count))\(digits)"))
  }

  static func body(_ number: Int) -> JSONValue {
    ["n": .integer(Int64(number)), "group": .integer(Int64(number / 10)), "text": "some words"]
  }

  static func record(_ number: Int) -> RevisionRecord {
    RevisionRecord(
      id: id(number), path: [rev(2, number), rev(1, number)], body: body(number))
  }

  /// A checkpoint with a history of maximum length.
  static func checkpoint(_ number: Int) -> JSONValue {
    let entries = (0..<50).map { place -> JSONValue in
      [
        "session": .string(rev(1, number + place).text),
        "recorded": .string(JSONString("\(number + place)-\(rev(1, 7).text)")),
      ]
    }
    return ["history": .array(entries)]
  }

  /// The file of a store with data for every write: ids in random order, bodies that compaction
  /// drops, a document with three leaves, a tombstone, local documents and, optionally, an index.
  static func file(hasIndex: Bool) -> [UInt8]? { hasIndex ? indexedFile : plainFile }

  private static let plainFile = filledFile(hasIndex: false)
  private static let indexedFile = filledFile(hasIndex: true)

  private static func filledFile(hasIndex: Bool) -> [UInt8]? {
    let bench = Bench()
    if hasIndex {
      bench.perform(.finding(.createIndex(IndexDefinition("group", fields: ["group"]))))
    }
    bench.perform(
      .insertRevisions((0..<documentCount).map { record(($0 * 367 + 11) % documentCount) }))
    bench.perform(
      .insertRevisions(
        (100..<200).map {
          RevisionRecord(id: id($0), path: [rev(3, $0), rev(2, $0)], body: body($0 + 1))
        }))
    bench.insert(id(5), [rev(2, 5001), rev(1, 5)], body: body(5))
    bench.insert(id(5), [rev(2, 5002), rev(1, 5)], body: body(5))
    bench.insert(id(6), [rev(3, 6), rev(2, 6)], deleted: true)
    bench.perform(.writeLocal(id: "other", body: ["seen": 1]))
    bench.perform(.writeLocal(id: "checkpoint", body: checkpoint(1)))
    bench.perform(.close)
    return bench.storage["notes.sqlite"]
  }

  /// Preparation that is not counted: the first write to a log also writes its header.
  func prepare(_ bench: Bench) {
    bench.perform(.writeLocal(id: "first", body: [:]))
    if self == .cutByLimit {
      bench.perform(.historyLimit(2))
      // Rows written before others are deleted may split a full page; this one has room.
      bench.insert(Self.id(490), [Self.rev(3, 490), Self.rev(2, 490)])
    }
  }

  var action: StoreAction {
    let records = (1001...2000).map { Self.record($0 * 7) }
    switch self {
    case .create: return .create(id: "d000500x", body: Self.body(1))
    case .createOnTombstone: return .create(id: Self.id(6), body: Self.body(1))
    case .update: return .update(id: Self.id(500), rev: Self.rev(2, 500), body: Self.body(1))
    case .delete: return .delete(id: Self.id(500), rev: Self.rev(2, 500))
    case .insertOne: return .insertRevisions([records[0]])
    case .insertTen: return .insertRevisions(Array(records.prefix(10)))
    case .insertThousand: return .insertRevisions(records)
    case .insertPath:
      let path = (2...40).reversed().map { Self.rev($0, 500) }
      return .insertRevisions([RevisionRecord(id: Self.id(500), path: path, body: Self.body(1))])
    case .insertBranch:
      let path = [Self.rev(2, 501), Self.rev(1, 500)]
      return .insertRevisions([RevisionRecord(id: Self.id(500), path: path, body: Self.body(1))])
    case .cutByLimit:
      let path = [Self.rev(4, 490), Self.rev(3, 490)]
      return .insertRevisions([RevisionRecord(id: Self.id(490), path: path, body: Self.body(1))])
    case .insertOnBranch:
      let path = [Self.rev(3, 5), Self.rev(2, 5)]
      return .insertRevisions([RevisionRecord(id: Self.id(5), path: path, body: Self.body(1))])
    case .writeLocal: return .writeLocal(id: "new", body: ["seen": 2])
    case .replaceLocal: return .writeLocal(id: "other", body: ["seen": 123])
    case .deleteLocal: return .writeLocal(id: "other", body: nil)
    case .writeCheckpoint: return .writeLocal(id: "checkpoint", body: Self.checkpoint(2))
    case .purgeDocument: return .purge(id: Self.id(500), revs: [Self.rev(2, 500)])
    case .compact: return .compact
    case .historyLimit: return .historyLimit(10)
    case .batch:
      return .batch((1...10).map { .create(id: Self.id(2000 + $0), body: Self.body($0)) })
    case .setValidation: return .setValidation(refuse: .documentIDs(["x"]))
    case .createIndex: return .finding(.createIndex(IndexDefinition("n", fields: ["n"])))
    case .dropIndex: return .finding(.dropIndex(name: "group"))
    case .resolve, .resolveWithBody, .purge: return onThreeLeaves
    }
  }

  private var onThreeLeaves: StoreAction {
    let leaves = [Self.rev(2, 5), Self.rev(2, 5001), Self.rev(2, 5002)]
    switch self {
    case .purge: return .purge(id: Self.id(5), revs: [leaves[1]])
    default:
      return .resolve(
        id: Self.id(5), leaves: leaves, keep: leaves[0],
        body: self == .resolve ? nil : Self.body(1))
    }
  }
}
