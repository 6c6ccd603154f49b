public import Datastore
public import JSON

/// A store of a coordinator.
public protocol PersistentStore: AnyObject {
  /// The name of the store type.
  var type: JSONString { get }
  /// The URL of the store.
  var url: JSONString { get }
}

/// A datastore for object stores, with the time and the randomness of a run.
public final class ObjectHost {
  /// The datastore that has the documents.
  public let datastore: any ImplementationUnderTest
  /// The source of time and randomness.
  public var environment: RunEnvironment

  /// Creates a host.
  public init(_ datastore: any ImplementationUnderTest, _ environment: RunEnvironment) {
    self.datastore = datastore
    self.environment = environment
  }
}

/// The parameters of a new store.
public struct StoreRequest {
  /// The model of the coordinator.
  public let model: ManagedObjectModel
  /// The name of the configuration; nil for the complete model.
  public let configuration: JSONString?
  /// The URL of the store.
  public let url: JSONString
  /// The options of the store.
  public let options: IncrementalStoreOptions
  /// The datastore and its environment.
  public let host: ObjectHost
}

/// The store types of coordinators.
public struct StoreTypeRegistry {
  /// Opens a store of a type, or creates it.
  public typealias Opening = (StoreRequest) throws(StoreError) -> any PersistentStore

  private var types: [JSONString: Opening] = [:]

  /// Creates a registry without types, or with `registersAutomatically` with that of the
  /// incremental store.
  public init(registersAutomatically: Bool = false) {
    if registersAutomatically { registerIncrementalStore() }
  }

  /// Registers a type; replaces one of the same name.
  public mutating func register(_ type: JSONString, _ open: @escaping Opening) {
    types[type] = open
  }

  /// Registers the incremental store; a second call has no effect.
  public mutating func registerIncrementalStore() {
    guard types[IncrementalStore.type] == nil else { return }
    register(IncrementalStore.type) { (request) throws(StoreError) in
      try IncrementalStore(request)
    }
  }

  /// The registered types in byte order.
  public var names: [JSONString] {
    types.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  func open(_ type: JSONString, _ request: StoreRequest) throws(StoreError) -> any PersistentStore {
    guard let open = types[type] else {
      throw StoreError(.unknownType(type), "the store type '\(type)' is not registered")
    }
    return try open(request)
  }
}

/// The stores of a model.
public final class StoreCoordinator {
  /// The model of all stores.
  public let model: ManagedObjectModel
  /// The types that stores can have.
  public var types: StoreTypeRegistry
  /// The stores in the order in which they were added.
  public private(set) var stores: [any PersistentStore] = []

  private let host: ObjectHost

  /// Creates a coordinator without stores.
  public init(_ model: ManagedObjectModel, types: StoreTypeRegistry, host: ObjectHost) {
    self.model = model
    self.types = types
    self.host = host
  }

  /// Adds a store and returns it; a store that fails to open is not added.
  ///
  /// - Parameters:
  ///   - configuration: for store types with configurations; the incremental store uses the
  ///     complete model.
  ///   - options: nil for the defaults.
  public func addStore(
    type: JSONString, configuration: JSONString? = nil, url: JSONString,
    options: IncrementalStoreOptions? = nil
  ) throws(StoreError) -> any PersistentStore {
    guard !stores.contains(where: { $0.url == url }) else {
      throw StoreError(.alreadyAdded, "a store at '\(url)' was already added")
    }
    let store = try types.open(
      type,
      StoreRequest(
        model: model, configuration: configuration, url: url,
        options: options ?? IncrementalStoreOptions(), host: host))
    stores.append(store)
    return store
  }
}

extension IncrementalStore {
  /// The incremental stores of a coordinator, in its order.
  public static func stores(of coordinator: StoreCoordinator) -> [IncrementalStore] {
    coordinator.stores.compactMap { $0 as? IncrementalStore }
  }

  /// The incremental store at a URL; nil if there is no such store.
  public static func store(of coordinator: StoreCoordinator, at url: JSONString)
    -> IncrementalStore?
  {
    stores(of: coordinator).first { $0.url == url }
  }
}
