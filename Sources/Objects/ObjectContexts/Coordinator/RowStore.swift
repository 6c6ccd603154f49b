public import Datastore
public import JSON
public import ObjectMapping

/// A store of rows: an incremental store, or rows in memory.
public protocol RowStore: AnyObject {
  var model: ManagedObjectModel { get }
  /// The row of an object; nil if it does not exist.
  func row(_ id: ObjectID) throws(StoreError) -> ManagedObject?
  /// The rows of an entity, in byte order of their ids.
  func rows(of entity: JSONString) throws(StoreError) -> [ManagedObject]
  /// The rows of a fetch, in its order.
  func fetch(_ request: FetchRequest) throws(StoreError) -> [ManagedObject]
  /// The objects in memory, among the candidates, that a request would select if they were stored.
  func members(
    _ request: FetchRequest, among candidates: [ObjectID], of overlay: ObjectOverlay
  ) throws(StoreError) -> [ObjectID]
  /// Writes atomically, and returns the versions of inserted and updated objects in order.
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
  /// The stored local state of the device.
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
