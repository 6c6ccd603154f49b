public import Datastore
public import JSON

/// What comes of an operation on a stack.
public enum StackAnswer: Hashable, Sendable {
  case done
  /// Of a call that returns at once: the number of the operation.
  case begun(Int64)
  /// Of a closure that was waited for: the number of the operation, and what came of each step.
  case performed(Int64, [StackResult])
  case news(StackNews)
  /// Of `entityOfClass`; nil when the model has none.
  case entity(JSONString?)
}

/// What came of a step of a closure; a step that answers nothing has no member.
public struct StackResult: Hashable, Sendable {
  /// Of a search: what was found, or inserted where nothing was.
  public var objects: [JSONValue]?
  /// Of a find-or-insert: for which objects the handler was called.
  public var handled: [DocumentID]?
  /// Of a save.
  public var changes: SavedChanges?
  /// Of a closure inside the closure.
  public var results: [StackResult]?

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

/// What happened on the queues since somebody asked last, and how it stands.
public struct StackNews: Hashable, Sendable {
  public var events: [StackHappening]
  public var warnings: [StackCaution]
  /// Queues that can go on.
  public var ready: [JSONString]
  /// Queues that cannot go on before another one has.
  public var waits: [StackWaiting]

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

/// Something that happened on a queue.
public struct StackHappening: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// A closure ended.
    case ran
    /// The context of the queue was saved.
    case saved
    /// The context of the queue took over what its sibling had saved.
    case merged
    /// The completion of an operation was called.
    case completed
    /// A save or a merge failed.
    case failed
  }

  public var kind: Kind
  public var queue: JSONString
  /// Of `ran` and `completed`.
  public var operation: Int64?
  /// Of `merged`.
  public var from: JSONString?
  /// Of `saved` and `merged`.
  public var changes: SavedChanges?
  /// Of `ran`, when the closure did not fail.
  public var results: [StackResult]?
  /// Of `ran`, `completed` and `failed`.
  public var error: DatastoreError?

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

/// Two operations whose times overlap save the same data on two contexts: an object, or what a
/// find-or-insert looked for.
public struct StackCaution: Hashable, Sendable {
  public enum Data: Hashable, Sendable {
    case object(DocumentID)
    case value(entity: JSONString, key: JSONString, JSONValue)
  }

  public var data: Data

  public init(_ data: Data) { self.data = data }
}

/// A queue that cannot go on before another one has.
public struct StackWaiting: Hashable, Sendable {
  public var queue: JSONString
  public var other: JSONString

  public init(_ queue: JSONString, for other: JSONString) {
    self.queue = queue
    self.other = other
  }
}
