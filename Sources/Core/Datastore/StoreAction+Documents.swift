extension StoreAction {
  /// The documents that the operation names, each once; local documents are not included.
  public var documents: [DocumentID] {
    switch self {
    case .create(let id?, _), .update(let id, _, _), .delete(let id, _, _), .read(let id, _),
      .leaves(let id), .resolve(let id, _, _, _), .purge(let id, _),
      .readAttachment(let id, _, _, _, _):
      return [id]
    case .revsDiff(let queries), .getRevisions(let queries): return queries.map { $0.id }.unique
    case .insertRevisions(let records): return records.map { $0.id }.unique
    case .attaching(_, let write): return write.documents
    case .batch(let writes): return writes.flatMap { $0.documents }.unique
    case .family(let operation): return operation.base.documents
    default: return []
    }
  }
}

extension StoreAction {
  /// The write without its attachments; another operation itself.
  package var withoutAttachments: StoreAction {
    if case .attaching(_, let write) = self { write } else { self }
  }
}

extension [DocumentID] {
  /// The elements without duplicates, in the order of their first occurrence.
  fileprivate var unique: [DocumentID] {
    var seen: Set<DocumentID> = []
    return filter { seen.insert($0).inserted }
  }
}
