public import Datastore
public import JSON
public import ObjectContexts
public import ObjectMapping

/// Runs a migration on a device, one step at a time; the caller may stop between any two steps.
///
/// The runner uses a separate context, and reads objects on a background queue. Calls of the client
/// are made from the main queue; its longest block is measured in virtual time.
public final class MigrationRunner {
  /// The cost of the work of a step, in nanoseconds for each object.
  public struct Costs: Hashable, Sendable {
    /// The cost of reading one object, in nanoseconds.
    public var reading: UInt64
    /// The cost of saving one object, in nanoseconds.
    public var saving: UInt64
    /// Whether reads run in the background.
    public var readsInBackground: Bool

    /// Creates costs, in nanoseconds for each object.
    public init(reading: UInt64 = 1_000, saving: UInt64 = 500, readsInBackground: Bool = true) {
      self.reading = reading
      self.saving = saving
      self.readsInBackground = readsInBackground
    }
  }

  /// The device: the state that survives a crash of the application.
  public struct Device: Sendable {
    /// The client, its requests and the network.
    public var session = CollectionSession()
    /// The settings of the application.
    public var settings = JSONObject()

    /// Creates a device with a new client and without settings.
    public init() {}
  }

  /// The migration with its state.
  public private(set) var migration: CollectionMigration
  /// The longest time that the main queue was blocked, in nanoseconds.
  public private(set) var longestMainBlock: UInt64 = 0
  /// The requests of the saves, in the order in which they were sent.
  public private(set) var exchanges: [CollectionSession.Exchange] = []

  private let context: ManagedObjectContext
  private let store: IncrementalStore
  private let costs: Costs
  private var next: MigrationEffect?

  /// Creates a runner that has not started.
  public init(
    _ plan: MigrationPlan, from store: IncrementalStore, _ context: ManagedObjectContext,
    costs: Costs = Costs()
  ) {
    migration = CollectionMigration(plan)
    self.store = store
    self.context = context
    self.costs = costs
  }

  /// Requests the start of the migration; ignored while it runs.
  public func begin() { if let effect = migration.handle(.begin) { next = effect } }

  /// Performs the next step and returns it; nil at the end.
  public func step(
    _ device: inout Device, _ backend: any BackendEndpoint, environment: RunEnvironment
  ) throws(HarnessError) -> MigrationEffect? {
    guard let effect = next else { return nil }
    let event: MigrationEvent
    // The store and the runner share one clock and one random generator.
    store.host.environment = environment
    do throws(ContextError) {
      event = try perform(effect, &device, backend: backend)
    } catch {
      if case .store(let error) = error.reason, case .harness(let failure) = error.reason {
        throw failure
      }
      event = .failed(error.description)
    }
    next = migration.handle(event)
    return effect
  }

  private func perform(
    _ effect: MigrationEffect, _ device: inout Device, backend: any BackendEndpoint
  ) throws(ContextError) -> MigrationEvent {
    switch effect {
    case .readFlag(.settings, let name): return .flagRead(device.settings[name] == true)
    case .readFlag(.store, let name): return .flagRead(try storeFlags()[name] == true)
    case .setFlag(.settings, let name):
      device.settings[name] = true
      return .flagSet
    case .setFlag(.store, let name):
      var flags = try storeFlags()
      flags[name] = true
      try perform(.writeLocal(id: Self.flagsID, body: .object(flags)))
      return .flagSet
    case .count(let entities):
      var count: Int64 = 0
      for entity in entities { count += try context.count(ObjectFetchRequest(entity)) }
      return .counted(count)
    case .readPage(let collection, let offset, let limit):
      return .pageRead(try page(collection, offset, limit: limit))
    case .save(let collection, let objects):
      return try save(objects, collection, device: &device, backend: backend)
    case .delete(let objects):
      try delete(objects)
      return .deleted
    }
  }

  // MARK: Reads and deletions

  /// The current objects; the context is reset first.
  private func page(
    _ collection: CollectionDescription, _ offset: Int64, limit: Int64?
  ) throws(ContextError) -> MigrationPage {
    context.reset()
    // One extra row shows whether another page follows; none can follow the maximum limit.
    let request = ObjectFetchRequest(
      collection.objectType, offset: offset, limit: limit.map { $0 == .max ? .max : $0 + 1 })
    var objects = try context.fetch(request, includesPendingChanges: false)
    let isLast = limit.map { Int64(objects.count) <= $0 } ?? true
    if !isLast { objects.removeLast() }
    if !costs.readsInBackground { block(costs.reading, objects.count) }
    var missing: Set<ObjectID> = []
    for end in objects.flatMap({ $0.properties.values.flatMap { $0.ends } })
    where !missing.contains(end) {
      if try !exists(end) { missing.insert(end) }
    }
    return MigrationPage(objects, missing: missing, isLast: isLast)
  }

