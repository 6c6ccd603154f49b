public import Datastore
public import JSON

/// A fetch whose changes are observed: entity, predicate, order and page.
public struct ObservedFetch: Hashable, Sendable {
  /// The name of the entity.
  public var entity: JSONString
  /// The predicate in the textual format; nil for all objects.
  public var predicate: JSONString?
  /// The arguments of the predicate.
  public var arguments: [JSONValue]
  /// The sort keys, the most significant first.
  public var sort: [SortKey]
  /// The number of objects to skip.
  public var offset: Int64?
  /// The maximum number of objects; nil for all.
  public var limit: Int64?

  /// Creates a fetch; by default of all objects of the entity.
  public init(
    _ entity: JSONString, predicate: JSONString? = nil, arguments: [JSONValue] = [],
    sort: [SortKey] = [], offset: Int64? = nil, limit: Int64? = nil
  ) {
    self.entity = entity
    self.predicate = predicate
    self.arguments = arguments
    self.sort = sort
    self.offset = offset
    self.limit = limit
  }

  /// The same fetch, without an observer.
  var fetch: ObjectFetch {
    ObjectFetch(
      entity, predicate: predicate, arguments: arguments, sort: sort, offset: offset, limit: limit)
  }
}

/// The change of one result of an observed fetch.
public struct ObservedChange: Hashable, Sendable {
  /// The kinds of changes, in the order of their report.
  public enum Kind: String, CaseIterable, Sendable {
    /// The object is no longer a result.
    case deleted
    /// The object was not a result before.
    case inserted
    /// The object has changed its position among the remaining results.
    case moved
    /// The values of the object have changed, and its position has not.
    case updated
  }

  /// The kind of the change.
  public var kind: Kind
  /// The id of the object.
  public var id: DocumentID
  /// The index in the old results; nil for insertions and updates.
  public var from: Int64?
  /// The index in the new results; nil for deletions.
  public var to: Int64?

  /// Creates a change.
  public init(_ kind: Kind, _ id: DocumentID, from: Int64? = nil, to: Int64? = nil) {
    self.kind = kind
    self.id = id
    self.from = from
    self.to = to
  }
}

extension ObservedChange {
  var json: JSONValue {
    var json: JSONObject = ["change": .string(JSONString(kind.rawValue)), "id": id.json]
    json["from"] = from.map { .integer($0) }
    json["to"] = to.map { .integer($0) }
    return .object(json)
  }

  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let kind: Kind? = try reader.optionalWord("change")
    guard let kind else {
      throw DecodingFailure(path: reader.path(to: "change"), message: "required")
    }
    self.init(
      kind, try reader.identifier("id"), from: try reader.optionalInteger("from"),
      to: try reader.optionalInteger("to"))
    try reader.finish()
  }
}
