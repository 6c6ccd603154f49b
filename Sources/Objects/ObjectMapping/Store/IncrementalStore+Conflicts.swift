public import Datastore

// Documents with several leaves, which a pull can create.

/// A document with more than one leaf.
public struct BranchedDocument: Hashable, Sendable {
  /// The id of the object of the document.
  public let id: ObjectID
  /// The leaves, the winner first.
  public let leaves: [Leaf]
}

extension IncrementalStore {
  /// The leaves of all documents that changed after a position, and the new position. A datastore
  /// whose feed always begins at its start returns all documents.
  public func leaves(
    since position: UpdateSequence?
  ) throws(StoreError) -> (documents: [BranchedDocument], position: UpdateSequence?) {
    var latest: [ObjectID: [Leaf]] = [:]
    var order: [ObjectID] = []
    var position = position
    let continuesFeed = !host.datastore.description.restrictions.contains(.changesFromStart)
    while true {
      let request = continuesFeed ? StoreAction.changes(since: position, limit: 500) : .changes()
      guard case .changes(let page) = try perform(request) else {
        throw StoreError(.unanswered, "invalid result of changes from the datastore")
      }
      for row in page.rows {
        if latest.updateValue(row.leaves.array, forKey: row.id) == nil { order.append(row.id) }
      }
      position = page.last
      guard page.more, !page.rows.isEmpty else { break }
    }
    let documents = order.map { BranchedDocument(id: $0, leaves: latest[$0] ?? []) }
    return (documents, position)
  }

  /// The leaves of a document; empty if the document is unknown.
  public func leaves(of id: ObjectID) throws(StoreError) -> [Leaf] {
    do throws(StoreError) {
      guard case .leaves(let leaves) = try perform(.leaves(id: id), for: id) else { return [] }
      return leaves
    } catch {
      if case .datastore(_, let refusal) = error.reason, case .notFound = refusal.kind { return [] }
      throw error
    }
  }

  /// The object of a leaf; nil if its entity is not part of this model or it cannot be read.
  public func object(_ id: ObjectID, at rev: RevisionID) throws(StoreError) -> ManagedObject? {
    guard let document = try document(id, at: rev), !document.deleted else { return nil }
    do throws(StoreError) { return try object(of: document) } catch {
      guard case .mapping = error.reason else { throw error }
      return nil
    }
  }

  /// The object of the common ancestor of two leaves; nil if it is unknown, or its body is not
  /// stored.
  public func commonAncestor(
    of id: ObjectID, _ first: RevisionID, _ second: RevisionID
  ) throws(StoreError) -> ManagedObject? {
    let query = RevisionQuery(id: id, revs: [first, second])
    guard case .revisions(let answers) = try perform(.getRevisions([query]), for: id),
      answers.count == 2, case .records(let left) = answers[0].found,
      case .records(let right) = answers[1].found, let path = left.first?.path,
      let other = right.first.map({ Set($0.path) }),
      let ancestor = path.first(where: { other.contains($0) })
    else { return nil }
    return try object(id, at: ancestor)
  }

  /// Resolves a conflict of the metadata document in favor of the winner, without a callback.
  ///
  /// Source: CDTIncrementalStore, where a conflict of the metadata is never one of objects.
  public func settleMetadataConflict() throws(StoreError) {
    guard case .leaves(let leaves) = try perform(.leaves(id: MetadataDocument.id)) else { return }
    for leaf in leaves.filter({ !$0.deleted }).dropFirst() {
      _ = try perform(
        .delete(id: MetadataDocument.id, rev: leaf.rev), for: MetadataDocument.id)
    }
  }

  private func document(
    _ id: ObjectID, at rev: RevisionID
  ) throws(StoreError) -> DocumentRevision? {
    do throws(StoreError) {
      guard case .document(let document) = try perform(.read(id: id, rev: rev), for: id) else {
        return nil
      }
      return document
    } catch {
      if case .datastore(_, let refusal) = error.reason, case .notFound = refusal.kind {
        return nil
      }
      throw error
    }
  }

  /// The actions that resolve a conflict, and the version of the object if it changes.
  ///
  /// Other leaves are a `conflict`, because they must have arrived in the meantime; a deletion that
  /// was not reported must not be taken for a known one.
  func actions(
    for settlement: SaveRequest.Settlement
  ) throws(StoreError) -> (actions: [StoreAction], version: Int64?) {
    let id = settlement.id
    guard case .leaves(let leaves) = try perform(.leaves(id: id), for: id) else { return ([], nil) }
    guard Set(leaves.map { $0.rev }) == Set(settlement.leaves) else {
      throw StoreError(
        .datastore(id, DatastoreError(.conflict)), "the leaves of '\(id)' have changed")
    }
    var actions: [StoreAction] = []
    var version: Int64?
    if let keep = settlement.keep, let update = settlement.update {
      guard let stored = try document(id, at: keep) else {
        throw StoreError(.missingObject(id), "'\(id)' has no revision '\(keep)'")
      }
      let (action, next) = try action(for: update, over: stored)
      actions.append(action)
      version = next
    }
    for rev in settlement.discard { actions.append(.delete(id: id, rev: rev)) }
    return (actions, version)
  }
}
