public import Datastore
public import JSON

/// A store that a coordinator has.
public protocol PersistentStore: AnyObject {
  var type: JSONString { get }
  /// The URL that it was added with.
  var url: JSONString { get }
}

/// A datastore for stores of objects, with the time and the randomness of a run.
public final class ObjectHost {
  public let datastore: any ImplementationUnderTest
  public var environment: RunEnvironment

  public init(_ datastore: any ImplementationUnderTest, _ environment: RunEnvironment) {
    self.datastore = datastore
    self.environment = environment
  }
}

/// What a store is made from.
public struct StoreRequest {
  public let model: ManagedObjectModel
  public let configuration: JSONString?
  public let url: JSONString
  public let options: IncrementalStoreOptions
  public let host: ObjectHost
}

/// The types of stores that coordinators know.
public struct StoreTypeRegistry {
  public typealias Opening = (StoreRequest) throws(StoreError) -> any PersistentStore

  private var types: [JSONString: Opening] = [:]

  /// No types, or with `registersAutomatically` that of the incremental store.
  public init(registersAutomatically: Bool = false) {
    if registersAutomatically { registerIncrementalStore() }
  }

  /// Makes a type known, in place of one of the same name.
  public mutating func register(_ type: JSONString, _ open: @escaping Opening) {
    types[type] = open
  }

  /// Makes the incremental store known; doing so again changes nothing.
  public mutating func registerIncrementalStore() {
    guard types[IncrementalStore.type] == nil else { return }
    register(IncrementalStore.type) { (request) throws(StoreError) in
      try IncrementalStore(request)
    }
  }

  /// The known types in byte order.
  public var names: [JSONString] {
    types.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  func open(_ type: JSONString, _ request: StoreRequest) throws(StoreError) -> any PersistentStore {
    guard let open = types[type] else {
      throw StoreError(.unknownType(type), "nobody registered stores of type '\(type)'")
    }
    return try open(request)
  }
}

/// The stores of a model, one beside the other.
public final class StoreCoordinator {
  public let model: ManagedObjectModel
  public var types: StoreTypeRegistry
  /// In the order in which they were added.
  public private(set) var stores: [any PersistentStore] = []

  private let host: ObjectHost

  public init(_ model: ManagedObjectModel, types: StoreTypeRegistry, host: ObjectHost) {
    self.model = model
    self.types = types
    self.host = host
  }

  /// Adds a store and answers it; one that fails is not added.
  ///
  /// - Parameters:
  ///   - configuration: for stores that know some; the incremental store takes the whole model.
  ///   - options: nil for those that nobody has to think about.
  public func addStore(
    type: JSONString, configuration: JSONString? = nil, url: JSONString,
    options: IncrementalStoreOptions? = nil
  ) throws(StoreError) -> any PersistentStore {
    guard !stores.contains(where: { $0.url == url }) else {
      throw StoreError(.alreadyAdded, "there is a store at '\(url)' already")
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
  /// The incremental stores of a coordinator, in its order; none is an empty list.
  public static func stores(of coordinator: StoreCoordinator) -> [IncrementalStore] {
    coordinator.stores.compactMap { $0 as? IncrementalStore }
  }

  /// The incremental store at a URL; nil when there is none.
  public static func store(of coordinator: StoreCoordinator, at url: JSONString)
    -> IncrementalStore?
  {
    stores(of: coordinator).first { $0.url == url }
  }
}
