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
  }

  /// One for each entity at most.
  public private(set) var entries: [Entry] = []
  /// The entries of the present drain that have not been attempted, and the one that is under way.
  var remaining: [EntityKey] = []
  var current: Entry?

  public init() {}

  public subscript(key: EntityKey) -> Entry? { entries.first { $0.key == key } }

  /// Puts an entry last, in the place of an earlier one of the entity.
  mutating func put(_ entry: Entry) {
    entries.removeAll { $0.key == entry.key }
    entries.append(entry)
  }

  mutating func remove(_ key: EntityKey) { entries.removeAll { $0.key == key } }

  /// Gives an entity its lasting id, as an entry and in the references of others.
  ///
  /// - Parameter fields: the fields of a collection that hold ids of the entity's collection.
  mutating func rename(_ key: EntityKey, to id: Text, fields: (Text) -> [Text]) {
    for place in entries.indices {
      if entries[place].key == key { entries[place].key.id = id }
      guard case .save(var entity) = entries[place].operation else { continue }
      if entries[place].key.collection == key.collection, entity[EntityField.id] == .string(key.id)
      {
        entity[EntityField.id] = .string(id)
      }
      for field in fields(entries[place].key.collection) {
        entity[field] = entity[field]?.replacing(key.id, by: id)
      }
      entries[place].operation = .save(entity)
    }
    remaining = remaining.map { $0 == key ? EntityKey(key.collection, id) : $0 }
  }
}

extension JSONValue {
  fileprivate func replacing(_ old: Text, by new: Text) -> JSONValue {
    switch self {
    case .string(old): .string(new)
    case .array(let elements): .array(elements.map { $0 == .string(old) ? .string(new) : $0 })
    default: self
    }
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
    /// It was for an object that the backend never saw and that is removed.
    case dropped
  }

  public var kind: Kind
  public var key: EntityKey
  /// The id that the backend gave, in the place of a temporary one.
  public var assigned: Text?

  public init(_ kind: Kind, _ key: EntityKey, assigned: Text? = nil) {
    self.kind = kind
    self.key = key
    self.assigned = assigned
  }
}
