internal import Datastore

extension Store {
  /// Carries out a checked operation inside the transaction.
  func execute(_ request: Request) throws(DatastoreError) -> OperationResult {
    switch request {
    case .info: return .info(info)
    case .create(let id, let body): return try create(id, body)
    case .update(let id, let rev, let body):
      return try edit(id, rev, RevisionContent(deleted: false, body: body))
    case .delete(let id, let rev, let body):
      return try edit(id, rev, RevisionContent(deleted: true, body: body))
    case .read(let id, let rev): return .document(try read(id, rev))
    case .list(let from, let limit, let descending):
      return .list(try list(from: from, limit: limit, descending: descending))
    case .leaves(let id): return .leaves(try leaves(id))
    case .changes(let since, let limit): return .changes(try changes(since: since, limit: limit))
    case .revsDiff(let queries): return .revsDiff(try difference(queries))
    case .getRevisions(let queries): return .revisions(try revisions(queries))
    case .insertRevisions(let records, let ids): return .inserted(try insert(records, ids))
    case .readLocal(let id): return .local(body: try readLocal(id))
    case .writeLocal(let id, let body): try writeLocal(id, body)
    case .resolve(let id, let leaves, let keep, let body):
      return try resolve(id, leaves, keep: keep, body)
    case .compact: try ask(.dropInnerBodies).run()
    case .purge(let id, let revs): return .purged(try purge(id, revs))
    case .historyLimit(let limit): row.historyLimit = limit
    case .batch(let writes): return .batch(try batch(writes))
    case .setValidation(let refuse): row.refuse = refuse
    // Every acknowledged write is durable already.
    case .flush: break
    }
    return .done
  }

  private var info: StoreInfo {
    StoreInfo(
      documents: row.liveDocuments, deletedDocuments: row.deletedDocuments,
      last: sequences.sequence(row.lastSequence), incarnation: identity.incarnation)
  }

  private func batch(_ writes: [Request]) throws(DatastoreError) -> [OperationResult] {
    var results: [OperationResult] = []
    for (index, write) in writes.enumerated() {
      do throws(DatastoreError) {
        results.append(try execute(write))
      } catch {
        throw error.at(write: index)
      }
    }
    return results
  }
}
