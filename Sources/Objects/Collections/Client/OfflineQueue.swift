public import JSON

/// The operations that wait until the backend can be reached, the one with the oldest last attempt
/// first.
///
/// Source: KinveyKit 1.41, offline saves.
public struct OfflineQueue: Hashable, Sendable {
  /// An operation that waits.
  public struct Entry: Hashable, Sendable {
    /// The operations that can wait.
    public enum Operation: Hashable, Sendable {
      /// Saves the entity with these fields.
      case save(JSONObject)
      /// Removes the entity.
      case remove
    }

    /// The entity.
    public var key: EntityKey
    /// The operation on the entity.
    public var operation: Operation
    /// The call of the entry.
    public var call: CallNumber
  }

  /// The entries, at most one for each entity.
  public private(set) var entries: [Entry] = []
  /// The entries of the current drain that have not been attempted, and the current one.
  var remaining: [EntityKey] = []
  var current: Entry?

  /// Creates an empty queue.
  public init() {}

  /// The entry of an entity; nil if it has none.
  ///
  /// - Complexity: O(*n*) in the number of entries.
  public subscript(key: EntityKey) -> Entry? { entries.first { $0.key == key } }

  /// Whether an entity has a queued save of a later call than the given one.
  func isSaved(_ key: EntityKey, after call: CallNumber) -> Bool {
    self[key].map { $0.call > call } ?? false
  }

  /// Appends an entry and removes an earlier one of the entity, unless that belongs to a later
  /// call.
  mutating func put(_ entry: Entry) {
    guard !isSaved(entry.key, after: entry.call) else { return }
    entries.removeAll { $0.key == entry.key }
    entries.append(entry)
  }

  mutating func remove(_ key: EntityKey) { entries.removeAll { $0.key == key } }

  /// Assigns a permanent id to an entity, in its entry and in references of other entries.
  ///
  /// - Parameter references: the references of a collection to the entity's collection, by field.
  mutating func rename(
    _ key: EntityKey, to id: JSONString,
    references: (JSONString) -> [(JSONString, CollectionReference)]
  ) {
    for place in entries.indices {
      if entries[place].key == key { entries[place].key.id = id }
      guard case .save(var entity) = entries[place].operation else { continue }
      if entries[place].key.collection == key.collection, entity[EntityField.id] == .string(key.id)
      {
        entity[EntityField.id] = .string(id)
      }
      for (field, reference) in references(entries[place].key.collection) {
        entity[field] = reference.replacing(in: entity[field]) { $0 == key.id ? id : $0 }
      }
      entries[place].operation = .save(entity)
    }
    remaining = remaining.map { $0 == key ? EntityKey(key.collection, id) : $0 }
  }
}

/// The application's decisions about operations to be queued or sent later. It is notified of all
/// of them by events of the queue.
///
/// Source: KinveyKit 1.41, `KCSOfflineUpdateDelegate`.
public struct OfflineDelegate: Hashable, Sendable {
  /// A selection of operations by kind or entity.
  public struct Selection: Hashable, Sendable {
    /// The kinds of operations that can wait.
    public enum Kind: String, CaseIterable, Sendable {
      /// A save.
      case save
      /// A removal.
      case remove
    }

    /// The selected kinds.
    public var kinds: Set<Kind>
    /// The ids of the selected entities.
    public var ids: Set<JSONString>

    /// Creates a selection; by default it selects no operation.
    public init(kinds: Set<Kind> = [], ids: Set<JSONString> = []) {
      self.kinds = kinds
      self.ids = ids
    }

    func contains(_ entry: OfflineQueue.Entry) -> Bool {
      kinds.contains(entry.operation == .remove ? .remove : .save) || ids.contains(entry.key.id)
    }
  }

  /// Operations that must not be queued: they fail.
  public var declinesQueueing: Selection
  /// Operations that are dropped when they are about to be sent.
  public var declinesSending: Selection

  /// Creates a delegate; by default it declines no operation.
  public init(
    declinesQueueing: Selection = Selection(), declinesSending: Selection = Selection()
  ) {
    self.declinesQueueing = declinesQueueing
    self.declinesSending = declinesSending
  }
}

/// An event of an entry of the queue.
public struct QueueEvent: Hashable, Sendable {
  /// The kinds of events.
  public enum Kind: String, CaseIterable, Sendable {
    /// The operation was queued.
    case queued
    /// The operation is attempted.
    case sending
    /// The operation succeeded.
    case done
    /// The attempt failed, and the operation is queued again.
    case putBack
    /// The operation was for a removed object that the backend never had, or must not be sent.
    case dropped
    /// The operation must not be queued.
    case declined
  }

  /// The kind of the event.
  public var kind: Kind
  /// The entity of the operation.
  public var key: EntityKey
  /// The id that the backend assigned to replace a temporary one.
  public var assigned: JSONString?

  /// Creates an event.
  public init(_ kind: Kind, _ key: EntityKey, assigned: JSONString? = nil) {
    self.kind = kind
    self.key = key
    self.assigned = assigned
  }
}
