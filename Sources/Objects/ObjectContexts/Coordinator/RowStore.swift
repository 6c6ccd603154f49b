public import Datastore
public import JSON
public import ObjectMapping

/// Where rows are kept: an incremental store, or rows in memory.
public protocol RowStore: AnyObject {
  var model: ManagedObjectModel { get }
  /// The row of an object; nil when there is none.
  func row(_ id: ObjectID) throws(StoreError) -> ManagedObject?
  /// The rows of an entity, by the bytes of their ids.
  func rows(of entity: JSONString) throws(StoreError) -> [ManagedObject]
  /// The rows that a request asks for, in its order.
  func fetch(_ request: FetchRequest) throws(StoreError) -> [ManagedObject]
  /// Which of some objects in memory a request would ask for if they were written.
  func members(
    _ request: FetchRequest, among candidates: [ObjectID], of overlay: ObjectOverlay
  ) throws(StoreError) -> [ObjectID]
  /// Writes, all or nothing, and answers the versions of inserted and updated objects in order.
  func write(_ request: SaveRequest) throws(StoreError) -> [SavedObject]
}

/// Rows that can have several leaves.
public protocol BranchedRowStore: RowStore {
  func leaves(
    since position: UpdateSequence?
  ) throws(StoreError) -> (documents: [BranchedDocument], position: UpdateSequence?)
  func leaves(of id: ObjectID) throws(StoreError) -> [Leaf]
  func object(_ id: ObjectID, at rev: RevisionID) throws(StoreError) -> ManagedObject?
  func commonAncestor(
    of id: ObjectID, _ first: RevisionID, _ second: RevisionID
  ) throws(StoreError) -> ManagedObject?
  func settleMetadataConflict() throws(StoreError)
  /// What the device noted for itself.
  func readNotes() throws(StoreError) -> JSONValue?
  func writeNotes(_ notes: JSONValue) throws(StoreError)
}

extension IncrementalStore: BranchedRowStore {}

extension IncrementalStore: RowStore {
  public func row(_ id: ObjectID) throws(StoreError) -> ManagedObject? {
    do throws(StoreError) { return try object(id) } catch {
      if case .missingObject = error.reason { return nil }
      throw error
    }
  }

  public func rows(of entity: JSONString) throws(StoreError) -> [ManagedObject] {
    try objects(of: entity)
  }

  public func write(_ request: SaveRequest) throws(StoreError) -> [SavedObject] {
    try save(request)
  }
}
