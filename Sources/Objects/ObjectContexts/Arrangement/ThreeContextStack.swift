public import Datastore
public import JSON
public import ObjectMapping

/// Three contexts over one store: a writer, and a main and a background context on top of it.
///
/// What one of the two saves goes to the writer and is merged into the other; the writer saves to the
/// store. Nobody but the arrangement reaches the writer. There are no threads: a queue is a list of
/// blocks, `step(_:)` runs the next piece of one, and nothing runs by itself. A call that waits runs as
/// much of the other queues as it needs, or throws when that cannot end.
///
/// Source: the guide of DataStore, "Concurrency Approach".
public final class ThreeContextStack {
  public let mainContext: ManagedObjectContext
  public let backgroundContext: ManagedObjectContext
  let writerContext: ManagedObjectContext
  public let options: StackOptions
  /// Where the ids of new objects come from.
  public let environment: RunEnvironment
  /// What happened, until somebody takes it.
  public var events: [StackEvent] = []
  /// What should be done otherwise, each once.
  public internal(set) var warnings: [StackWarning] = []

  var queues = StackQueue.allCases.map { _ in [QueueBlock]() }
  /// How many blocks there have been.
  var blockCount = 0
  /// The queues whose pieces are running, the innermost last.
  package var running: [StackQueue] = []
  var sharedData = SharedDataCheck()
  /// The operations that save and are not through, where turns are taken; the first has its turn.
  var turns: [Turn] = []

  /// An operation that has its turn, or waits for it.
  struct Turn {
    let operation: Int
    /// Where it is at work.
    var queue: StackQueue
    /// What puts it on its queue when its turn comes; nil when a caller waits for that.
    let begin: ((ThreeContextStack) -> Void)?
  }

  /// Three contexts over a row cache.
  ///
  /// - Parameter policy: of the writer, which alone meets the store.
  public init(
    over cache: StoreCoordinatorCache, policy: MergePolicy = .error,
    options: StackOptions = StackOptions(), contextOptions: ContextOptions = ContextOptions(),
    _ environment: RunEnvironment
  ) {
    writerContext = ManagedObjectContext(
      .coordinator(cache), policy: policy, options: contextOptions)
    mainContext = ManagedObjectContext(.context(writerContext), options: contextOptions)
    backgroundContext = ManagedObjectContext(.context(writerContext), options: contextOptions)
    self.options = options
    self.environment = environment
  }

  /// Three contexts over the incremental store at a path, which is made when there is none.
  ///
  /// Objects of an earlier model are migrated. Throws `missingStorePath` without a path.
  ///
  /// Source: the guide of DataStore, "Singleton Object".
  public convenience init(
    model: ManagedObjectModel, storePath: JSONString?, host: ObjectHost,
    policy: MergePolicy = .error,
    options: StackOptions = StackOptions()
  ) throws(ContextError) {
    guard let storePath, !storePath.isEmpty else { throw ContextError(.missingStorePath) }
    let coordinator = StoreCoordinator(
      model, types: StoreTypeRegistry(registersAutomatically: true), host: host)
    do throws(StoreError) {
      let store = try coordinator.addStore(
        type: IncrementalStore.type, url: storePath,
        options: IncrementalStoreOptions(migratesAutomatically: true))
      guard let rows = store as? IncrementalStore else {
        throw StoreError(.unknownType(store.type), "'\(store.type)' keeps no rows")
      }
      self.init(
        over: StoreCoordinatorCache(rows), policy: policy, options: options, host.environment)
    } catch {
      throw ContextError(.store(error))
    }
  }

  public var model: ManagedObjectModel { writerContext.model }

  /// The URL of the store; nil for rows in memory.
  public var persistentStoreURL: JSONString? {
    (writerContext.coordinator.store as? IncrementalStore)?.url
  }

  /// Whether one of the three contexts has something to save.
  public var hasChanges: Bool {
    mainContext.hasChanges || backgroundContext.hasChanges || writerContext.hasChanges
  }

  func context(_ queue: StackQueue) -> ManagedObjectContext {
    switch queue {
    case .background: backgroundContext
    case .writer: writerContext
    case .caller, .main: mainContext
    }
  }

  func warn(_ warning: StackWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}
