public import Datastore
public import JSON
public import ObjectMapping

/// A scratch pad of objects between an application and a store, or another context.
///
/// It is used by one caller at a time; the owner of contexts manages queues. Its complete state is
/// in `state`, so an explorer can store, restore and compare contexts. A call that throws leaves
/// the state unchanged, except for `events`, `conflicts` and `failure`, which describe the attempt.
///
/// Source: Core Data, `NSManagedObjectContext`.
public final class ManagedObjectContext {
  /// The source of objects, and the target of a save.
  public enum Parent {
    /// The row cache over a store.
    case coordinator(StoreCoordinatorCache)
    /// Another context, which receives the changes of a save.
    case context(ManagedObjectContext)
  }

  // Not public: a child of the writer of an arrangement must not provide access to the writer.
  let parent: Parent
  /// The policy that resolves conflicts in a save.
  public var policy: MergePolicy
  /// The options of the context.
  public let options: ContextOptions
  /// The complete state of the context.
  public var state = ContextState()
  /// The number of resets so far.
  public internal(set) var resets = 0

  /// Creates a context without objects.
  public init(
    _ parent: Parent, policy: MergePolicy = .error, options: ContextOptions = ContextOptions()
  ) {
    self.parent = parent
    self.policy = policy
    self.options = options
  }

  /// Creates a context without objects on a store, with a row cache of its own.
  public convenience init(
    _ store: any RowStore, policy: MergePolicy = .error,
    options: ContextOptions = ContextOptions()
  ) {
    self.init(.coordinator(StoreCoordinatorCache(store)), policy: policy, options: options)
  }

  /// The model of the objects.
  public var model: ManagedObjectModel { coordinator.model }

  /// The row cache at the root of all parents.
  public var coordinator: StoreCoordinatorCache {
    switch parent {
    case .coordinator(let cache): cache
    case .context(let context): context.coordinator
    }
  }

  // MARK: State

  /// Whether there are changes to save.
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

  /// The ids of objects that the next save inserts, in byte order.
  public var insertedIDs: [ObjectID] { ids { $0.isInserted } }
  /// The ids of objects that the next save updates, in byte order.
  public var updatedIDs: [ObjectID] { ids { $0.isUpdated } }
  /// The ids of objects that the next save deletes, in byte order.
  public var deletedIDs: [ObjectID] { ids { $0.change == .deleted } }
  /// The ids of all registered objects, in byte order.
  public var registeredIDs: [ObjectID] { state.objects.keys.inByteOrder }

  func ids(_ isWanted: (ContextObject) -> Bool) -> [ObjectID] {
    state.objects.filter { isWanted($0.value) }.keys.inByteOrder
  }

  /// A registered object; nil if the context does not contain it.
  public func registered(_ id: ObjectID) -> ContextObject? { state.objects[id] }

  /// The changed values of an object, with `.none` for removed ones.
  public func changedValues(_ id: ObjectID) -> [JSONString: PropertyValue] {
    guard let object = state.objects[id], let current = object.current else { return [:] }
    return Dictionary(uniqueKeysWithValues: object.changedNames.map { ($0, current[$0]) })
  }

  // MARK: Objects

  /// The object of an id, with its fault fulfilled; throws if it does not exist.
  ///
  /// Source: Core Data, `existingObject(with:)`.
  @discardableResult
  public func object(_ id: ObjectID) throws(ContextError) -> ManagedObject {
    let row = try fulfil(id)
    return ManagedObject(
      id, of: row.entity, row.values, identifier: row.identifier, version: row.version)
  }

  /// Registers an object without checking that it exists; the first read of a value checks it.
  ///
  /// Source: Core Data, `object(with:)`.
  public func fault(_ id: ObjectID, of entity: JSONString) throws(ContextError) {
    _ = try description(of: entity)
    guard state.objects[id] == nil else { return }
    state.objects[id] = ContextObject(of: entity)
  }

  /// The values of an object, which is registered and read if necessary.
  @discardableResult
  func fulfil(_ id: ObjectID) throws(ContextError) -> RowSnapshot {
    if let current = state.objects[id]?.current { return current }
    guard let row = try parentRow(id, isFresh: false) else {
      throw ContextError(.faultUnfulfilled(id))
    }
    register(id, row)
    return row
  }

  /// Sets the values of an object without values to a row of the parent.
  func register(_ id: ObjectID, _ row: RowSnapshot) {
    guard state.objects[id]?.current == nil else { return }
    state.objects[id] = ContextObject(
      of: row.entity, change: state.objects[id]?.change ?? .unchanged,
      isTemporary: isTemporaryInParent(id), current: row, committed: row)
  }

  /// The parent's row of an object; nil if it has none.
  func parentRow(_ id: ObjectID, isFresh: Bool) throws(ContextError) -> RowSnapshot? {
    if isDropped(id) { return nil }
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

  /// Whether a policy has decided the pulled conflict of an object here, and the decision was not saved.
  func isSettled(_ id: ObjectID) -> Bool { state.settlements[id]?.isResolved ?? false }

  /// Whether a policy has decided to delete an object whose conflict was pulled, and the decision was
  /// not saved. An object that was inserted under the id since is another one.
  func isDropped(_ id: ObjectID) -> Bool {
    guard state.objects[id] == nil, let settlement = state.settlements[id] else { return false }
    return settlement.isResolved && settlement.keep == nil
  }

  func isTemporaryInParent(_ id: ObjectID) -> Bool {
    guard case .context(let context) = parent else { return false }
    return context.state.objects[id]?.isTemporary ?? false
  }

  /// Whether the object has not yet received its permanent id, as far as this context knows.
  public func isTemporary(_ id: ObjectID) -> Bool {
    guard let object = state.objects[id], object.isTemporary else { return false }
    // The parent may have another object of the id of one that was inserted here.
    guard !object.isInserted, case .context(let context) = parent, !options.childrenStayTemporary,
      context.state.objects[id] != nil
    else { return true }
    return context.isTemporary(id)
  }

  func description(of entity: JSONString) throws(ContextError) -> EntityDescription {
    guard let description = model[entity] else { throw ContextError(.unknownEntity(entity)) }
    return description
  }
}
