import Datastore
import JSON

@testable import SQLiteDatastore

/// An operation on a named document, whose cost must not depend on the rest of the store.
enum KeyedOperation: String, CaseIterable {
  case info, read, readRevision, leaves
  case list, listDescending, changes, changesAtEnd
  case revsDiff, revsDiffOfAbsent, getRevisions, getLatest
  case find, findRange, findInOrder
  case readLocal, readAttachment
  case writeLocal, replaceLocal, deleteLocal
  case create, createWithAttachment, update, delete
  case insertNew, insertChild, insertBranch, resolve, purge, batch

  var isWrite: Bool {
    switch self {
    case .writeLocal, .replaceLocal, .deleteLocal, .create, .createWithAttachment, .update, .delete,
      .insertNew, .insertChild, .insertBranch, .resolve, .purge, .batch:
      true
    default: false
    }
  }

  static let writes = allCases.filter { $0.isWrite }

  /// The preparation of the document for the operation.
  func preparation(_ number: Int) -> StoreAction? {
    switch self {
    case .resolve, .purge: Self.insert(number, Self.branch(number))
    default: nil
    }
  }

  /// The operation on a document of a filled store, which has an attachment; it was not performed
  /// on the document before.
  func action(_ number: Int, of count: Int) -> StoreAction {
    let id = FilledStore.id(number)
    let (tip, root) = (FilledStore.rev(2, number), FilledStore.rev(1, number))
    let group = JSONValue.string(FilledStore.group(number))
    switch self {
    case .info: return .info
    case .read: return .read(id: id)
    case .readRevision: return .read(id: id, rev: tip)
    case .leaves: return .leaves(id: id)
    case .list: return .list(from: id, limit: 20)
    case .listDescending: return .list(from: id, limit: 20, descending: true)
    case .changes: return .changes(since: Self.sequence(number), limit: 20)
    case .changesAtEnd: return .changes(since: Self.sequence(count), limit: 20)
    case .revsDiff:
      return .revsDiff([
        RevisionQuery(id: id, revs: [tip, FilledStore.rev(3, number)]),
        RevisionQuery(id: FilledStore.id(number + 1), revs: [FilledStore.rev(2, number + 1)]),
      ])
    case .revsDiffOfAbsent: return .revsDiff([RevisionQuery(id: Self.absent(number), revs: [tip])])
    case .getRevisions: return .getRevisions([RevisionQuery(id: id, revs: [tip])])
    case .getLatest: return .getRevisions([RevisionQuery(id: id, revs: [root], latest: true)])
    case .find: return .finding(.find(FindRequest(["group": group])))
    case .findRange:
      let range: JSONValue = ["$gte": group, "$lt": .string(FilledStore.group(number + 10))]
      return .finding(.find(FindRequest(["group": range])))
    case .findInOrder:
      return .finding(.find(FindRequest([:], sort: [SortKey("group")], limit: 10)))
    case .readLocal: return .readLocal(id: FilledStore.localID(number))
    case .writeLocal: return .writeLocal(id: Self.absent(number), body: ["seen": 1])
    case .replaceLocal: return .writeLocal(id: FilledStore.localID(number), body: ["seen": 1])
    case .deleteLocal: return .writeLocal(id: FilledStore.localID(number), body: nil)
    case .readAttachment: return .readAttachment(id: id, name: "content")
    default: return write(number)
    }
  }

  private func write(_ number: Int) -> StoreAction {
    let (id, tip) = (FilledStore.id(number), FilledStore.rev(2, number))
    let body: JSONValue = ["group": .string(FilledStore.group(number + 10)), "n": 1]
    switch self {
    case .update: return .update(id: id, rev: tip, body: body)
    case .delete: return .delete(id: id, rev: tip)
    case .insertNew:
      let path = FilledStore.record(number).path
      return .insertRevisions([RevisionRecord(id: Self.absent(number), path: path, body: body)])
    case .insertChild: return Self.insert(number, [FilledStore.rev(3, number), tip])
    case .insertBranch: return Self.insert(number, Self.branch(number))
    case .resolve:
      return .resolve(id: id, leaves: [tip, Self.branch(number)[0]], keep: tip, body: body)
    case .purge: return .purge(id: id, revs: [Self.branch(number)[0]])
    case .batch: return .batch([Self.create(number), .delete(id: id, rev: tip)])
    case .createWithAttachment:
      return .attaching([data("x", "content of \(number)")], to: Self.create(number))
    default: return Self.create(number)
    }
  }

  private static func create(_ number: Int) -> StoreAction {
    .create(id: absent(number), body: FilledStore.record(number).body)
  }

  private static func insert(_ number: Int, _ path: [RevisionID]) -> StoreAction {
    .insertRevisions([
      RevisionRecord(id: FilledStore.id(number), path: path, body: ["group": "other"])
    ])
  }

  /// Another child of the root.
  private static func branch(_ number: Int) -> [RevisionID] {
    [FilledStore.rev(2, number + 2_000_000), FilledStore.rev(1, number)]
  }

  /// An id of no document, next to that of an existing one.
  private static func absent(_ number: Int) -> DocumentID {
    DocumentID(JSONString("\(FilledStore.id(number))x"))
  }

  private static func sequence(_ number: Int) -> UpdateSequence {
    .text(JSONString("\(number)-\(FilledStore.incarnation.prefix(8))"))
  }
}
