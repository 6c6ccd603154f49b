public import Datastore
internal import Digest
internal import JSON
public import Storage

/// The bundled implementation under test: each store is one SQLite database in a storage.
///
/// An operation is checked (`Request`), then carried out in one transaction (`Store.perform`), and
/// acknowledged when the log is synced. Nothing is kept in memory between operations but the open
/// connections, so whatever ends the process, the files are the whole truth. The contents of
/// attachments lie in files of their own beside the database (`BlobFiles`).
///
/// One object, with its storage, is used by one thread at a time.
public final class SQLiteDatastore: ImplementationUnderTest {
  private let storage: any Storage
  private let busyMilliseconds: Int32
  private let inlineBytesMax: Int
  private let readsFiles: Bool
  private let checkpointPages: Int?
  /// How many stores may be open at a time; each takes some 300 KB of memory, and on a disk three
  /// descriptors.
  var openStoresMax = 4096
  private var stores: [StoreName: Store] = [:]
  /// Stores without a database whose log could not be removed yet.
  private var remains: Set<StoreName> = []

  /// A datastore whose files lie in the given storage.
  ///
  /// Where another process holds a store, an operation waits for it as long as given and then
  /// answers `busy`.
  ///
  /// - Parameters:
  ///   - inlineBytesMax: the longest content of an attachment that stands in an operation or an
  ///     answer; nil is 1 MiB.
  ///   - readsFiles: whether `create`, `update`, `resolve` and `batch` may name a file of the host as
  ///     the content of an attachment, which is then read with the rights of this process. Without it
  ///     such a write fails with `unsupported` (`file`), as a record always does.
  ///   - checkpointPages: how many pages the log of a store has before they are moved into its
  ///     database, 1 or more; nil is what is fast.
  public init(
    storage: any Storage, busyMilliseconds: Int = 0, inlineBytesMax: Int? = nil,
    readsFiles: Bool = false, checkpointPages: Int? = nil
  ) {
    self.storage = storage
    self.busyMilliseconds = Int32(clamping: busyMilliseconds)
    self.inlineBytesMax = inlineBytesMax ?? Limits.inlineBytesMax
    self.readsFiles = readsFiles
    self.checkpointPages = checkpointPages
  }

  public var description: ImplementationDescription {
    ImplementationDescription(
      name: "SQLiteDatastore", version: "1",
      capabilities: [
        .resolve, .compact, .purge, .historyLimit, .atomicBatch, .validation, .flush,
        .tombstoneBodies, .attachment, .find, .regex, .decimals, .geography,
      ],
      profiles: [
        .exactNumbers, .denseChanges, .incarnationSequences, .cdtDigest, .cdtCollation, .couchdb,
      ],
      limits: ImplementationDescription.Limits(
        bodyBytesMax: Limits.bodyBytesMax, idBytesMax: Limits.idBytesMax,
        depthMax: Limits.depthMax, inlineBytesMax: inlineBytesMax,
        attachmentBytesMax: Int(Limits.attachmentBytesMax)),
      isDeterministic: true, crashes: [.kill])
  }

