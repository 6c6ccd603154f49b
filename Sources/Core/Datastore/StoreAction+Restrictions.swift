extension StoreAction {
  /// The action without the parts that an implementation with these restrictions cannot perform.
  ///
  /// Restrictions on the order of operations, of `historyLimit` and `purge`, have no effect here.
  package func within(_ restrictions: Set<Restriction>) -> StoreAction {
    guard !restrictions.isEmpty else { return self }
    switch self {
    case .changes(_?, let limit) where restrictions.contains(.changesFromStart):
      return .changes(since: nil, limit: limit)
    case .finding(.find(var request)) where restrictions.contains(.findWithoutSort):
      request.sort = []
      return .finding(.find(request))
    case .finding(.explain(var request)) where restrictions.contains(.findWithoutSort):
      request.sort = []
      return .finding(.explain(request))
    case .attaching(let attachments, let write) where restrictions.contains(.ownDigests):
      return .attaching(attachments.withoutDigests, to: write)
    case .insertRevisions(var records) where restrictions.contains(.ownDigests):
      for place in records.indices {
        records[place].attachments = records[place].attachments.withoutDigests
      }
      return .insertRevisions(records)
    case .batch(let writes): return .batch(writes.map { $0.within(restrictions) })
    default: return self
    }
  }
}

extension [RevisionAttachment] {
  /// The attachments without SHA-256 digests.
  package var withoutDigests: [RevisionAttachment] {
    map { attachment in
      var attachment = attachment
      attachment.digest = nil
      return attachment
    }
  }
}
