internal import Datastore
internal import JSON
internal import ObjectMapping

// Conflicts after a pull.

extension ManagedObjectContext {
  /// Returns the conflicts of documents of objects after a pull, one for each, in byte order.
  ///
  /// Only the metadata document is resolved, in favor of its winner. The leaves of an object remain
  /// in the datastore until a policy has decided and the next save has written the decision. So a
  /// crash, a `rollback` or a `reset` in between loses nothing, and the conflict is reported again.
  /// Otherwise a conflict is reported once, until its leaves change.
  ///
  /// Cached are the values before the pull: those of the leaf that this context or its cache used,
  /// or that existed before, or else that loses. Persisted is the best of the others, and `others`
  /// the rest. A deletion that was pulled against a local edit is a conflict with the version 0 and
  /// no persisted values. An edit that was pulled against a local deletion is not a conflict, and
  /// the object becomes live; references that the deletion removed from others are restored, or
  /// cleared here as well, as changes that the next save writes. Documents with a leaf that is not
  /// an object of the model are ignored.
  ///
  /// Source: CDTIncrementalStore, "Conflict management", `processConflictsWithContext:error:`.
  public func processConflicts() throws(ContextError) -> [MergeConflict] {
    let cache = coordinator
    guard let store = cache.store as? any BranchedRowStore else { return [] }
    let (tally, rows) = (cache.tally, cache.rows)
    do throws(ContextError) {
      return try undoing { () throws(ContextError) in
        let conflicts = try ContextError.ofStore { () throws(StoreError) in
          try processConflicts(store, cache: cache)
        }
        if !conflicts.isEmpty { (state.conflicts, state.constraints) = (conflicts, []) }
        return conflicts
      }
    } catch {
      (cache.tally, cache.rows) = (tally, rows)
      throw error
    }
  }

  private func processConflicts(
    _ store: any BranchedRowStore, cache: StoreCoordinatorCache
  ) throws(StoreError) -> [MergeConflict] {
    let (changed, position) = try store.leaves(since: cache.tally.position)
    var documents: [ObjectID: [Leaf]] = [:]
    for document in changed { documents[document.id] = document.leaves }
    let known = try store.leaves(of: cache.tally.open, besides: documents)
    documents.merge(known) { new, _ in new }
    if documents[MetadataDocument.id]?.filter({ !$0.deleted }).count ?? 0 > 1 {
      try store.settleMetadataConflict()
      documents[MetadataDocument.id] = nil
    }
    let conflicts = try handOver(documents, store, cache: cache)
    try repairReturned(changed, cache)
    cache.tally.position = position
    return conflicts
  }

  private func handOver(
    _ documents: [ObjectID: [Leaf]], _ store: any BranchedRowStore,
    cache: StoreCoordinatorCache
  ) throws(StoreError) -> [MergeConflict] {
    var conflicts: [MergeConflict] = []
    for id in documents.keys.inByteOrder {
      guard let leaves = documents[id] else { continue }
      let revs = leaves.map { $0.rev }
      if let pending = state.settlements[id], Set(pending.leaves) == Set(revs) { continue }
      guard let found = try conflict(of: id, leaves, store, cache: cache) else {
        cache.tally.leaves[id] = Set(revs)
        cache.tally.open.remove(id)
        // Another replica has decided. A decision made here is now a change like others, which the
        // next save compares with the store, and not with the values before the pull.
        if isSettled(id) { cache.rows[id] = nil }
        state.settlements[id] = nil
        if leaves.areReturned {
          cache.tally.returned.insert(id)
        } else {
          cache.tally.returned.remove(id)
        }
        continue
      }
      cache.tally.open.insert(id)
      // An object inserted under this id, here or in a parent, has no row to compare with. It cannot
      // be saved, and until it is removed no decision is possible.
      if isInserted(id) { continue }
      conflicts.append(found.conflict)
      let row = localRow(id, found.local)
      state.settlements[id] = PendingSettlement(
        leaves: revs, keep: found.keep, discard: found.discard, kept: found.kept,
        local: found.local, inParent: row)
      if case .coordinator = parent { cache.rows[id] = found.local }
      hold(id, row)
    }
    return conflicts
  }

  /// Whether this context or a parent has an insertion under an id that has not reached the store.
  private func isInserted(_ id: ObjectID) -> Bool {
    if state.objects[id]?.isInserted ?? false { return true }
    guard case .context(let context) = parent else { return false }
    return context.isInserted(id)
  }

  /// Registers the object of a conflict in the context, with these values below its changes.
  private func hold(_ id: ObjectID, _ row: RowSnapshot) {
    // The merge of a deletion has discarded the changes of the object.
    guard let object = state.objects[id], object.change != .deletedElsewhere else {
      state.objects[id] = ContextObject(of: row.entity, current: row, committed: row)
      return
    }
    if object.committed != row { rebase(id, onto: row) }
  }

