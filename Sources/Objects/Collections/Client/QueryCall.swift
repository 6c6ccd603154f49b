internal import JSON

/// A query, or a load by ids, in progress.
package struct QueryCall: Hashable, Sendable {
  let collection: JSONString
  let query: CollectionQuery
  /// The ids to load, in the order of the result; nil for a query.
  let ids: [JSONString]?
  let policy: CachePolicy
  let depth: Int64
  /// The loaded entities of the backend, level by level.
  var roots: [JSONObject] = []
  var loaded: [EntityKey: JSONObject] = [:]
  /// The current level; 0 is that of the roots.
  var level: Int64 = 0
  /// Entities of the previous level, whose references are followed.
  var front: [EntityKey] = []
  /// The number of pending responses of the level.
  var waiting = 0

  init(
    _ open: CollectionClient.OpenCollection, _ query: CollectionQuery, ids: [JSONString]?,
    policy: CachePolicy?, depth: Int64
  ) {
    collection = open.description.name
    self.query = query
    self.ids = ids
    self.policy = policy ?? open.options.policy
    self.depth = min(max(0, depth), Self.depthMax)
  }

  /// The number of progress steps: one for each level.
  var total: Int { Int(depth) + 1 }

  /// The maximum number of levels of related objects of one call. In a cycle of references every
  /// level multiplies the objects of the result, so the result would be unbounded without a limit.
  package static let depthMax: Int64 = 16
}
