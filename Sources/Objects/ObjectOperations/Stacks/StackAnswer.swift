public import Datastore
public import JSON

/// The result of an operation on a stack.
public enum StackAnswer: Hashable, Sendable {
  /// Success without a value.
  case done
  /// Of a call that returns immediately: the number of the operation.
  case begun(Int64)
  /// Of a closure with a waiting caller: the number of the operation, and the result of each step.
  case performed(Int64, [StackResult])
  /// Of `runStack`.
  case news(StackNews)
  /// Of `entityOfClass`; nil if the model has no such entity.
  case entity(JSONString?)
}

/// The result of a step of a closure; a step without a result has no member.
public struct StackResult: Hashable, Sendable {
  /// Of a search: the found objects, or the inserted one.
  public var objects: [JSONValue]?
  /// Of a find-or-insert: the objects for which the handler was called.
  public var handled: [DocumentID]?
  /// Of a save.
  public var changes: SavedChanges?
  /// Of a nested closure.
  public var results: [StackResult]?

  /// Creates a result; by default without members.
  public init(
    objects: [JSONValue]? = nil, handled: [DocumentID]? = nil, changes: SavedChanges? = nil,
    results: [StackResult]? = nil
  ) {
    self.objects = objects
    self.handled = handled
    self.changes = changes
    self.results = results
  }
}

/// The events on the queues since the last call, and the current state of the queues.
public struct StackNews: Hashable, Sendable {
  /// The events in order.
  public var events: [StackHappening]
  /// The warnings of the arrangement.
  public var warnings: [StackCaution]
  /// Queues that are ready.
  public var ready: [JSONString]
  /// Queues that are blocked by another one.
  public var waits: [StackWaiting]

  /// Creates news.
  public init(
    events: [StackHappening] = [], warnings: [StackCaution] = [], ready: [JSONString] = [],
    waits: [StackWaiting] = []
  ) {
    self.events = events
    self.warnings = warnings
    self.ready = ready
    self.waits = waits
  }
}

/// An event on a queue.
public struct StackHappening: Hashable, Sendable {
  /// The kinds of events.
  public enum Kind: String, CaseIterable, Sendable {
    /// A closure ended.
    case ran
    /// The context of the queue was saved.
    case saved
    /// The context of the queue merged the changes that its sibling had saved.
    case merged
    /// The completion of an operation was called.
    case completed
    /// A save or a merge failed.
    case failed
  }

  /// The kind of the event.
  public var kind: Kind
  /// The name of the queue.
  public var queue: JSONString
  /// Of `ran` and `completed`.
  public var operation: Int64?
  /// Of `merged`.
  public var from: JSONString?
  /// Of `saved` and `merged`.
  public var changes: SavedChanges?
  /// Of `ran`, if the closure succeeded.
  public var results: [StackResult]?
  /// Of `ran`, `completed` and `failed`.
  public var error: DatastoreError?

  /// Creates an event.
  public init(
    _ kind: Kind, on queue: JSONString, operation: Int64? = nil, from: JSONString? = nil,
    changes: SavedChanges? = nil, results: [StackResult]? = nil, error: DatastoreError? = nil
  ) {
    self.kind = kind
    self.queue = queue
    self.operation = operation
    self.from = from
    self.changes = changes
    self.results = results
    self.error = error
  }
}

/// Two overlapping operations save the same data on two contexts: an object, or the value of a
/// find-or-insert.
public struct StackCaution: Hashable, Sendable {
  /// The shared data.
  public enum Data: Hashable, Sendable {
    /// An object.
    case object(DocumentID)
    /// The value that find-or-insert searches for.
    case value(entity: JSONString, key: JSONString, JSONValue)
  }

  /// The shared data.
  public var data: Data

  /// Creates a warning.
  public init(_ data: Data) { self.data = data }
}

/// A queue that is blocked by another one.
public struct StackWaiting: Hashable, Sendable {
  /// The blocked queue.
  public var queue: JSONString
  /// The queue that has to finish first.
  public var other: JSONString

  /// Creates a wait of one queue for another.
  public init(_ queue: JSONString, for other: JSONString) {
    self.queue = queue
    self.other = other
  }
}
