public import Datastore
public import JSON
public import ObjectMapping

/// A scratch pad of objects between an application and a store, or another context.
///
/// It is used by one caller at a time; queues belong to whoever owns contexts. Everything it knows is in
/// `state`, so an explorer can keep a context, put it back, and tell two of them apart. A call that
/// throws leaves the state as it was, but for `events` and `conflicts`, which say what was tried, and `failure`.
///
/// Source: Core Data, `NSManagedObjectContext`.
public final class ManagedObjectContext {
  /// Where objects come from, and where a save goes.
  public enum Parent {
    case coordinator(StoreCoordinatorCache)
    case context(ManagedObjectContext)
  }

  // Not public: whoever has a child of the writer of an arrangement must not come to the writer.
  let parent: Parent
  public var policy: MergePolicy
  public let options: ContextOptions
  public var state = ContextState()

  public init(
    _ parent: Parent, policy: MergePolicy = .error, options: ContextOptions = ContextOptions()
  ) {
    self.parent = parent
    self.policy = policy
    self.options = options
  }

  public var model: ManagedObjectModel { coordinator.model }

  /// The row cache at the root of all parents.
  public var coordinator: StoreCoordinatorCache {
    switch parent {
    case .coordinator(let cache): cache
    case .context(let context): context.coordinator
    }
  }

  // MARK: What there is

  /// Whether a save would do something.
  public var hasChanges: Bool {
    state.settlements.values.contains { $0.isResolved }
      || state.objects.values.contains { object in
        switch object.change {
        case .unchanged: false
        case .inserted, .updated, .deleted: true
        case .deletedElsewhere: options.mergedDeletionsAreChanges
        }
      }
  }

  public var insertedIDs: [ObjectID] { ids { $0.isInserted } }
  public var updatedIDs: [ObjectID] { ids { $0.isUpdated } }
  public var deletedIDs: [ObjectID] { ids { $0.change == .deleted } }
  public var registeredIDs: [ObjectID] { state.objects.keys.inByteOrder }

  func ids(_ isWanted: (ContextObject) -> Bool) -> [ObjectID] {
    state.objects.filter { isWanted($0.value) }.keys.inByteOrder
  }

  /// A registered object; nil for one that the context does not know.
  public func registered(_ id: ObjectID) -> ContextObject? { state.objects[id] }

  /// The values that an object is changed to, with `.none` for those that were taken away.
  public func changedValues(_ id: ObjectID) -> [JSONString: PropertyValue] {
    guard let object = state.objects[id], let current = object.current else { return [:] }
    return Dictionary(uniqueKeysWithValues: object.changedNames.map { ($0, current[$0]) })
  }

  // MARK: Objects

  /// The object of an id, its fault fulfilled; throws when there is none.
  ///
  /// Source: Core Data, `existingObject(with:)`.
  @discardableResult
  public func object(_ id: ObjectID) throws(ContextError) -> ManagedObject {
    let row = try fulfil(id)
    return ManagedObject(
      id, of: row.entity, row.values, identifier: row.identifier, version: row.version)
  }

  /// Registers an object without looking whether it exists; reading a value of it does.
  ///
  /// Source: Core Data, `object(with:)`.
  public func fault(_ id: ObjectID, of entity: JSONString) throws(ContextError) {
    _ = try description(of: entity)
    guard state.objects[id] == nil else { return }
    state.objects[id] = ContextObject(of: entity)
  }

  /// The values of an object, which is registered and read where it was not.
  @discardableResult
  func fulfil(_ id: ObjectID) throws(ContextError) -> RowSnapshot {
    if let current = state.objects[id]?.current { return current }
    guard let row = try parentRow(id, isFresh: false) else {
      throw ContextError(.faultUnfulfilled(id))
    }
    register(id, row)
    return row
  }

  /// Makes a row of the parent the values of an object that has none yet.
  func register(_ id: ObjectID, _ row: RowSnapshot) {
    guard state.objects[id]?.current == nil else { return }
    state.objects[id] = ContextObject(
      of: row.entity, change: state.objects[id]?.change ?? .unchanged,
      isTemporary: isTemporaryInParent(id), current: row, committed: row)
  }

  /// What the parent has of an object; nil when it has none.
  func parentRow(_ id: ObjectID, isFresh: Bool) throws(ContextError) -> RowSnapshot? {
    // A policy has decided that it goes.
    if let settlement = state.settlements[id], settlement.isResolved, settlement.keep == nil {
      return nil
    }
    switch parent {
    case .coordinator(let cache): return try cache.row(id, isFresh: isFresh)
    case .context(let context):
      if context.state.objects[id]?.isDeleted ?? false { return nil }
      do throws(ContextError) { return try context.fulfil(id) } catch {
        if case .faultUnfulfilled = error.reason { return nil }
        throw error
      }
    }
  }

  func isTemporaryInParent(_ id: ObjectID) -> Bool {
    guard case .context(let context) = parent else { return false }
    return context.state.objects[id]?.isTemporary ?? false
  }

  /// Whether no store has given the object its lasting id, as far as this context knows.
  public func isTemporary(_ id: ObjectID) -> Bool {
    guard let object = state.objects[id], object.isTemporary else { return false }
    guard case .context(let context) = parent, !options.childrenStayTemporary,
      context.state.objects[id] != nil
    else { return true }
    return context.isTemporary(id)
  }

  func description(of entity: JSONString) throws(ContextError) -> EntityDescription {
    guard let description = model[entity] else { throw ContextError(.unknownEntity(entity)) }
    return description
  }
}
