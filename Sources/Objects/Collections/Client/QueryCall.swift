internal import JSON

/// A query, or a load by ids, on its way.
package struct QueryCall: Hashable, Sendable {
  let collection: JSONString
  let query: CollectionQuery
  /// The ids that are loaded, in the order of the answer; nil for a query.
  let ids: [JSONString]?
  let policy: CachePolicy
  let depth: Int64
  /// What came from the backend, level by level.
  var roots: [JSONObject] = []
  var loaded: [EntityKey: JSONObject] = [:]
  /// The level that is loaded; 0 is that of the roots.
  var level: Int64 = 0
  /// Entities of the level before, whose references are followed.
  var front: [EntityKey] = []
  /// How many answers the level waits for.
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

  /// The steps of the progress: one for each level.
  var total: Int { Int(depth) + 1 }

  /// How many levels of related objects one call loads at most. In a circle of references every level
  /// multiplies the objects of the answer, so an answer without a bound would have no end.
  package static let depthMax: Int64 = 16
}