  /// The local side of a conflict with the pending changes of the parent contexts applied.
  func localRow(_ id: ObjectID, _ local: RowSnapshot) -> RowSnapshot {
    guard case .context(let context) = parent else { return local }
    return context.pending(id, over: local)
  }

  /// A row with the pending changes of this context and its parents applied.
  private func pending(_ id: ObjectID, over local: RowSnapshot) -> RowSnapshot {
    var row = local
    if case .context(let context) = parent { row = context.pending(id, over: row) }
    guard let object = state.objects[id], object.isUpdated else { return row }
    return changes(of: object, over: row)
  }

  // MARK: Assignment of leaves

  private struct Found {
    var conflict: MergeConflict
    var local: RowSnapshot
    var keep: RevisionID
    var kept: RowSnapshot
    var discard: [RevisionID]
  }

  private func conflict(
    of id: ObjectID, _ leaves: [Leaf], _ store: any BranchedRowStore,
    cache: StoreCoordinatorCache
  ) throws(StoreError) -> Found? {
    let live = leaves.filter { !$0.deleted }
    let before = cache.tally.leaves[id] ?? []
    // Before the first check, every deletion counts as known.
    let isKnown = cache.tally.position != nil
    let deletion = leaves.first { $0.deleted && isKnown && !before.contains($0.rev) }
    guard live.count > 1 || live.count == 1 && deletion != nil else { return nil }
    var objects: [(rev: RevisionID, row: RowSnapshot)] = []
    for leaf in live {
      guard let object = try store.object(id, at: leaf.rev) else { return nil }
      objects.append((leaf.rev, RowSnapshot(object)))
    }
    let known = [state.objects[id]?.committed, cache.rows[id]].compactMap { $0 }
    let mine =
      known.lazy.compactMap { row in objects.firstIndex { $0.row == row } }.first
      ?? objects.firstIndex { before.contains($0.rev) }
    guard live.count > 1 else {
      // The live leaf must be the local one; any other was already reported elsewhere.
      guard mine != nil, let (rev, row) = objects.first else { return nil }
      let conflict = MergeConflict(
        id, of: row.entity, oldVersion: row.version, newVersion: 0, cached: row,
        origin: .pull(ancestor: nil))
      return Found(conflict: conflict, local: row, keep: rev, kept: row, discard: [])
    }
    let winner = objects[0]
    let (rev, local) = objects.remove(at: mine ?? objects.count - 1)
    // The winner comes first; the order of the others is unspecified.
    if mine == 0 { objects.sort { $1.rev.isBefore($0.rev) } }
    let theirs = objects[0]
    let ancestor = try store.commonAncestor(of: id, rev, theirs.rev).map { RowSnapshot($0) }
    let conflict = MergeConflict(
      id, of: local.entity, oldVersion: local.version, newVersion: theirs.row.version,
      cached: local, persisted: theirs.row, origin: .pull(ancestor: ancestor),
      others: objects.dropFirst().map { $0.row })
    let kept = options.keepsWinner ? winner : theirs
    return Found(
      conflict: conflict, local: local, keep: kept.rev, kept: kept.row,
      discard: ([rev] + objects.map { $0.rev }).filter { $0 != kept.rev })
  }
}

extension BranchedRowStore {
  /// The leaves of documents that were in conflict before, except the known ones.
  fileprivate func leaves(
    of ids: Set<ObjectID>, besides known: [ObjectID: [Leaf]]
  ) throws(StoreError) -> [ObjectID: [Leaf]] {
    var leaves: [ObjectID: [Leaf]] = [:]
    for id in ids.inByteOrder where known[id] == nil { leaves[id] = try self.leaves(of: id) }
    return leaves
  }
}

extension StoreCoordinatorCache {
  /// Records that documents have the leaves that a policy kept.
  ///
  /// The tombstones of the other leaves may disagree with other replicas, so that relationships with
  /// these objects are checked when conflicts are processed again.
  func countSettled(_ ids: [ObjectID]) throws(ContextError) {
    guard let store = store as? any BranchedRowStore else { return }
    for id in ids {
      do throws(StoreError) {
        let leaves = try store.leaves(of: id)
        tally.leaves[id] = Set(leaves.map { $0.rev })
        tally.open.remove(id)
        guard leaves.areReturned else { continue }
        tally.returned.insert(id)
        tally.settled.insert(id)
      } catch {
        throw ContextError(.store(error))
      }
    }
  }
}

extension RevisionID {
  /// Whether it has a lower generation, or the same generation and lower bytes: an order for leaves
  /// whose order stores leave open.
  fileprivate func isBefore(_ other: RevisionID) -> Bool {
    let (left, right) = (generation, other.generation)
    guard left == right else { return left < right }
    return text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  private var generation: UInt64 {
    UInt64(text.string.prefix { $0 != "-" }) ?? 0
  }
}
