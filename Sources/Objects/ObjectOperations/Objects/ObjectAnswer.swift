public import Datastore
public import JSON
public import ObjectMapping

/// What comes of an operation on objects.
public enum ObjectAnswer: Hashable, Sendable {
  /// The entities as the metadata document has them.
  case described(objectModel: JSONValue, warnings: [PortabilityNote])
  /// Codes of Core Data in the order of the model; empty for an object that can be saved.
  case validated([Int64])
  case encoded(body: JSONValue, attachments: [RevisionAttachment])
  /// Of `decode` and `load`, with the value that was asked of a transformer, in base64.
  case object(JSONValue, warnings: [ObjectWarning], value: JSONString? = nil)
  case coordinated(CoordinationAnswer)
  /// The name that the store of objects keeps for ever.
  case opened(identifier: JSONString)
  /// The versions of inserted and updated objects, in order.
  case saved([SavedObject])
  case objects([JSONValue])
  case ids([DocumentID])
  case count(Int64)
  /// Objects of columns.
  case groups([JSONValue])
  /// What was changed.
  case updated([DocumentID])
  case checked([ObjectFault])
}

/// Something about a model that other platforms find hard.
public struct PortabilityNote: Hashable, Sendable {
  public var path: JSONString
  public var reason: JSONString

  public init(path: JSONString, reason: JSONString) {
    self.path = path
    self.reason = reason
  }
}

/// What was noticed about a document that could be read.
public struct ObjectWarning: Hashable, Sendable {
  public var kind: JSONString
  public var property: JSONString

  public init(kind: JSONString, property: JSONString) {
    self.kind = kind
    self.property = property
  }
}

/// A document that is no object, and why.
public struct ObjectFault: Hashable, Sendable {
  public var id: DocumentID
  public var what: JSONString

  public init(id: DocumentID, what: JSONString) {
    self.id = id
    self.what = what
  }
}

/// What a coordinator says.
public struct CoordinationAnswer: Hashable, Sendable {
  /// A store that was added.
  public struct Store: Hashable, Sendable {
    public var name: StoreName
    /// Where it replicates unless it is told; nil for a store without.
    public var remote: JSONString?

    public init(name: StoreName, remote: JSONString?) {
      self.name = name
      self.remote = remote
    }
  }

  /// One for each addition; a store of another type has no name.
  public var added: [Result<Store?, DatastoreError>]
  /// The name by which coordinators know the type.
  public var type: JSONString
  /// The URLs of the coordinator's stores of objects, in its order.
  public var stores: [JSONString]
  /// One for each URL that was looked for; nil for none.
  public var found: [Store?]
  /// Where each question's store would replicate.
  public var targets: [Result<JSONString, DatastoreError>]

  public init(
    type: JSONString, added: [Result<Store?, DatastoreError>] = [], stores: [JSONString] = [],
    found: [Store?] = [], targets: [Result<JSONString, DatastoreError>] = []
  ) {
    self.type = type
    self.added = added
    self.stores = stores
    self.found = found
    self.targets = targets
  }
}
