internal import Datastore
internal import JSON
internal import Replication
internal import SQLiteDatastore
internal import Storage

/// Two stores with equal content: one that is measured, and one whose file the baseline uses.
///
/// Both are created and filled by the store's own code. So the schema of the baseline *is* the
/// store's, also after changes.
final class Workbench {
  let storage: any Storage
  private let datastore: SQLiteDatastore
  private let environment = RunEnvironment(seed: 1)
  private var floor: RawDatabase?

  private static let subjectName: StoreName = "subject"
  private static let floorName: StoreName = "floor"

  init(storage: any Storage) {
    self.storage = storage
    datastore = SQLiteDatastore(storage: storage)
  }

  // MARK: The store

  /// An operation on the measured store.
  static func operation(_ action: StoreAction) -> StoreOperation {
    StoreOperation(subjectName, action)
  }

  /// Performs an operation that must succeed.
  func perform(_ operation: StoreOperation) throws(BenchmarkError) -> OperationResult {
    let outcome: Outcome
    do throws(HarnessError) {
      outcome = try datastore.perform(operation, environment)
    } catch {
      throw .harness(error)
    }
    guard case .ok(let result) = outcome else { throw Self.unexpected(operation, outcome) }
    return result
  }

  /// The error of a result that no benchmark expects.
  static func unexpected(_ operation: StoreOperation, _ outcome: Outcome) -> BenchmarkError {
    let text = outcome.description.unicodeScalars
    let start = String(String.UnicodeScalarView(text.prefix(300)))
    return .unexpected(
      operation: operation.action.name, outcome: text.count > 300 ? start + " …" : start)
  }

  // MARK: Setting up

  /// Creates both stores and performs the actions on each.
  ///
  /// Then both are closed and opened again, one as a store and one as a database, so that neither
  /// has a longer log or a warmer cache.
  func begin(with actions: [StoreAction] = []) throws(BenchmarkError) {
    for name in [Self.subjectName, Self.floorName] {
      _ = try perform(StoreOperation(name, .open()))
      for action in actions {
        let operation = StoreOperation(name, action)
        let result = try perform(operation)
        if case .inserted(let failures) = result, failures.contains(where: { $0 != nil }) {
          throw Self.unexpected(operation, .ok(result))
        }
      }
      _ = try perform(StoreOperation(name, .close))
    }
    _ = try perform(Workbench.operation(.open()))
    floor = try open(Self.floorName)
  }

  /// The baseline's database; available once the benchmark has begun.
  func floorDatabase() throws(BenchmarkError) -> RawDatabase {
    guard let floor else { throw .disagreement("the baseline has no database yet") }
    return floor
  }

  /// The database of a store.
  func open(_ name: StoreName) throws(BenchmarkError) -> RawDatabase {
    try RawDatabase("\(name).sqlite", in: storage)
  }

  /// Replaces the store by an empty one.
  func emptySubject() throws(BenchmarkError) { try empty(Self.subjectName, leavesOpen: true) }

  /// Replaces the baseline's database by an empty one.
  func emptyFloor() throws(BenchmarkError) {
    floor?.close()
    floor = nil
    try empty(Self.floorName, leavesOpen: false)
    floor = try open(Self.floorName)
  }

  private func empty(_ name: StoreName, leavesOpen: Bool) throws(BenchmarkError) {
    if !leavesOpen { _ = try perform(StoreOperation(name, .open())) }
    _ = try perform(StoreOperation(name, .destroy))
    _ = try perform(StoreOperation(name, .open()))
    if !leavesOpen { _ = try perform(StoreOperation(name, .close)) }
  }

  /// Runs a statement on both databases without the store, and empties their logs.
  ///
  /// Afterwards neither the store nor the baseline has the pages in its cache.
  func change(_ sql: String) throws(BenchmarkError) {
    for name in [Self.subjectName, Self.floorName] {
      let database = try open(name)
      defer { database.close() }
      try database.prepare(sql).run()
      try database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").run()
    }
  }

  /// Copies the local documents of the store into the baseline's database.
  func copyLocalDocuments() throws(BenchmarkError) {
    let subject = try open(Self.subjectName)
    defer { subject.close() }
    let local = try subject.prepare("SELECT id, body FROM local")
    let insert = try floorDatabase().prepare("INSERT INTO local (id, body) VALUES (?1, ?2)")
    while try local.row() {
      insert.bind(1, text: local.bytes(0))
      insert.bind(2, text: local.bytes(1))
      try insert.run()
    }
    local.reset()
  }

  // MARK: Sessions

  /// Replicates into the measured store; the session must be complete.
  func replicate(
    from source: StoreName, _ configuration: ReplicatorConfiguration
  ) throws(BenchmarkError) -> ReplicationReport {
    try replicate(
      from: Peer(datastore, store: source), to: Peer(datastore, store: Self.subjectName),
      configuration)
  }

  /// Replicates between any two peers; the session must be complete.
  func replicate(
    from source: any ReplicationPeer, to target: any ReplicationPeer,
    _ configuration: ReplicatorConfiguration
  ) throws(BenchmarkError) -> ReplicationReport {
    let session = LocalReplication(from: source, to: target)
    do throws(HarnessError) {
      let (state, report) = try session.run(configuration, environment)
      guard state == .complete, report.failures.isEmpty else {
        throw HarnessError("the session ended as \(state.rawValue)")
      }
      return report
    } catch {
      throw .harness(error)
    }
  }

  // MARK: Ending

  /// Closes the store and fails unless both databases have the same documents and revisions.
  func checkAgreement() throws(BenchmarkError) {
    _ = try perform(StoreOperation(Self.subjectName, .close))
    let subject = try open(Self.subjectName)
    defer { subject.close() }
    try Agreement.check(subject, try floorDatabase())
  }

  /// Releases all files.
  func end() throws(BenchmarkError) {
    floor?.close()
    floor = nil
    do throws(HarnessError) { try datastore.shutdown() } catch { throw .harness(error) }
  }
}
