public import JSON

/// What waits until the backend can be reached, the longest since its last attempt first.
///
/// Source: KinveyKit 1.41, offline saves.
public struct OfflineQueue: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public enum Operation: Hashable, Sendable {
      case save(JSONObject)
      case remove
    }

    public var key: EntityKey
    public var operation: Operation
    /// The call that it is of.
    public var call: CallNumber
  }

  /// One for each entity at most.
  public private(set) var entries: [Entry] = []
  /// The entries of the present drain that have not been attempted, and the one that is under way.
  var remaining: [EntityKey] = []
  var current: Entry?

  public init() {}

  public subscript(key: EntityKey) -> Entry? { entries.first { $0.key == key } }

  /// Whether an entity waits for a call that was made after another one.
  func isSaved(_ key: EntityKey, after call: CallNumber) -> Bool {
    self[key].map { $0.call > call } ?? false
  }

  /// Puts an entry last, in the place of an earlier one of the entity, but not of that of a later call.
  mutating func put(_ entry: Entry) {
    guard !isSaved(entry.key, after: entry.call) else { return }
    entries.removeAll { $0.key == entry.key }
    entries.append(entry)
  }

  mutating func remove(_ key: EntityKey) { entries.removeAll { $0.key == key } }

  /// Gives an entity its lasting id, as an entry and in the references of others.
  ///
  /// - Parameter references: what of a collection leads to the entity's collection, by its fields.
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

/// What an application says when it is asked whether operations may wait, and be sent later; it is told
/// of all of them by events of the queue.
///
/// Source: KinveyKit 1.41, `KCSOfflineUpdateDelegate`.
public struct OfflineDelegate: Hashable, Sendable {
  /// Operations by what they do or whom they mean.
  public struct Selection: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
      case save
      case remove
    }

    public var kinds: Set<Kind>
    public var ids: Set<JSONString>

    public init(kinds: Set<Kind> = [], ids: Set<JSONString> = []) {
      self.kinds = kinds
      self.ids = ids
    }

    func contains(_ entry: OfflineQueue.Entry) -> Bool {
      kinds.contains(entry.operation == .remove ? .remove : .save) || ids.contains(entry.key.id)
    }
  }

  /// What may not wait: it has failed.
  public var declinesQueueing: Selection
  /// What is forgotten when it is to be sent.
  public var declinesSending: Selection

  public init(
    declinesQueueing: Selection = Selection(), declinesSending: Selection = Selection()
  ) {
    self.declinesQueueing = declinesQueueing
    self.declinesSending = declinesSending
  }
}

/// What happened to an entry of the queue.
public struct QueueEvent: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case queued
    /// It is attempted.
    case sending
    case done
    /// It failed, and waits again.
    case putBack
    /// It was for an object that the backend never saw and that is removed, or may not be sent.
    case dropped
    /// It may not wait.
    case declined
  }

  public var kind: Kind
  public var key: EntityKey
  /// The id that the backend gave, in the place of a temporary one.
  public var assigned: JSONString?

  public init(_ kind: Kind, _ key: EntityKey, assigned: JSONString? = nil) {
    self.kind = kind
    self.key = key
    self.assigned = assigned
  }
}
