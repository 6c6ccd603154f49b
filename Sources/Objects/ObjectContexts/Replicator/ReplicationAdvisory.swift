public import Datastore
internal import JSON
public import ObjectMapping

/// A violation of the guide's advice about replication.
public enum AdvisoryWarning: Hashable, Sendable {
  /// Save all contexts before a replication; the associated value is the index of the context.
  case unsavedChanges(context: Int)
  /// Do not push documents in conflict.
  case pushOfConflicts([ObjectID])
  /// Resolve conflicts right after the pull.
  case unresolvedConflicts([ObjectID])
  /// Objects in the cache that are deleted in two branches or more.
  ///
  /// A user deleted them after a conflict, or two devices decided the conflict in favor of each
  /// other's version. `ContextOptions.keepsWinner` prevents the latter.
  case deletedInAllBranches([ObjectID])
}

/// The best practices of replication, as checks that only warn.
///
/// Source: CDTIncrementalStore's guide, "Best practices".
public enum ReplicationAdvisory {
  /// The warnings before a replication starts.
  public static func warnings(
    before direction: ReplicationTurn.Direction, of cache: StoreCoordinatorCache,
    contexts: [ManagedObjectContext]
  ) throws(ContextError) -> [AdvisoryWarning] {
    var warnings: [AdvisoryWarning] = []
    for (number, context) in contexts.enumerated() where context.hasChanges {
      warnings.append(.unsavedChanges(context: number))
    }
    let conflicts = try cache.conflictedObjects()
    if direction == .push, !conflicts.isEmpty { warnings.append(.pushOfConflicts(conflicts)) }
    return warnings
  }

  /// The warnings when the application continues after a pull.
  public static func warnings(
    afterPullInto cache: StoreCoordinatorCache
  ) throws(ContextError) -> [AdvisoryWarning] {
    var warnings: [AdvisoryWarning] = []
    let conflicts = try cache.conflictedObjects()
    if !conflicts.isEmpty { warnings.append(.unresolvedConflicts(conflicts)) }
    let deleted = try cache.objects { $0.areAllEnded }.filter { cache.rows[$0] != nil }
    if !deleted.isEmpty { warnings.append(.deletedInAllBranches(deleted)) }
    return warnings
  }
}

extension StoreCoordinatorCache {
  /// Objects whose documents have several live leaves, in byte order.
  public func conflictedObjects() throws(ContextError) -> [ObjectID] {
    try objects { leaves in leaves.filter { !$0.deleted }.count > 1 }
  }

  /// Objects with certain leaves, in byte order.
  fileprivate func objects(_ isWanted: ([Leaf]) -> Bool) throws(ContextError) -> [ObjectID] {
    guard let store = store as? any BranchedRowStore else { return [] }
    do throws(StoreError) {
      let documents = try store.leaves(since: nil).documents
      return documents.filter { $0.id != MetadataDocument.id && isWanted($0.leaves) }
        .map { $0.id }.inByteOrder
    } catch {
      throw ContextError(.store(error))
    }
  }
}
