public import Datastore
internal import Digest
internal import JSON
public import Storage

/// The bundled implementation under test: each store is one SQLite database in a storage.
///
/// An operation is validated (`Request`), executed in one transaction (`Store.perform`), and
/// acknowledged after the log is synced. Only the open connections are kept in memory between
/// operations, so after any crash the files contain the complete state. The contents of attachments
/// are stored in separate files beside the database (`BlobFiles`).
///
/// One object and its storage are used by one thread at a time.
public final class SQLiteDatastore: ImplementationUnderTest {
  public let description: ImplementationDescription
  private let storage: any Storage
  private let settings: Store.Settings
  private let inlineBytesMax: Int
  private let readsFiles: Bool
  /// The maximum number of open stores; each needs about 300 KB of memory, and three file
  /// descriptors on a disk.
  var openStoresMax = 4096
  private var stores: [StoreName: Store] = [:]
  /// Stores without a database whose log could not be removed yet.
  private var remains: Set<StoreName> = []

  /// A datastore whose files are in the given storage.
  ///
  /// If another process has a store locked, an operation waits for up to `busyMilliseconds` and
  /// then fails with `busy`.
  ///
  /// - Parameters:
  ///   - inlineBytesMax: the maximum length in bytes of attachment content inside an operation or a
  ///     response; nil is 1 MiB.
  ///   - readsFiles: whether `create`, `update`, `resolve` and `batch` may name a file of the host
  ///     as the content of an attachment, which is then read with the permissions of this process.
  ///     Otherwise such a write fails with `unsupported` (`file`), as a record always does.
  ///   - checkpointPages: the number of pages in the log of a store before they are moved into its
  ///     database, 1 or more; nil selects the fastest setting.
  ///   - pageBytes: the page size of new stores in bytes, a power of two from 512 to 65,536; nil and
  ///     all other numbers are 4,096. With smaller pages a small store in memory is faster, its trees
  ///     are deeper, and more of its bodies have pages of their own.
  public init(
    storage: any Storage, busyMilliseconds: Int = 0, inlineBytesMax: Int? = nil,
    readsFiles: Bool = false, checkpointPages: Int? = nil, pageBytes: Int? = nil
  ) {
    self.storage = storage
    self.inlineBytesMax = inlineBytesMax ?? Limits.inlineBytesMax
    self.readsFiles = readsFiles
    description = Self.description(inlineBytesMax: self.inlineBytesMax)
    var settings = Store.Settings(busyMilliseconds: Int32(clamping: busyMilliseconds))
    settings.checkpointPages = checkpointPages
    if let pageBytes, (512...65_536).contains(pageBytes), pageBytes.nonzeroBitCount == 1 {
      settings.pageBytes = pageBytes
    }
    self.settings = settings
  }

  private static func description(inlineBytesMax: Int) -> ImplementationDescription {
    ImplementationDescription(
      name: "SQLiteDatastore", version: "1",
      capabilities: [
        .resolve, .compact, .purge, .historyLimit, .atomicBatch, .validation, .flush,
        .tombstoneBodies, .attachment, .attachmentEncoding, .attachmentPieces, .find, .regex,
        .decimals, .geography,
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

  /// The result of an operation; nil if it is unknown whether the operation happened.
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

  // MARK: Lifecycle of a store

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
    stores[name] = try Store.open(
      fileName, in: storage, wishes, settings: settings,
      incarnation: { JSONString(environment.randomBytes(16).hexadecimal) })
    stores[name]?.inlineBytesMax = inlineBytesMax
    return stores[name] == nil ? nil : .done
  }

  /// Removes the files of a store; nil if they are removed but may reappear after a power loss.
  ///
  /// Throws `busy` while another connection has them open, and `corrupt` if the database belongs to
  /// another application.
  private func destroy(_ name: StoreName) throws(DatastoreError) -> OperationResult? {
    // A store with an invalid name never existed.
    guard let fileName = try? StoreNameRule.fileName(for: name) else { return .done }
    if case .other(let application) = try owner(of: fileName) {
      throw DatabaseOwner.refusal(fileName, application: application)
    }
    let rest = StoreNameRule.family(of: fileName).dropFirst()
    let contents = try blobNames(of: fileName)
    guard try exists(fileName) else {
      remains.remove(name)
      // The remains of a store that was removed partly, or by another program.
      stores.removeValue(forKey: name)?.connection.abandon()
      for member in rest where try exists(member) { try delete([member]) }
      // Only after the removal of the database is durable, because a restored database would miss
      // them.
      if !contents.isEmpty { try delete([]) }
      if !contents.isEmpty { try delete(contents) }
      return .done
    }
    // A file that cannot even be opened is not in use.
    let connection =
      stores[name]?.connection
      ?? (try? Connection(fileName, in: storage, busyMilliseconds: settings.busyMilliseconds))
    do throws(DatastoreError) {
      do throws(SQLiteError) { try connection?.leaveWriteAheadLog() } catch {
        throw DatastoreError(error)
      }
      do throws(StorageError) { try storage.delete(fileName) } catch { throw DatastoreError(error) }
    } catch {
      // The files still exist, and the store remains open if it was open.
      try? connection?.useWriteAheadLog()
      throw error
    }
    stores[name] = nil
    connection?.abandon()
    guard (try? delete(rest)) != nil else {
      remains.insert(name)
      return nil
    }
    // Remaining content files have no owner: the next store of the name has no rows for them.
    if !contents.isEmpty { try? delete(contents) }
    return .done
  }

  /// The content files of a store, or of all stores.
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

  /// Removes files, and makes all removals so far durable.
  private func delete(_ fileNames: some Sequence<String>) throws(DatastoreError) {
    do throws(StorageError) {
      for fileName in fileNames { try storage.delete(fileName) }
      try storage.syncDirectory()
    } catch {
      throw DatastoreError(error)
    }
  }

  /// The owner of the database in a file; nil if the file is not a database.
  private func owner(of fileName: String) throws(DatastoreError) -> DatabaseOwner? {
    try DatabaseOwner.look(at: fileName, in: storage, busyMilliseconds: settings.busyMilliseconds)
  }

  // MARK: Lifecycle of the implementation

  /// Removes every store; databases of other applications remain, whatever their names are.
  public func reset() throws(HarnessError) {
    // The owner of an open store is known.
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

  /// The databases that may be stores, including those of which only a log or a journal exists.
  private func databaseNames() throws(DatastoreError) -> [String] {
    do throws(StorageError) {
      let names = Set(try storage.fileNames().compactMap(StoreNameRule.databaseName))
      return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      throw DatastoreError(error)
    }
  }

  /// Ends the process from the perspective of the files: contents and logs remain unchanged.
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
    // The next process has no state of this one.
    remains = []
  }

  /// The open stores in the order of their names, so that the steps on the storage are
  /// deterministic.
  private var openStores: [Store] {
    stores.sorted {
      $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8)
    }.map { $0.value }
  }
}
