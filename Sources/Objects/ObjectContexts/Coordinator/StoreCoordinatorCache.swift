public import Datastore
public import ObjectMapping

/// The row cache of a coordinator: what each object was when it was last read or written here.
///
/// A fault is fulfilled from it, and it is not read again until somebody asks for what is fresh; so
/// what is pulled below the objects is not seen by contexts before.
public final class StoreCoordinatorCache {
  public let store: any RowStore
  /// The remembered rows.
  public var rows: [ObjectID: RowSnapshot] = [:]
  /// What is known of conflicts of the datastore.
  public var tally = ConflictTally()

  public init(_ store: any RowStore) { self.store = store }

  public var model: ManagedObjectModel { store.model }

  /// The row of an object, remembered or read; nil when there is none.
  ///
  /// - Parameter isFresh: whether it is read from the store in any case.
  func row(_ id: ObjectID, isFresh: Bool) throws(ContextError) -> RowSnapshot? {
    if !isFresh, let row = rows[id] { return row }
    let row = try stored(id)
    rows[id] = row
    return row
  }

  /// The row that the store has now; what is remembered stays.
  func stored(_ id: ObjectID) throws(ContextError) -> RowSnapshot? {
    try ContextError.ofStore { () throws(StoreError) in
      try store.row(id).map { RowSnapshot($0) }
    }
  }

  /// Fetches from the store, and remembers what was found.
  func fetch(_ request: FetchRequest) throws(ContextError) -> [(ObjectID, RowSnapshot)] {
    do throws(StoreError) {
      let found = try store.fetch(request).map { ($0.id, RowSnapshot($0)) }
      for (id, row) in found { rows[id] = row }
      return found
    } catch {
      throw ContextError(.store(error))
    }
  }
}

/// What is known of the leaves of documents.
public struct ConflictTally: Hashable, Sendable {
  /// How far the changes were looked at; nil before the first time.
  public var position: UpdateSequence?
  /// The leaves of each document when it was looked at last.
  public var leaves: [ObjectID: Set<RevisionID>] = [:]
  /// Documents in conflict that nobody has settled.
  public var open: Set<ObjectID> = []
  /// Objects that live beside a deletion.
  public var returned: Set<ObjectID> = []
  /// Objects that did not agree with their partners when they were looked at last, or that nobody has
  /// looked at.
  public var unmended: Set<ObjectID> = []
  /// Objects that were not here when relationships with them were changed here, or of which an older
  /// revision was, each with those on the other side.
  public var absent: [ObjectID: [ObjectID: Absence]] = [:]

  /// Why an object was not here.
  public enum Absence: Hashable, Sendable {
    /// It had not come, or what it says of the relationship had not.
    case unknown
    /// It was deleted.
    case deleted
  }

  public init() {}
}

extension StoreCoordinatorCache {
  /// Looks at the leaves of all documents, so that what a pull brings can be told from what was there.
  ///
  /// Without it a deletion that a pull brings beside a local edit is no conflict: the edit lives.
  public func tallyConflicts() throws(ContextError) {
    guard let store = store as? any BranchedRowStore else { return }
    do throws(StoreError) {
      let (documents, position) = try store.leaves(since: tally.position)
      for document in documents {
        tally.leaves[document.id] = Set(document.leaves.map { $0.rev })
        let live = document.leaves.filter { !$0.deleted }
        if live.count > 1 { tally.open.insert(document.id) }
        if document.leaves.areReturned { tally.returned.insert(document.id) }
        tally.unmended.insert(document.id)
      }
      tally.position = position
    } catch {
      throw ContextError(.store(error))
    }
    try readAbsences()
  }
}
