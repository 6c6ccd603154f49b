import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import ReferenceDatastore

/// A datastore with an object store and a context, and pulls from others.
final class Replica {
  static let name: StoreName = "objects"

  let datastore = ReferenceDatastore()
  let host: ObjectHost
  let cache: StoreCoordinatorCache
  let context: ManagedObjectContext

  /// Creates a replica.
  ///
  /// - Parameter origin: the source of the first pull, before the object store is created.
  init(
    _ model: ManagedObjectModel, seed: UInt64, policy: MergePolicy = .error,
    from origin: Replica? = nil
  ) throws {
    host = ObjectHost(datastore, RunEnvironment(seed: seed))
    _ = datastore.perform(StoreOperation(Self.name, .open()), host.environment)
    if let origin { try Self.pull(from: origin, to: datastore, host.environment) }
    let coordinator = StoreCoordinator(
      model, types: StoreTypeRegistry(registersAutomatically: true), host: host)
    let store = try coordinator.addStore(type: IncrementalStore.type, url: "file:///objects")
    guard let store = store as? IncrementalStore else { throw Fixtures.Missing() }
    cache = StoreCoordinatorCache(store)
    try cache.tallyConflicts()
    context = cache.context(policy)
  }

  struct Refused: Error { let outcome: Outcome }

  func ask(_ action: StoreAction) throws -> OperationResult {
    try Self.ask(datastore, action, host.environment)
  }

  private static func ask(
    _ datastore: ReferenceDatastore, _ action: StoreAction, _ environment: RunEnvironment
  ) throws -> OperationResult {
    let outcome = datastore.perform(StoreOperation(name, action), environment)
    guard case .ok(let result) = outcome else { throw Refused(outcome: outcome) }
    return result
  }

  /// Pulls all revisions of another replica, with all leaves.
  ///
  /// - Parameter ids: the documents to pull; nil for all.
  func pull(_ ids: [DocumentID]? = nil, from other: Replica) throws {
    try Self.pull(ids, from: other, to: datastore, host.environment)
  }

  private static func pull(
    _ ids: [DocumentID]? = nil, from other: Replica, to datastore: ReferenceDatastore,
    _ environment: RunEnvironment
  ) throws {
    guard case .changes(let page) = try other.ask(.changes()) else { return }
    let rows = page.rows.filter { ids?.contains($0.id) ?? true }
    let queries = rows.map { RevisionQuery(id: $0.id, revs: $0.leaves.map { $0.rev }) }
    guard case .revisions(let answers) = try other.ask(.getRevisions(queries)) else { return }
    var records: [RevisionRecord] = []
    for answer in answers { if case .records(let found) = answer.found { records += found } }
    _ = try ask(datastore, .insertRevisions(records), environment)
  }

  /// The live leaves of a document.
  func live(_ id: ObjectID) throws -> Int {
    guard case .leaves(let leaves) = try ask(.leaves(id: id)) else { return 0 }
    return leaves.filter { !$0.deleted }.count
  }

  /// The values that a new context reads.
  func stored(_ id: ObjectID) throws -> [Int64?]? {
    let reader = StoreCoordinatorCache(cache.store).context()
    guard reader.failure({ try reader.object(id) }) == nil else { return nil }
    return try reader.numbers(id)
  }

  /// Two replicas that start with one thing {a: 1, b: 1}.
  static func pair(_ policy: MergePolicy = .error) throws -> (here: Replica, there: Replica) {
    let model = try Fixtures.model()
    let there = try Replica(model, seed: 1)
    try there.context.insert("Thing", id: "t", Fixtures.numbers(1, 1))
    try there.context.save()
    let here = try Replica(model, seed: 2, policy: policy, from: there)
    try here.context.object("t")
    return (here, there)
  }
}