  private func exists(_ id: ObjectID) throws(ContextError) -> Bool { try stored(id) != nil }

  /// An object in the store, bypassing the context.
  private func stored(_ id: ObjectID) throws(ContextError) -> ManagedObject? {
    return try ContextError.ofStore { () throws(StoreError) in try store.row(id) }
  }

  /// Deletes exactly these objects; objects they refer to may exist only here.
  ///
  /// Referring objects are deleted first. A datastore without batches may stop in between, and a
  /// repeated migration must not save an object without its references.
  private func delete(_ objects: [MigratedObject]) throws(ContextError) {
    context.reset()
    var request = SaveRequest()
    for collection in migration.plan.childrenFirst.reversed() {
      for object in objects {
        guard let row = try stored(object.id), row.entity == collection.objectType,
          row.version == object.version
        else { continue }
        request.deleted.append(object.id)
      }
    }
    do throws(StoreError) { _ = try store.save(request) } catch {
      throw ContextError(.store(error))
    }
  }

  // MARK: Saving

  private func save(
    _ objects: [CollectionObject], _ collection: CollectionDescription, device: inout Device,
    backend: any BackendEndpoint
  ) throws(ContextError) -> MigrationEvent {
    block(costs.saving, objects.count)
    let report: CollectionSession.Report
    do throws(HarnessError) {
      report = try device.session.perform(
        .save(objects), on: collection.name, backend, environment: store.host.environment)
    } catch {
      throw ContextError(.store(StoreError(.harness(error), error.message)))
    }
    exchanges += report.requests
    switch report.callbacks.last?.result {
    case .objects(let saved)?: return .saved(Self.ids(saved), waiting: [:], nil)
    case .error(let error)?:
      var waiting: [ObjectID: JSONString] = [:]
      for failure in error.failures {
        guard let index = failure.index, let id = failure.id, error.queued.contains(id),
          let tag = objects[Int(index)].tag
        else { continue }
        waiting[ObjectID(tag)] = id
      }
      return .saved(Self.ids(error.succeeded), waiting: waiting, error)
    default: return .failed("a save was not completed")
    }
  }

  /// The ids of objects at the backend, by local id.
  private static func ids(_ objects: [CollectionObject]) -> [ObjectID: JSONString] {
    var ids: [ObjectID: JSONString] = [:]
    for object in objects {
      if let tag = object.tag, let id = object.id { ids[ObjectID(tag)] = id }
    }
    return ids
  }

  private func block(_ cost: UInt64, _ count: Int) {
    let (time, isTooLong) = cost.multipliedReportingOverflow(by: UInt64(count))
    longestMainBlock = max(longestMainBlock, isTooLong ? .max : time)
  }

  // MARK: The flag in the store

  /// The local document with the flags; it is part of the store but never replicated.
  static let flagsID: DocumentID = "migrations"

  private func storeFlags() throws(ContextError) -> JSONObject {
    guard case .local(let body)? = try perform(.readLocal(id: Self.flagsID)) else {
      return JSONObject()
    }
    return body.objectValue ?? JSONObject()
  }

  /// Performs an action on the datastore; nil if the document does not exist.
  @discardableResult
  private func perform(_ action: StoreAction) throws(ContextError) -> OperationResult? {
    let outcome: Outcome
    do throws(HarnessError) {
      outcome = try store.host.datastore.perform(
        StoreOperation(store.name, action), store.host.environment)
    } catch {
      throw ContextError(.store(StoreError(.harness(error), error.message)))
    }
    switch outcome {
    case .ok(let result): return result
    case .error(let error):
      if case .notFound = error.kind { return nil }
      throw ContextError(.store(StoreError(.datastore(nil, error), error.description)))
    case .unknown:
      throw ContextError(.store(StoreError(.unanswered, "the outcome is unknown")))
    }
  }
}

extension PropertyValue {
  fileprivate var ends: [ObjectID] {
    switch self {
    case .toOne(let id): [id]
    case .toMany(let ids): ids
    case .none, .attribute: []
    }
  }
}
