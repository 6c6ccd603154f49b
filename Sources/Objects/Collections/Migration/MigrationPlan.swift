public import JSON

/// The parameters of a migration: the objects to move, and the flag that records its completion.
///
/// Source: the guide, "Migrating Existing Data to the Cloud".
public struct MigrationPlan: Hashable, Sendable {
  /// The location of the flag.
  public enum Flag: String, CaseIterable, Sendable {
    /// In the settings of the application.
    case settings
    /// In the persistent store: as a local document, which is never replicated.
    case store
  }

  /// The target collections of entities, each identified by its `objectType`.
  public var collections: [CollectionDescription]
  /// The number of objects read and saved at once; nil for all of an entity.
  public var batch: Int64?
  /// Nil if no flag is recorded.
  public var flag: Flag?
  /// Whether local objects are deleted after they are at the backend.
  public var deletesLocally: Bool
  /// Whether an object keeps its local id, so that a second migration creates no duplicate.
  public var keepsIDs: Bool

  /// Creates a plan.
  public init(
    _ collections: [CollectionDescription], batch: Int64? = nil, flag: Flag? = .settings,
    deletesLocally: Bool = false, keepsIDs: Bool = false
  ) {
    self.collections = collections
    self.batch = batch.map { max(1, $0) }
    self.flag = flag
    self.deletesLocally = deletesLocally
    self.keepsIDs = keepsIDs
  }

  /// The name of the flag, unique for each set of entities.
  public var flagName: JSONString {
    JSONString(
      "migrated."
        + collections.map { $0.objectType }.inByteOrder.map { $0.string }
        .joined(separator: "+"))
  }

  /// The collections, each after those that it refers to; in a cycle in the given order.
  var childrenFirst: [CollectionDescription] {
    var ordered: [CollectionDescription] = []
    var met: Set<JSONString> = []
    func add(_ collection: CollectionDescription) {
      guard met.insert(collection.name).inserted else { return }
      for reference in collection.properties.compactMap({ $0.reference }) {
        if let child = collections.first(where: { $0.name == reference.collection }) { add(child) }
      }
      ordered.append(collection)
    }
    for collection in collections { add(collection) }
    return ordered
  }
}
