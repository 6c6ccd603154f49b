public import Datastore
public import ObjectMapping

/// The row cache of a coordinator: the version of each object that was last read or written here.
///
/// Faults are fulfilled from the cache, and a cached row is read again only on request. So contexts
/// do not see changes that are pulled below them before they refresh.
public final class StoreCoordinatorCache {
  /// The store of the rows.
  public let store: any RowStore
  /// The cached rows.
  public var rows: [ObjectID: RowSnapshot] = [:]
  /// The known state of conflicts of the datastore.
  public var tally = ConflictTally()

  /// Creates an empty cache over a store.
  public init(_ store: any RowStore) { self.store = store }

  /// The model of the store.
  public var model: ManagedObjectModel { store.model }

  /// The row of an object, cached or read; nil if it does not exist.
  ///
  /// - Parameter isFresh: whether it is always read from the store.
  func row(_ id: ObjectID, isFresh: Bool) throws(ContextError) -> RowSnapshot? {
    if !isFresh, let row = rows[id] { return row }
    let row = try stored(id)
    rows[id] = row
    return row
  }

  /// The current row of the store, without changing the cache.
  func stored(_ id: ObjectID) throws(ContextError) -> RowSnapshot? {
    try document(id).map { RowSnapshot($0.row) }
  }

  /// The current row of the store with its document; nil also for a document that is not an object of
  /// the model.
  func document(_ id: ObjectID) throws(ContextError) -> StoredRow? {
    do throws(StoreError) { return try store.storedRow(id) } catch {
      if case .mapping = error.reason { return nil }
      throw ContextError(.store(error))
    }
  }

  /// Fetches from the store, and caches the results.
  func fetch(_ request: ObjectFetchRequest) throws(ContextError) -> [(ObjectID, RowSnapshot)] {
    do throws(StoreError) {
      let found = try store.fetch(request).map { ($0.id, RowSnapshot($0)) }
      for (id, row) in found { rows[id] = row }
      return found
    } catch {
      throw ContextError(.store(error))
    }
  }
}

/// The known leaves of documents.
public struct ConflictTally: Hashable, Sendable {
  /// The position up to which changes were processed; nil before the first time.
  public var position: UpdateSequence?
  /// The leaves of each document when it was last processed.
  public var leaves: [ObjectID: Set<RevisionID>] = [:]
  /// Documents with an unresolved conflict.
  public var open: Set<ObjectID> = []
  /// Objects with a live leaf and a deleted leaf.
  public var returned: Set<ObjectID> = []
  /// Objects with a saved decision about their leaves; relationships with them were not checked yet.
  public var settled: Set<ObjectID> = []
  /// Objects that disagreed with their partners when they were last processed, or that were not
  /// processed yet.
  public var unrepaired: Set<ObjectID> = []
  /// Objects that were missing or out of date when relationships with them were changed here, each
  /// with its partners.
  public var absent: [ObjectID: [ObjectID: Absence]] = [:]
  /// The leaves of these objects when they were recorded, or when the store was opened: as long as
  /// one has these, its half of the other replica's save has not arrived.
  public var leavesAtAbsence: [ObjectID: Set<RevisionID>] = [:]

  /// The reason for the absence of an object.
  public enum Absence: Hashable, Sendable {
    /// It had not arrived yet, or its end of the relationship had not.
    case unknown
    /// It was deleted.
    case deleted
  }

  /// Creates a tally that has not processed any change.
  public init() {}
}

extension StoreCoordinatorCache {
  /// Records the leaves of all documents, so that pulled leaves can be distinguished from existing
  /// ones.
  ///
  /// Without this, a deletion that is pulled against a local edit is not a conflict, and the edit
  /// wins.
  public func tallyConflicts() throws(ContextError) {
    guard let store = store as? any BranchedRowStore else { return }
    do throws(StoreError) {
      let (documents, position) = try store.leaves(since: tally.position)
      for document in documents {
        tally.leaves[document.id] = Set(document.leaves.map { $0.rev })
        let live = document.leaves.filter { !$0.deleted }
        if live.count > 1 { tally.open.insert(document.id) }
        if document.leaves.areReturned { tally.returned.insert(document.id) }
        tally.unrepaired.insert(document.id)
      }
      tally.position = position
    } catch {
      throw ContextError(.store(error))
    }
    try readAbsences()
  }
}
