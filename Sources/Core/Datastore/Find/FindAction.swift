public import JSON

/// What is done to find documents by what is in them.
///
/// The selector, and the spelling of paths, are read by the store: what is wrong with them is its
/// answer.
public enum FindAction: Hashable, Sendable {
  /// The live winners that a selector selects.
  case find(FindRequest)
  /// What a store would do to find them; nothing is found.
  case explain(FindRequest)
  /// Makes an index, which is kept up to date from then on.
  case createIndex(IndexDefinition)
  case dropIndex(name: JSONString)
  case listIndexes
}

/// Which documents, in which order, and how much of them.
public struct FindRequest: Hashable, Sendable {
  public var selector: JSONValue
  /// The first key counts most; the id comes last in any case.
  public var sort: [SortKey]
  /// How many of the documents in front are left out.
  public var skip: Int64?
  /// How many documents there are at most.
  public var limit: Int64?
  /// The paths that the bodies are cut down to; nil is whole bodies.
  public var fields: [JSONString]?

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

/// One key of an order.
public struct SortKey: Hashable, Sendable {
  public var path: JSONString
  public var descending: Bool

  public init(_ path: JSONString, descending: Bool = false) {
    self.path = path
    self.descending = descending
  }
}

/// An index as it is made and listed.
public struct IndexDefinition: Hashable, Sendable {
  public var name: JSONString
  public var type: Kind
  /// The paths that it covers.
  public var fields: [JSONString]

  public enum Kind: String, CaseIterable, Sendable {
    /// Of values, in their order.
    case json
    /// Of words.
    case text
  }

  public init(_ name: JSONString, _ type: Kind = .json, fields: [JSONString]) {
    self.name = name
    self.type = type
    self.fields = fields
  }
}

/// What comes of it; `dropIndex` has nothing to say.
public enum FindAnswer: Hashable, Sendable {
  case documents([FoundDocument])
  /// The index that serves, or nil where all documents are looked at; and what the store says to
  /// people.
  case explanation(index: JSONString?, plan: JSONValue?)
  /// Whether the index was not there before.
  case created(Bool)
  /// In byte order of their names.
  case indexes([IndexDefinition])
}

/// A document that was found.
public struct FoundDocument: Hashable, Sendable {
  public var id: DocumentID
  public var rev: RevisionID
  /// The whole, or the fields that were asked for.
  public var body: JSONValue

  public init(id: DocumentID, rev: RevisionID, body: JSONValue) {
    self.id = id
    self.rev = rev
    self.body = body
  }
}

extension FindAction {
  /// The name of the operation as JSON spells it.
  public var name: String {
    switch self {
    case .find: "find"
    case .explain: "explain"
    case .createIndex: "createIndex"
    case .dropIndex: "dropIndex"
    case .listIndexes: "listIndexes"
    }
  }

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
  /// Whether an object in this value has a member of the name.
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
