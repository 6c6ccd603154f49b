internal import Datastore

extension Store {
  /// Executes a validated operation inside the transaction.
  func execute(_ request: Request) throws(DatastoreError) -> OperationResult {
    switch request {
    case .info: return .info(info)
    case .create(let id, let body, let attachments):
      return try create(id, body, attachments: attachments)
    case .update(let id, let rev, let body, let attachments):
      return try edit(id, rev, deleted: false, body: body, attachments: attachments)
    case .delete(let id, let rev, let body):
      return try edit(id, rev, deleted: true, body: body, attachments: [])
    case .read(let id, let rev): return .document(try read(id, rev))
    case .list(let from, let limit, let descending):
      return .list(try list(from: from, limit: limit, descending: descending))
    case .leaves(let id): return .leaves(try leaves(id))
    case .changes(let since, let limit): return .changes(try changes(since: since, limit: limit))
    case .revsDiff(let queries, let check): return .revsDiff(try difference(queries, check))
    case .getRevisions(let queries, let check): return .revisions(try revisions(queries, check))
    case .insertRevisions(let records, let check): return .inserted(try insert(records, check))
    case .readLocal(let id): return .local(body: try readLocal(id))
    case .writeLocal(let id, let body): try writeLocal(id, body)
    case .resolve(let id, let leaves, keep: let keep, body: let body, let attachments):
      return try resolve(id, leaves, keep: keep, body: body, attachments: attachments)
    case .compact: try compact()
    case .purge(let id, let revs): return .purged(try purge(id, revs))
    case .historyLimit(let limit): row.historyLimit = limit
    case .batch(let writes, let fault):
      let results = try batch(writes)
      if let fault { throw fault }
      return .batch(results)
    case .setValidation(let refuse): row.refuse = refuse
    // Every acknowledged write is already durable.
    case .flush: break
    case .readAttachment(let id, let rev, let name, let offset, let limit):
      return .attachment(try readAttachment(id, rev, name: name, offset: offset, limit: limit))
    case .putBlob(let digest, let offset, let bytes):
      return .held(try putBlob(digest, offset: offset, bytes))
    case .finding(let request): return try perform(request)
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
