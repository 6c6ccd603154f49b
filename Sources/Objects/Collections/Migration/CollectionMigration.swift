public import Datastore
public import JSON
public import ObjectMapping

/// Moves the objects of a local store to collections: a state machine without input and output.
///
/// It iterates over the objects page by page and saves those whose current version is not at the
/// backend. Rounds are repeated until one finds no such object, so objects created or changed
/// meanwhile are moved as well. An object is saved with references to objects that already have an
/// id; if others are missing, it is saved again in the next round. Then the flag is set, and
/// finally the local objects are deleted, except those that were changed again.
///
/// No object is ever lost: a local object is deleted only after it is at the backend. An
/// interrupted migration starts again; unless objects keep their ids, those moved before are then
/// moved twice.
///
/// Source: the guide, "Migrating Existing Data to the Cloud".
public struct CollectionMigration: Hashable, Sendable {
  /// The state of a migration.
  public enum State: Hashable, Sendable {
    /// Not started.
    case idle
    /// Running.
    case running
    /// The flag was already set.
    case skipped
    /// Complete: the flag is set, and the local objects are deleted if the plan says so.
    case done
    /// The flag is not set; a new start continues with the missing objects.
    case failed(Failure)
  }

  /// The reasons for a failed migration.
  public enum Failure: Hashable, Sendable {
    /// Objects could not be saved at the backend.
    case saving(CollectionError)
    /// A failure to read, record or delete.
    case storing(String)
  }

  /// The parameters.
  public let plan: MigrationPlan
  /// The current state.
  public private(set) var state = State.idle
  /// The ids and versions at the backend; the version is nil if references are missing.
  public private(set) var moved: [ObjectID: Moved] = [:]

  /// The counterpart of a local object at the backend.
  public struct Moved: Hashable, Sendable {
    /// The id at the backend.
    public var id: JSONString
    /// The saved version of the local object; nil if references are missing.
    public var version: Int64?
  }

  private let collections: [CollectionDescription]
  private var total: Int64 = 0
  /// The start of the next page.
  private var collection = 0
  private var offset: Int64 = 0
  /// The objects being saved, and those among them with missing references.
  private var saving: [ManagedObject] = []
  private var incomplete: Set<ObjectID> = []
  private var roundHasSaved = false

  /// Creates a migration that is not started.
  public init(_ plan: MigrationPlan) {
    self.plan = plan
    collections = plan.childrenFirst
  }

  /// Processes an event and returns the next effect; while it runs there is one effect at a time.
  public mutating func handle(_ event: MigrationEvent) -> MigrationEffect? {
    switch (event, state) {
    case (.begin, .idle), (.begin, .failed): return begin()
    case (.begin, _): return nil
    case (.flagRead(let isSet), .running):
      return isSet ? end(.skipped) : .count(collections.map { $0.objectType })
    case (.counted(let count), .running):
      total = count
      return beginRound()
    case (.pageRead(let page), .running): return read(page)
    case (.saved(let ids, let waiting, let error), .running):
      return saved(ids, waiting, error: error)
    case (.flagSet, .running): return plan.deletesLocally ? deletion : end(.done)
    case (.deleted, .running): return end(.done)
    case (.failed(let message), .running): return end(.failed(.storing(message)))
    default: return nil
    }
  }

  /// The number of the initially existing objects that are at the backend.
  public var progress: CollectionProgress {
    let steps = max(total, 1)
    let isAtEnd = state == .done || state == .skipped
    let done = Int64(moved.values.filter { $0.version != nil }.count)
    return CollectionProgress(done: isAtEnd ? steps : min(done, steps - 1), total: steps)
  }

  private mutating func begin() -> MigrationEffect {
    state = .running
    guard let flag = plan.flag else { return .count(collections.map { $0.objectType }) }
    return .readFlag(flag, plan.flagName)
  }

  private mutating func end(_ state: State) -> MigrationEffect? {
    self.state = state
    return nil
  }

  private mutating func beginRound() -> MigrationEffect? {
    collection = 0
    offset = 0
    roundHasSaved = false
    return nextPage()
  }

  private mutating func nextPage() -> MigrationEffect? {
    guard collection < collections.count else {
      guard !roundHasSaved else { return beginRound() }
      if let flag = plan.flag { return .setFlag(flag, plan.flagName) }
      return plan.deletesLocally ? deletion : end(.done)
    }
    return .readPage(collections[collection], offset: offset, limit: plan.batch)
  }

