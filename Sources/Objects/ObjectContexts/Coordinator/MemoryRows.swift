public import Datastore
public import JSON
public import ObjectMapping

/// Rows in memory, as one value that an explorer can store and restore.
public final class MemoryRows: RowStore {
  /// The model of the rows.
  public let model: ManagedObjectModel
  /// The rows by the ids of their objects.
  public var rows: [ObjectID: ManagedObject] = [:]
  /// The source of new ids.
  public let environment: RunEnvironment

  /// Creates a store without rows.
  public init(
    _ model: ManagedObjectModel, environment: RunEnvironment = RunEnvironment(seed: 0)
  ) {
    self.model = model
    self.environment = environment
  }

  public func row(_ id: ObjectID) -> ManagedObject? { rows[id] }

  public func rows(of entity: JSONString) -> [ManagedObject] {
    rows.keys.inByteOrder.compactMap { rows[$0] }.filter { $0.entity == entity }
  }

  public func fetch(_ request: ObjectFetchRequest) throws(StoreError) -> [ManagedObject] {
    try request.check(in: model)
    let found = try model.members(request, of: ObjectOverlay(rows)).compactMap { rows[$0] }
    return request.arranged(found)
  }

  public func members(
    _ request: ObjectFetchRequest, among candidates: [ObjectID], of overlay: ObjectOverlay
  ) throws(StoreError) -> [ObjectID] {
    var all = ObjectOverlay(rows)
    all.cover(with: overlay)
    let members = Set(try model.members(request, of: all))
    return candidates.filter { members.contains($0) }
  }

  public func storedRow(_ id: ObjectID) -> StoredRow? {
    rows[id].map { StoredRow($0, from: nil) }
  }

  public func write(
    _ request: SaveRequest, over documents: [ObjectID: DocumentRevision]
  ) throws(StoreError) -> WrittenRows {
    var rows = rows
    var saved: [SavedObject] = []
    for object in request.inserted {
      guard rows[object.id] == nil else {
        throw StoreError(
          .datastore(object.id, DatastoreError(.conflict)),
          "the object '\(object.id)' already exists")
      }
      var row = object
      row.version = 1
      rows[object.id] = row
      saved.append(SavedObject(id: object.id, version: 1))
    }
    for update in request.updated {
      guard var row = rows[update.object.id] else { throw Self.missing(update.object.id) }
      for name in update.changed { row.properties[name] = update.object.properties[name] }
      row.version += 1
      rows[row.id] = row
      saved.append(SavedObject(id: row.id, version: row.version))
    }
    for id in request.deleted {
      guard rows.removeValue(forKey: id) != nil else { throw Self.missing(id) }
    }
    self.rows = rows
    let written = saved.compactMap { object in rows[object.id].map { (object.id, $0) } }
    return WrittenRows(saved, rows: Dictionary(written) { _, last in last })
  }

  private static func missing(_ id: ObjectID) -> StoreError {
    StoreError(.missingObject(id), "no object '\(id)'")
  }
}
