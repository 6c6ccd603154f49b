public import JSON

/// An operation that finds documents by their content.
///
/// The store parses the selector and the syntax of paths, so errors in them are results of the
/// store.
public enum FindAction: Hashable, Sendable {
  /// Finds the live winners that a selector matches.
  case find(FindRequest)
  /// Describes how a store would find them, without a search.
  case explain(FindRequest)
  /// Creates an index, which the store updates from then on.
  case createIndex(IndexDefinition)
  /// Removes an index; fails with `notFound` if there is none with this name.
  case dropIndex(name: JSONString)
  /// Lists all indexes of the store.
  case listIndexes
}

/// A query: selector, order, page and projection.
public struct FindRequest: Hashable, Sendable {
  /// The selector as JSON, not parsed yet.
  public var selector: JSONValue
  /// The sort keys, the most significant first; the document id is always the last key.
  public var sort: [SortKey]
  /// The number of documents to skip.
  public var skip: Int64?
  /// The maximum number of documents.
  public var limit: Int64?
  /// The paths to which the bodies are reduced; nil returns complete bodies.
  public var fields: [JSONString]?

  /// Creates a query; by default the first page of all matching documents, with complete bodies, in
  /// the order of their ids.
  public init(
    _ selector: JSONValue, sort: [SortKey] = [], skip: Int64? = nil, limit: Int64? = nil,
    fields: [JSONString]? = nil
  ) {
    self.selector = selector
    self.sort = sort
    self.skip = skip
    self.limit = limit
    self.fields = fields
  }
}

/// One sort key.
public struct SortKey: Hashable, Sendable {
  /// The path of the compared value, its parts joined by dots.
  public var path: JSONString
  /// True if the largest value comes first.
  public var descending: Bool

  /// Creates a sort key, ascending by default.
  public init(_ path: JSONString, descending: Bool = false) {
    self.path = path
    self.descending = descending
  }
}

/// The definition of an index.
public struct IndexDefinition: Hashable, Sendable {
  /// The name, unique in the store.
  public var name: JSONString
  /// The kind of the index.
  public var type: Kind
  /// The indexed paths.
  public var fields: [JSONString]

  /// The kinds of indexes.
  public enum Kind: String, CaseIterable, Sendable {
    /// An ordered index of values.
    case json
    /// An index of words.
    case text
  }

  /// Creates a definition, of an ordered index by default.
  public init(_ name: JSONString, _ type: Kind = .json, fields: [JSONString]) {
    self.name = name
    self.type = type
    self.fields = fields
  }
}

/// The result of a find operation; `dropIndex` has none.
public enum FindAnswer: Hashable, Sendable {
  /// The matching documents in the order of the query.
  case documents([FoundDocument])
  /// The index that the store uses, or nil if it scans all documents, and a plan for people.
  case explanation(index: JSONString?, plan: JSONValue?)
  /// Whether the index is new.
  case created(Bool)
  /// The indexes in byte order of their names.
  case indexes([IndexDefinition])
}

/// A document of the result.
public struct FoundDocument: Hashable, Sendable {
  /// The id of the document.
  public var id: DocumentID
  /// The winner of the document.
  public var rev: RevisionID
  /// The complete body, or the requested fields.
  public var body: JSONValue

  /// Creates a row of a result.
  public init(id: DocumentID, rev: RevisionID, body: JSONValue) {
    self.id = id
    self.rev = rev
    self.body = body
  }
}

extension FindAction {
  /// The capabilities that the operators of a selector need.
  var capabilitiesOfArguments: Set<Capability> {
    switch self {
    case .find(let request), .explain(let request):
      var needed: Set<Capability> = []
      if request.selector.hasMember("$regex") { needed.insert(.regex) }
      if request.selector.hasMember("$decimal") { needed.insert(.decimals) }
      let asksForPlaces = ["$nearSphere", "$within"].contains { request.selector.hasMember($0) }
      if asksForPlaces { needed.insert(.geography) }
      return needed
    default: return []
    }
  }
}

extension JSONValue {
  /// Whether an object in this value has a member of this name.
  fileprivate func hasMember(_ name: JSONString) -> Bool {
    var waiting = [self]
    while let value = waiting.popLast() {
      switch value {
      case .array(let elements): waiting += elements
      case .object(let object):
        if object.members.contains(where: { $0.name == name }) { return true }
        waiting += object.members.map { $0.value }
      default: break
      }
    }
    return false
  }
}
