public import Datastore
public import JSON

/// What is done with a stack: three contexts over a store of objects.
///
/// A writer is on the store; a main and a background context, each with a queue of its own, are its
/// children. Nothing runs by itself: `run` lets a queue go on. Stacks belong to the store of objects that
/// is open, as contexts do. How all this is spelled is said in `Vectors/README.md`.
public enum StackAction: Hashable, Sendable {
  /// Makes the three contexts; the policy is the writer's.
  case open(JSONString, policy: JSONString? = nil, options: JSONValue? = nil)
  /// Puts a closure on a queue, and runs it at once when somebody waits.
  case perform(JSONString, StackClosure, StackCall)
  /// Saves all contexts, one after the other.
  case save(JSONString, StackCall)
  /// Lets one queue go on with its next block, or all until nothing is left, and tells what happened.
  case run(JSONString, queue: JSONString? = nil)
  /// Empties the store and forgets what the contexts hold.
  case reset(JSONString)
  /// The entity of a class, with or without the prefix of the class.
  case entity(ofClass: JSONString, prefix: JSONString? = nil)

  /// The name of the operation as JSON spells it.
  public var name: String {
    switch self {
    case .open: "openStack"
    case .perform: "performInStack"
    case .save: "saveStack"
    case .run: "runStack"
    case .reset: "resetStack"
    case .entity: "entityOfClass"
    }
  }
}

/// How a call on a stack returns.
public enum StackCall: Hashable, Sendable {
  /// When all is done.
  case waits
  /// At once; somebody is told of the end of the save on the main queue.
  case completes
  /// At once, and nobody is told.
  case unheard
}

/// What runs as one block on a queue.
public struct StackClosure: Hashable, Sendable {
  /// `main` or `background`.
  public var queue: JSONString
  /// Whether all contexts are saved after it.
  public var saves: Bool
  public var steps: [StackStep]

  public init(on queue: JSONString, saves: Bool = false, _ steps: [StackStep]) {
    self.queue = queue
    self.saves = saves
    self.steps = steps
  }
}

/// What a closure does with the context of its queue.
public enum StackStep: Hashable, Sendable {
  case insert(DocumentID, entity: JSONString, values: JSONValue? = nil)
  /// Null takes a value away.
  case change(DocumentID, values: JSONValue)
  case delete(DocumentID)
  case find(ObjectFetch)
  case findAll(entity: JSONString)
  /// The objects whose key has a value, or a new one with this id; the values are what the handler sets.
  case findOrInsert(
    entity: JSONString, key: JSONString, value: JSONValue, DocumentID, values: JSONValue? = nil)
  /// Saves this context alone, into the writer.
  case save
  /// Saves all contexts, and goes on when that is done.
  case saveAll
  /// Runs a closure on a queue, and goes on when it has ended and what it saves is saved.
  case perform(StackClosure)

  /// The name of the step as JSON spells it.
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
