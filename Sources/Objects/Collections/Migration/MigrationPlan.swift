public import JSON

/// Which objects of a local store move to the backend, and how it is known that they did.
///
/// Source: the guide, "Migrating Existing Data to the Cloud".
public struct MigrationPlan: Hashable, Sendable {
  /// Where it is noted that the objects were moved.
  public enum Flag: String, CaseIterable, Sendable {
    /// In the settings of the application.
    case settings
    /// In the persistent store: as a local document, which is never replicated.
    case store
  }

  /// The collections that entities become, each by its `objectType`.
  public var collections: [CollectionDescription]
  /// How many objects are read and saved at once; nil is all of an entity.
  public var batch: Int64?
  /// Nil when nothing is noted.
  public var flag: Flag?
  /// Whether the objects are deleted here when they are there.
  public var deletesLocally: Bool
  /// Whether an object keeps its local id, so that moving it again is no second object.
  public var keepsIDs: Bool

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

  /// The name of the flag: one for each set of entities.
  public var flagName: JSONString {
    JSONString(
      "migrated."
        + collections.map { $0.objectType }.inByteOrder.map { $0.string }
        .joined(separator: "+"))
  }

  /// The collections, each behind those that it leads to; in a circle as they were given.
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
