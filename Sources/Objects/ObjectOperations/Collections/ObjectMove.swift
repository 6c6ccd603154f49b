public import Datastore
public import JSON

/// Objects of an open store of objects that move to collections of the same names as their entities.
///
/// What is misspelt is the answer of the operation.
public struct ObjectMove: Hashable, Sendable {
  /// The store that the objects are in.
  public var from: StoreName
  public var collections: [JSONString]
  /// How many objects are read and saved at once; nil is all of an entity.
  public var batch: Int64?
  /// Where it is noted that they were moved: `settings`, which is meant by nil, `store` or `none`.
  public var flag: JSONString?
  /// Whether they are deleted here when they are there.
  public var deletes: Bool?
  /// Who gives the ids there: `backend`, which is meant by nil, or `local` for those that they have.
  public var ids: JSONString?
  /// Whether they are read in the background; nil is that.
  public var background: Bool?
  /// `reading` and `saving` of one object, in nanoseconds of a queue.
  public var costs: JSONValue?
  /// How many steps are done at most; the migration is under way then.
  public var steps: Int64?

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

/// How far a migration has come, and what was seen of it since the operation began.
public struct MoveReport: Hashable, Sendable {
  /// `running`, `skipped`, `done` or `failed`.
  public var state: JSONString
  /// What was done, each spelled.
  public var steps: [JSONValue]
  public var requests: [JSONValue]
  public var progress: [JSONValue]
  /// Why it failed.
  public var problem: JSONValue?
  /// For how long the main queue was busy at a time, at most, in nanoseconds.
  public var longestMainBlock: Int64

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
