public import Datastore
internal import JSON
public import ObjectMapping

/// Advice that the guide gives about replication and that somebody did not follow.
public enum AdvisoryWarning: Hashable, Sendable {
  /// Save all contexts before replicating; the number is that of the context in the list.
  case unsavedChanges(context: Int)
  /// Do not push documents in conflict.
  case pushOfConflicts([ObjectID])
  /// Resolve conflicts right after the pull.
  case unresolvedConflicts([ObjectID])
}

/// The best practices of replication, as checks that warn and hinder nothing.
///
/// Source: CDTIncrementalStore's guide, "Best practices".
public enum ReplicationAdvisory {
  /// What is amiss before a replication begins.
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

  /// What is amiss when the application goes on after a pull.
  public static func warnings(
    afterPullInto cache: StoreCoordinatorCache
  ) throws(ContextError) -> [AdvisoryWarning] {
    let conflicts = try cache.conflictedObjects()
    return conflicts.isEmpty ? [] : [.unresolvedConflicts(conflicts)]
  }
}

extension StoreCoordinatorCache {
  /// Objects whose documents have several live leaves, in byte order.
  public func conflictedObjects() throws(ContextError) -> [ObjectID] {
    guard let store = store as? any BranchedRowStore else { return [] }
    do throws(StoreError) {
      let documents = try store.leaves(since: nil).documents
      return documents.filter { document in
        document.id != MetadataDocument.id && document.leaves.filter { !$0.deleted }.count > 1
      }.map { $0.id }.inByteOrder
    } catch {
      throw ContextError(.store(error))
    }
  }
}