  private mutating func read(_ page: MigrationPage) -> MigrationEffect? {
    let description = collections[collection]
    offset += Int64(page.objects.count)
    if page.isLast {
      collection += 1
      offset = 0
    }
    saving = page.objects.filter { moved[$0.id]?.version != $0.version }
    incomplete = []
    guard !saving.isEmpty else { return nextPage() }
    roundHasSaved = true
    return .save(
      description, saving.map { collectionObject($0, description, missing: page.missing) })
  }

  private mutating func saved(
    _ ids: [ObjectID: JSONString], _ waiting: [ObjectID: JSONString], error: CollectionError?
  ) -> MigrationEffect? {
    for object in saving {
      if let id = ids[object.id] {
        let isWhole = !incomplete.contains(object.id)
        moved[object.id] = Moved(id: id, version: isWhole ? object.version : nil)
      } else if let id = waiting[object.id] {
        moved[object.id] = Moved(id: id, version: nil)
      }
    }
    saving = []
    if let error { return end(.failed(.saving(error))) }
    return nextPage()
  }

  private var deletion: MigrationEffect {
    .delete(
      moved.compactMap { id, moved in moved.version.map { MigratedObject(id: id, version: $0) } }
        .sorted { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) })
  }

  // MARK: Objects

  /// The object to save; references to objects without an id are omitted.
  private mutating func collectionObject(
    _ object: ManagedObject, _ description: CollectionDescription, missing: Set<ObjectID>
  ) -> CollectionObject {
    let id = moved[object.id]?.id ?? (plan.keepsIDs ? object.id.text : nil)
    var result = CollectionObject(id: id, tag: object.id.text)
    for property in description.properties {
      guard let reference = property.reference else {
        if case .attribute(let value)? = object.properties[property.name] {
          result.values[property.name] = value.json
        }
        continue
      }
      let ends: [ObjectID] =
        switch object.properties[reference.relation] {
        case .toOne(let id): [id]
        case .toMany(let ids):
          ids.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        default: []
        }
      result.related[reference.relation] = ends.compactMap { end in
        if missing.contains(end) { return nil }
        if let moved = moved[end] { return .id(moved.id) }
        if plan.keepsIDs { return .id(end.text) }
        if collections.contains(where: { $0.name == reference.collection }) {
          incomplete.insert(object.id)
        }
        return nil
      }
    }
    return result
  }
}

/// A page of objects, with the referenced objects that do not exist.
public struct MigrationPage: Hashable, Sendable {
  /// The objects of the page.
  public var objects: [ManagedObject]
  /// The ids of referenced objects that do not exist.
  public var missing: Set<ObjectID>
  /// Whether it is the last page of the entity.
  public var isLast: Bool

  /// Creates a page.
  public init(_ objects: [ManagedObject], missing: Set<ObjectID> = [], isLast: Bool) {
    self.objects = objects
    self.missing = missing
    self.isLast = isLast
  }
}

/// An object with the version that is at the backend.
public struct MigratedObject: Hashable, Sendable {
  /// The id of the local object.
  public var id: ObjectID
  /// The version that is at the backend.
  public var version: Int64

  /// Creates a pair of object and version.
  public init(id: ObjectID, version: Int64) {
    self.id = id
    self.version = version
  }
}

/// An event for a migration.
public enum MigrationEvent: Hashable, Sendable {
  /// A start request; ignored while the migration runs and after its end.
  case begin
  /// The result of `readFlag`: true if the flag is set.
  case flagRead(Bool)
  /// The result of `count`: the number of objects.
  case counted(Int64)
  /// The result of `readPage`.
  case pageRead(MigrationPage)
  /// The ids of saved objects, those of queued objects, and the error that caused the queueing.
  case saved([ObjectID: JSONString], waiting: [ObjectID: JSONString], CollectionError?)
  /// The flag was set.
  case flagSet
  /// The local objects were deleted.
  case deleted
  /// The effect failed, with a message for people.
  case failed(String)
}

/// An action requested by a migration.
public enum MigrationEffect: Hashable, Sendable {
  /// Reads the flag of a name.
  case readFlag(MigrationPlan.Flag, JSONString)
  /// Counts the objects of these types.
  case count([JSONString])
  /// Reads a page of the objects of a collection.
  case readPage(CollectionDescription, offset: Int64, limit: Int64?)
  /// Saves objects, with local ids as tags.
  case save(CollectionDescription, [CollectionObject])
  /// Sets the flag of a name.
  case setFlag(MigrationPlan.Flag, JSONString)
  /// Deletes the objects that still have these versions.
  case delete([MigratedObject])
}
