public import Datastore
public import JSON

/// An operation on a stack: three contexts over an object store.
///
/// A writer is on the store; a main and a background context, each with its own queue, are its
/// children. Only `run` lets a queue continue. Stacks belong to the open object store, as contexts
/// do. The encoding is defined in `Vectors/README.md`.
public enum StackAction: Hashable, Sendable {
  /// Creates the three contexts; the policy is that of the writer.
  case open(JSONString, policy: JSONString? = nil, options: JSONValue? = nil)
  /// Enqueues a closure, and runs it immediately if the caller waits.
  case perform(JSONString, StackClosure, StackCall)
  /// Saves all contexts, one after the other.
  case save(JSONString, StackCall)
  /// Runs the next block of one queue, or all blocks until none is left, and returns the events.
  case run(JSONString, queue: JSONString? = nil)
  /// Empties the store and resets the contexts.
  case reset(JSONString)
  /// The entity of a class, with or without the prefix of the class.
  case entity(ofClass: JSONString, prefix: JSONString? = nil)
}

/// The way in which a call on a stack returns.
public enum StackCall: Hashable, Sendable {
  /// After its completion.
  case waits
  /// Immediately; a completion is called on the main queue at the end of the save.
  case completes
  /// Immediately, without a completion.
  case unheard
}

/// A block on a queue.
public struct StackClosure: Hashable, Sendable {
  /// `main` or `background`.
  public var queue: JSONString
  /// Whether all contexts are saved after it.
  public var saves: Bool
  /// The steps, in order.
  public var steps: [StackStep]

  /// Creates a block; by default without a save.
  public init(on queue: JSONString, saves: Bool = false, _ steps: [StackStep]) {
    self.queue = queue
    self.saves = saves
    self.steps = steps
  }
}

/// A step of a closure with the context of its queue.
public enum StackStep: Hashable, Sendable {
  /// Inserts an object with an id.
  case insert(DocumentID, entity: JSONString, values: JSONValue? = nil)
  /// Changes values; null removes a value.
  case change(DocumentID, values: JSONValue)
  /// Deletes an object.
  case delete(DocumentID)
  /// Fetches objects.
  case find(ObjectFetch)
  /// Returns all objects of an entity.
  case findAll(entity: JSONString)
  /// Returns the objects whose key has a value, or inserts one with this id; the handler sets the
  /// values.
  case findOrInsert(
    entity: JSONString, key: JSONString, value: JSONValue, DocumentID, values: JSONValue? = nil)
  /// Saves only this context, into the writer.
  case save
  /// Saves all contexts, and waits for the end of the save.
  case saveAll
  /// Runs a closure on a queue, and waits for its end and its save.
  case perform(StackClosure)

  /// The name of the step as encoded in JSON.
  public var name: JSONString {
    switch self {
    case .insert: "insert"
    case .change: "change"
    case .delete: "delete"
    case .find: "find"
    case .findAll: "findAll"
    case .findOrInsert: "findOrInsert"
    case .save: "save"
    case .saveAll: "saveAll"
    case .perform: "perform"
    }
  }
}
