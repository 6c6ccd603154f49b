public import Datastore
public import JSON
public import ObjectMapping

/// Three contexts over one store: a writer, with a main and a background context as its children.
///
/// The changes saved in one of the two children go to the writer and are merged into the other
/// child; the writer saves to the store. The writer is private to the arrangement. There are no
/// threads: a queue is a list of blocks, and only `step(_:)` runs the next piece of one. A call
/// that waits runs the other queues as far as needed, or throws on a deadlock.
///
/// Source: the guide of DataStore, "Concurrency Approach".
public final class ThreeContextStack {
  /// The context of the main queue, a child of the writer.
  public let mainContext: ManagedObjectContext
  /// The context of the background queue, a child of the writer.
  public let backgroundContext: ManagedObjectContext
  package let writerContext: ManagedObjectContext
  /// The options of the arrangement.
  public let options: StackOptions
  /// The source of the ids of new objects.
  public let environment: RunEnvironment
  /// The events so far, until the caller removes them.
  public var events: [StackEvent] = []
  /// The warnings so far, each once.
  public internal(set) var warnings: [StackWarning] = []

  var queues = StackQueue.allCases.map { _ in [QueueBlock]() }
  /// The number of blocks created so far.
  var blockCount = 0
  /// The queues whose pieces are running, the innermost last.
  package var running: [StackQueue] = []
  var sharedData = SharedDataCheck()
  /// The unfinished operations with a save, if turns are taken; the first one has its turn.
  var turns: [Turn] = []

  /// An operation that has its turn, or waits for it.
  struct Turn {
    let operation: Int
    /// The queue of the operation.
    var queue: StackQueue
    /// Enqueues the operation when its turn comes; nil if a caller waits for that.
    let begin: ((ThreeContextStack) -> Void)?
  }

  /// Three contexts over a row cache.
  ///
  /// - Parameter policy: the policy of the writer, the only context that saves to the store.
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

  /// Three contexts over the incremental store at a path or URL, which is created if it is missing.
  ///
  /// The name of the store is the last component, with `_` for characters that a name cannot have:
  /// `people_sqlite3` for `/documents/People.sqlite3`. Objects of an earlier model are migrated.
  /// Throws `missingStorePath` without a path.
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
        options: IncrementalStoreOptions(migratesAutomatically: true, mendsNames: true))
      guard let rows = store as? IncrementalStore else {
        throw StoreError(.unknownType(store.type), "stores of type '\(store.type)' have no rows")
      }
      self.init(
        over: StoreCoordinatorCache(rows), policy: policy, options: options, host.environment)
    } catch {
      throw ContextError(.store(error))
    }
  }

  /// The model of all three contexts.
  public var model: ManagedObjectModel { writerContext.model }

  /// The URL of the store; nil for rows in memory.
  public var persistentStoreURL: JSONString? {
    (writerContext.coordinator.store as? IncrementalStore)?.url
  }

  /// Whether any of the three contexts has changes to save.
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
