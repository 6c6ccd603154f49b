public import Datastore
public import JSON

/// A migration of objects of an open object store to collections with the names of their entities.
///
/// Syntax errors are results of the operation.
public struct ObjectMove: Hashable, Sendable {
  /// The object store.
  public var from: StoreName
  /// The names of the collections, and of the entities to move.
  public var collections: [JSONString]
  /// The number of objects read and saved at once; nil for all of an entity.
  public var batch: Int64?
  /// The location of the completion flag: `settings` (also for nil), `store` or `none`.
  public var flag: JSONString?
  /// Whether local objects are deleted after they are at the backend.
  public var deletes: Bool?
  /// The source of ids at the backend: `backend` (also for nil), or `local` to keep the local ids.
  public var ids: JSONString?
  /// Whether reads run in the background; true if nil.
  public var background: Bool?
  /// The costs of `reading` and `saving` one object, in nanoseconds on a queue.
  public var costs: JSONValue?
  /// The maximum number of steps; afterwards the migration remains in progress.
  public var steps: Int64?

  /// Creates the parameters of a migration; nil means the default.
  public init(
    from: StoreName, _ collections: [JSONString], batch: Int64? = nil, flag: JSONString? = nil,
    deletes: Bool? = nil, ids: JSONString? = nil, background: Bool? = nil, costs: JSONValue? = nil,
    steps: Int64? = nil
  ) {
    self.from = from
    self.collections = collections
    self.batch = batch
    self.flag = flag
    self.deletes = deletes
    self.ids = ids
    self.background = background
    self.costs = costs
    self.steps = steps
  }
}

/// The progress of a migration, and its events since the start of the operation.
public struct MoveReport: Hashable, Sendable {
  /// `running`, `skipped`, `done` or `failed`.
  public var state: JSONString
  /// The performed steps, encoded.
  public var steps: [JSONValue]
  /// The requests with their outcomes, encoded.
  public var requests: [JSONValue]
  /// The progress after each step that changed it, encoded.
  public var progress: [JSONValue]
  /// The error of a failed migration.
  public var problem: JSONValue?
  /// The longest time that the main queue was blocked, in nanoseconds.
  public var longestMainBlock: Int64

  /// Creates a report.
  public init(
    state: JSONString, steps: [JSONValue] = [], requests: [JSONValue] = [],
    progress: [JSONValue] = [],
    problem: JSONValue? = nil, longestMainBlock: Int64 = 0
  ) {
    self.state = state
    self.steps = steps
    self.requests = requests
    self.progress = progress
    self.problem = problem
    self.longestMainBlock = longestMainBlock
  }
}
