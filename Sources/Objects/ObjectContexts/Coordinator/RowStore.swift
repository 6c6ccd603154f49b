public import Datastore
public import JSON
public import ObjectMapping

/// A store of rows: an incremental store, or rows in memory.
public protocol RowStore: AnyObject {
  /// The model of the rows.
  var model: ManagedObjectModel { get }
  /// The source of new ids.
  var environment: RunEnvironment { get }
  /// The row of an object; nil if it does not exist.
  func row(_ id: ObjectID) throws(StoreError) -> ManagedObject?
  /// The rows of an entity, in byte order of their ids.
  func rows(of entity: JSONString) throws(StoreError) -> [ManagedObject]
  /// The rows of a fetch, in its order.
  func fetch(_ request: ObjectFetchRequest) throws(StoreError) -> [ManagedObject]
  /// The objects in memory, among the candidates, that a request would select if they were stored.
  func members(
    _ request: ObjectFetchRequest, among candidates: [ObjectID], of overlay: ObjectOverlay
  ) throws(StoreError) -> [ObjectID]
  /// The row of an object with the document that it was read from; nil if the object does not exist.
  func storedRow(_ id: ObjectID) throws(StoreError) -> StoredRow?
  /// Writes, all or nothing.
  ///
  /// - Parameter documents: those of updated and deleted objects, read a moment ago; others are read.
  func write(
    _ request: SaveRequest, over documents: [ObjectID: DocumentRevision]
  ) throws(StoreError) -> WrittenRows
}

/// A row as it was read.
public struct StoredRow {
  /// The row.
  public let row: ManagedObject
  /// The document of the row; nil for rows in memory.
  public let document: DocumentRevision?

  /// Creates a row with its document.
  public init(_ row: ManagedObject, from document: DocumentRevision?) {
    self.row = row
    self.document = document
  }
}

/// The effect of a save on the rows.
public struct WrittenRows {
  /// The versions of inserted and updated objects, in order.
  public var saved: [SavedObject]
  /// The rows that reading would find now. Rows with attachments beside them are missing.
  public var rows: [ObjectID: ManagedObject]

  /// Creates the effect of a save.
  public init(_ saved: [SavedObject], rows: [ObjectID: ManagedObject]) {
    self.saved = saved
    self.rows = rows
  }
}

/// Rows that can have several leaves.
public protocol BranchedRowStore: RowStore {
  /// Returns the leaves of all documents that changed after a position, and the new position.
  func leaves(
    since position: UpdateSequence?
  ) throws(StoreError) -> (documents: [BranchedDocument], position: UpdateSequence?)
  /// Returns the leaves of a document; empty if the document is unknown.
  func leaves(of id: ObjectID) throws(StoreError) -> [Leaf]
  /// Returns the object of a leaf; nil if it cannot be read with this model.
  func object(_ id: ObjectID, at rev: RevisionID) throws(StoreError) -> ManagedObject?
  /// Returns the object of the common ancestor of two leaves; nil if it is unknown or not stored.
  func commonAncestor(
    of id: ObjectID, _ first: RevisionID, _ second: RevisionID
  ) throws(StoreError) -> ManagedObject?
  /// Resolves a conflict of the metadata document in favor of the winner.
  func settleMetadataConflict() throws(StoreError)
  /// The stored local state of the device.
  func readNotes() throws(StoreError) -> JSONValue?
  /// Stores the local state of the device, which is never replicated.
  func writeNotes(_ notes: JSONValue) throws(StoreError)
}

extension IncrementalStore: BranchedRowStore {}

extension IncrementalStore: RowStore {
  public var environment: RunEnvironment { host.environment }

  public func row(_ id: ObjectID) throws(StoreError) -> ManagedObject? { try storedRow(id)?.row }

  public func storedRow(_ id: ObjectID) throws(StoreError) -> StoredRow? {
    guard id != MetadataDocument.id, let document = try document(id) else { return nil }
    return StoredRow(try object(of: document), from: document)
  }

  public func rows(of entity: JSONString) throws(StoreError) -> [ManagedObject] {
    try objects(of: entity)
  }

  public func write(
    _ request: SaveRequest, over documents: [ObjectID: DocumentRevision]
  ) throws(StoreError) -> WrittenRows {
    let written: (saved: [SavedObject], bodies: [ObjectID: JSONValue]) =
      try write(request, over: documents)
    var rows: [ObjectID: ManagedObject] = [:]
    for (id, body) in written.bodies {
      rows[id] = try object(of: DocumentRevision(id: id, rev: "", body: body))
    }
    return WrittenRows(written.saved, rows: rows)
  }
}