  public func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    do throws(DatastoreError) {
      guard let result = try answer(operation, environment) else { return .unknown }
      return .ok(result)
    } catch {
      return .error(error)
    }
  }

  /// What came of an operation; nil when nobody can say whether it happened.
  private func answer(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(DatastoreError) -> OperationResult? {
    switch operation.action {
    case .open(let revisionIDs, let collation):
      let wishes = Store.Wishes(revisionIDs: revisionIDs, collation: collation)
      return try open(operation.store, wishes, environment: environment)
    case .close:
      stores.removeValue(forKey: operation.store)?.connection.close()
      return .done
    case .destroy:
      return try destroy(operation.store)
    default:
      guard let store = stores[operation.store] else {
        throw DatastoreError(.noSuchStore, "the store '\(operation.store)' is not open")
      }
      let request = try Request(
        operation.action, collation: store.identity.collation,
        AttachmentRule(inlineBytesMax: inlineBytesMax, readsFiles: readsFiles),
        environment: environment)
      return try store.perform(request)
    }
  }

  // MARK: The life of a store

  private func open(
    _ name: StoreName, _ wishes: Store.Wishes, environment: RunEnvironment
  ) throws(DatastoreError) -> OperationResult? {
    let fileName = try StoreNameRule.fileName(for: name)
    if let store = stores[name] {
      try wishes.check(store.identity)
      return .done
    }
    guard stores.count < openStoresMax else {
      throw DatastoreError(
        .tooLarge(limit: Int64(openStoresMax)), "\(stores.count) stores are open; close one first")
    }
    if remains.contains(name) {
      try delete(StoreNameRule.family(of: fileName).dropFirst())
      remains.remove(name)
    }
    // Drawn here, because a closure cannot hold an `inout`; taken over only by a new store.
    var drawing = environment
    stores[name] = try Store.open(
      fileName, in: storage, busyMilliseconds: busyMilliseconds, checkpointPages: checkpointPages,
      wishes,
      incarnation: { JSONString(drawing.randomBytes(16).hexadecimal) })
    environment = drawing
    stores[name]?.inlineBytesMax = inlineBytesMax
    return stores[name] == nil ? nil : .done
  }

  /// Removes the files of a store; nil when it is gone and may come back after a power loss.
  ///
  /// Fails with `busy` while another connection has them open, `corrupt` when
  /// the database is that of another application.
  private func destroy(_ name: StoreName) throws(DatastoreError) -> OperationResult? {
    // A store whose name is none was never there.
    guard let fileName = try? StoreNameRule.fileName(for: name) else { return .done }
    if case .other(let application) = try owner(of: fileName) {
      throw DatabaseOwner.refusal(fileName, application: application)
    }
    let rest = StoreNameRule.family(of: fileName).dropFirst()
    let contents = try blobNames(of: fileName)
    guard try exists(fileName) else {
      remains.remove(name)
      // What is left of a store that was removed by half, or by someone else.
      stores.removeValue(forKey: name)?.connection.abandon()
      for member in rest where try exists(member) { try delete([member]) }
      // Only when the database cannot come back, for it would miss them.
      if !contents.isEmpty { try delete([]) }
      if !contents.isEmpty { try delete(contents) }
      return .done
    }
    // A file that does not even open is a file that nobody holds.
    let connection =
      stores[name]?.connection
      ?? (try? Connection(fileName, in: storage, busyMilliseconds: busyMilliseconds))
    do throws(DatastoreError) {
      do throws(SQLiteError) { try connection?.leaveWriteAheadLog() } catch {
        throw DatastoreError(error)
      }
      do throws(StorageError) { try storage.delete(fileName) } catch { throw DatastoreError(error) }
    } catch {
      // Still there, and open if it was.
      try? connection?.useWriteAheadLog()
      throw error
    }
    stores[name] = nil
    connection?.abandon()
    guard (try? delete(rest)) != nil else {
      remains.insert(name)
      return nil
    }
    // What stays of them belongs to nobody: the next store of the name does not know it.
    if !contents.isEmpty { try? delete(contents) }
    return .done
  }

  /// The files with contents of attachments of a store, or of all stores.
  private func blobNames(of fileName: String? = nil) throws(DatastoreError) -> [String] {
    let prefix = fileName.map { BlobName.prefix(of: $0) }
    do throws(StorageError) {
      return try storage.fileNames().filter { name in
        guard let blob = BlobName(name) else { return false }
        return prefix == nil || blob.prefix == prefix
      }
    } catch {
      throw DatastoreError(error)
    }
  }

  private func exists(_ fileName: String) throws(DatastoreError) -> Bool {
    do throws(StorageError) { return try storage.exists(fileName) } catch {
      throw DatastoreError(error)
    }
  }

  /// Removes files, and whatever was removed before stays removed as well.
  private func delete(_ fileNames: some Sequence<String>) throws(DatastoreError) {
    do throws(StorageError) {
      for fileName in fileNames { try storage.delete(fileName) }
      try storage.syncDirectory()
    } catch {
      throw DatastoreError(error)
    }
  }

  /// Whose the database in a file is; nil when there is none.
  private func owner(of fileName: String) throws(DatastoreError) -> DatabaseOwner? {
    try DatabaseOwner.look(at: fileName, in: storage, busyMilliseconds: busyMilliseconds)
  }

  // MARK: The life of the implementation

  /// Removes every store; databases of other applications stay, whatever they are called.
  public func reset() throws(HarnessError) {
    // Whose a store is that is open needs no look.
    let ours = Set(
      openStores.filter { !$0.connection.isMoved }.map { $0.connection.fileName })
    abandonAll()
    do throws(DatastoreError) {
      var removed: [String] = []
      for fileName in try databaseNames() {
        if !ours.contains(fileName), case .other = try owner(of: fileName) { continue }
        removed += StoreNameRule.family(of: fileName)
      }
      try delete(removed)
      try delete(blobNames())
    } catch {
      throw HarnessError("the stores could not be removed: \(error.message)")
    }
  }

  /// The databases that can be stores, also those of which only a log or a journal is there.
  private func databaseNames() throws(DatastoreError) -> [String] {
    do throws(StorageError) {
      let names = Set(try storage.fileNames().compactMap(StoreNameRule.databaseName))
      return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      throw DatastoreError(error)
    }
  }

  /// Ends the process as far as the files can tell: their contents and their logs stay as they are.
  public func crash(_ kind: CrashKind) throws(HarnessError) {
    guard kind == .kill else {
      throw HarnessError("a crash of kind \(kind.rawValue) was not declared")
    }
    abandonAll()
  }

  public func shutdown() throws(HarnessError) {
    for store in openStores { store.connection.close() }
    stores = [:]
  }

  private func abandonAll() {
    for store in openStores { store.connection.abandon() }
    stores = [:]
    // The next process knows nothing of this one.
    remains = []
  }

  /// The open stores in the order of their names, so that the steps on the storage have an order.
  private var openStores: [Store] {
    stores.sorted {
      $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8)
    }.map { $0.value }
  }
}
