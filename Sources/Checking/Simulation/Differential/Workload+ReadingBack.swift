internal import Datastore

extension Workload {
  /// Opens a store as it is.
  var opening: StoreAction { .open(revisionIDs: revisionIDs, collation: collation) }

  /// All operations that read a store after it was closed and opened.
  func readingBack(_ store: StoreName, _ knowledge: Knowledge) -> [StoreOperation] {
    [.close, opening].map { StoreOperation(store, $0) } + reading(store, knowledge)
  }

  /// All operations that read an open store.
  func reading(_ store: StoreName, _ knowledge: Knowledge) -> [StoreOperation] {
    let ids = documents + (knowledge.madeDocuments[store] ?? [])
    var actions: [StoreAction] = [.info, .list(), .list(descending: true)]
    if readsFeed { actions.append(.changes()) }
    for id in ids {
      let revs = knowledge.revisions[Knowledge.Key(store: store, id: id)] ?? []
      actions += [
        .leaves(id: id), .read(id: id), .readLocal(id: id),
        .revsDiff([RevisionQuery(id: id, revs: revs)]),
        .getRevisions([
          RevisionQuery(id: id, revs: revs), RevisionQuery(id: id, revs: revs, latest: true),
        ]),
      ]
      guard attaches else { continue }
      actions.append(
        .getRevisions([RevisionQuery(id: id, revs: revs, attachmentsSince: [])]))
    }
    return actions.map { StoreOperation(store, $0) }
  }
}
