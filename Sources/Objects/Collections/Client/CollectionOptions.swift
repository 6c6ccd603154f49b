/// How a client uses a collection.
public struct CollectionOptions: Hashable, Sendable {
  public enum IDAssignment: String, CaseIterable, Sendable {
    /// The backend gives ids; a save whose answer is lost may have made an object.
    case backend
    /// The client gives ids before it saves, so that a save can be repeated.
    case client
  }

  /// Where results come from when a call does not say it.
  public var policy: CachePolicy
  /// Whether what cannot reach the backend waits until it can.
  public var isOffline: Bool
  public var ids: IDAssignment
  /// Whether relations that are loaded in the background keep their ids until they are.
  public var keepsStoredIDs: Bool
  /// How many objects one request removes at most.
  public var removalBatch: Int64
  /// Whether queries load only what is not held in the version that the backend has.
  public var loadsChangesOnly: Bool
  /// What may wait, and be sent later.
  public var delegate: OfflineDelegate
  public var quirks: ClientQuirks

  public init(
    policy: CachePolicy = .none, isOffline: Bool = false, ids: IDAssignment = .backend,
    keepsStoredIDs: Bool = false, removalBatch: Int64 = 100, loadsChangesOnly: Bool = false,
    delegate: OfflineDelegate = OfflineDelegate(), quirks: ClientQuirks = ClientQuirks()
  ) {
    self.policy = policy
    self.isOffline = isOffline
    self.ids = ids
    self.keepsStoredIDs = keepsStoredIDs
    self.removalBatch = max(1, removalBatch)
    self.loadsChangesOnly = loadsChangesOnly
    self.delegate = delegate
    self.quirks = quirks
  }
}

/// What the product does with answers and should not do.
///
/// Source: KinveyKit 1.41, `KCSCachedStore` and `KCSAppdataStore`.
public struct ClientQuirks: Hashable, Sendable {
  /// Any error takes the results of the query out of the cache.
  public var evictsOnError: Bool
  /// A failure of some objects is told as the failure of all, by one error.
  public var tellsOneError: Bool

  public init(evictsOnError: Bool = false, tellsOneError: Bool = false) {
    self.evictsOnError = evictsOnError
    self.tellsOneError = tellsOneError
  }

  public static let product = ClientQuirks(evictsOnError: true, tellsOneError: true)
}
