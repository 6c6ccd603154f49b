public import Collections
internal import Datastore
public import JSON
public import ObjectContexts
public import ObjectMapping

// Objects in files.

extension IncrementalStore {
  /// The objects of a model in a file, which gets a metadata document if it has none.
  public convenience init(
    in file: SQLiteFile, _ model: ManagedObjectModel,
    options: IncrementalStoreOptions = IncrementalStoreOptions()
  ) throws(StoreError) {
    try self.init(
      SQLiteFile.storeName, model, host: ObjectHost(file.datastore, file.environment),
      options: options, url: file.url)
  }
}

extension ThreeContextStack {
  /// Three contexts over a store in the file at a path, which is created if it is missing.
  ///
  /// Objects of an earlier model are migrated. Throws `missingStorePath` without a path.
  ///
  /// Source: the guide of DataStore, "Singleton Object".
  public convenience init(
    model: ManagedObjectModel, storePath: String?, policy: MergePolicy = .error,
    options: StackOptions = StackOptions()
  ) throws(ContextError) {
    guard let storePath, !storePath.isEmpty else { throw ContextError(.missingStorePath) }
    do throws(StoreError) {
      let file = try SQLiteFile(storePath)
      let store = try IncrementalStore(
        in: file, model, options: IncrementalStoreOptions(migratesAutomatically: true))
      self.init(
        over: StoreCoordinatorCache(store), policy: policy, options: options, file.environment)
    } catch {
      throw ContextError(.store(error))
    }
  }
}

extension CollectionBackend {
  /// A backend whose entities are in a file.
  public convenience init(in file: SQLiteFile) {
    self.init(file.datastore, store: SQLiteFile.storeName)
  }
}

extension StoreTypeRegistry {
  /// A registry with the type of the incremental store, whose stores are files: the path of a URL
  /// is that of the file.
  public static func files() -> StoreTypeRegistry {
    var types = StoreTypeRegistry()
    types.register(IncrementalStore.type) { (request) throws(StoreError) in
      let file = try SQLiteFile(try StoreURL.filePath(request.url))
      return try IncrementalStore(in: file, request.model, options: request.options)
    }
    return types
  }
}

extension SQLiteFile {
  /// The URL of the file, as that of a store in a coordinator.
  public var url: JSONString {
    let escaped = path.utf8.map { byte in
      byte <= 0x20 || byte >= 0x7F || "%?#".utf8.contains(byte)
        ? "%" + String(byte / 16, radix: 16) + String(byte % 16, radix: 16)
        : String(UnicodeScalar(byte))
    }
    return JSONString("file:" + (path.hasPrefix("/") ? "//" : "") + escaped.joined())
  }
}
