/// The options of a collection in a client.
public struct CollectionOptions: Hashable, Sendable {
  /// The side that assigns the ids of new objects.
  public enum IDAssignment: String, CaseIterable, Sendable {
    /// The backend assigns ids; a save with a lost response may have created an object.
    case backend
    /// The client assigns ids before a save, so that it can be repeated.
    case client
  }

  /// The default source of results.
  public var policy: CachePolicy
  /// Whether operations that cannot reach the backend are queued.
  public var isOffline: Bool
  /// The side that assigns the ids of new objects.
  public var ids: IDAssignment
  /// Whether background relations keep their ids until they are loaded.
  public var keepsStoredIDs: Bool
  /// The maximum number of objects removed by one request.
  public var removalBatch: Int64
  /// Whether queries load only entities that are not cached in the backend's version.
  public var loadsChangesOnly: Bool
  /// Decides which operations may be queued and sent later.
  public var delegate: OfflineDelegate
  /// The undesirable behavior of the product to reproduce.
  public var quirks: ClientQuirks

  /// Creates options.
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

/// Undesirable behavior of the product with responses.
///
/// Source: KinveyKit 1.41, `KCSCachedStore` and `KCSAppdataStore`.
public struct ClientQuirks: Hashable, Sendable {
  /// Any error removes the results of the query from the cache.
  public var evictsOnError: Bool
  /// A failure of some objects is reported as one error for all.
  public var tellsOneError: Bool

  /// Creates a choice of quirks; by default none.
  public init(evictsOnError: Bool = false, tellsOneError: Bool = false) {
    self.evictsOnError = evictsOnError
    self.tellsOneError = tellsOneError
  }

  /// All quirks of the product.
  public static let product = ClientQuirks(evictsOnError: true, tellsOneError: true)
}
