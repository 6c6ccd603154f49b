import Datastore
import JSON
import SQLiteDatastore
import Storage

/// A datastore on files in memory, with one store.
final class Bench {
  let storage: MemoryStorage
  let datastore: SQLiteDatastore
  var environment = RunEnvironment(seed: 1)
  var store: StoreName = "notes"

  init(
    storage: MemoryStorage = MemoryStorage(), revisionIDs: RevisionIDProfile? = nil,
    collation: CollationName? = nil, opens: Bool = true, checkpointPages: Int? = nil,
    readsFiles: Bool = false
  ) {
    self.storage = storage
    datastore = SQLiteDatastore(
      storage: storage, readsFiles: readsFiles, checkpointPages: checkpointPages)
    if opens { perform(.open(revisionIDs: revisionIDs, collation: collation)) }
  }

  @discardableResult
  func perform(_ action: StoreAction, on other: StoreName? = nil) -> Outcome {
    do {
      return try datastore.perform(StoreOperation(other ?? store, action), environment)
    } catch {
      return .unknown
    }
  }

  /// The kind of error of an action, or nil if it succeeds.
  func failure(_ action: StoreAction) -> DatastoreError.Kind? { perform(action).errorKind }

  /// The revision written by an action, or a text that is not a valid revision id.
  func written(_ action: StoreAction) -> RevisionID {
    switch perform(action) {
    case .ok(.written(_, let rev)), .ok(.resolved(let rev, _)): rev
    case let outcome: RevisionID(JSONString("not written: \(outcome)"))
    }
  }

  /// Inserts one record and returns its error.
  @discardableResult
  func insert(
    _ id: DocumentID, _ path: [RevisionID], deleted: Bool = false, body: JSONValue = [:]
  ) -> DatastoreError? {
    let record = RevisionRecord(id: id, path: path, deleted: deleted, body: body)
    guard case .ok(.inserted(let results)) = perform(.insertRevisions([record])) else {
      return DatastoreError(.badRequest(path: "records"), "the call failed")
    }
    return results.first ?? nil
  }

  func body(_ id: DocumentID, _ rev: RevisionID? = nil) -> JSONValue? {
    guard case .ok(.document(let document)) = perform(.read(id: id, rev: rev)) else { return nil }
    return document.body
  }

  /// The leaves, winner first, with `-` before tombstones.
  func leaves(_ id: DocumentID) -> [String] {
    guard case .ok(.leaves(let leaves)) = perform(.leaves(id: id)) else { return [] }
    return leaves.map { ($0.deleted ? "-" : "") + $0.rev.text.string }
  }

  /// The path with which a revision is returned.
  func path(_ id: DocumentID, _ rev: RevisionID) -> [RevisionID] {
    guard
      case .ok(.revisions(let answers)) = perform(
        .getRevisions([RevisionQuery(id: id, revs: [rev])])),
      case .records(let records)? = answers.first?.found
    else { return [] }
    return records.first?.path ?? []
  }

  var info: StoreInfo? {
    if case .ok(.info(let info)) = perform(.info) { info } else { nil }
  }

  /// The number in the store's last sequence.
  var last: Int {
    guard case .text(let text)? = info?.last else { return -1 }
    return Int(text.string.split(separator: "-")[0]) ?? -1
  }
}
