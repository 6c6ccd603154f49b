public import Datastore
public import JSON
public import ObjectMapping

/// The result of an operation on objects.
public enum ObjectAnswer: Hashable, Sendable {
  /// The entities as described in the metadata document.
  case described(objectModel: JSONValue, warnings: [PortabilityNote])
  /// Codes of Core Data in the order of the model; empty for an object that can be saved.
  case validated([Int64])
  /// Of `encodeObject`: the document.
  case encoded(body: JSONValue, attachments: [RevisionAttachment])
  /// Of `decode` and `load`, with the transformed value if requested, in base64.
  case object(JSONValue, warnings: [ObjectWarning], value: JSONString? = nil)
  /// Of `coordinate`.
  case coordinated(CoordinationAnswer)
  /// The permanent name of the object store.
  case opened(identifier: JSONString)
  /// The versions of inserted and updated objects, in order.
  case saved([SavedObject])
  /// Objects, in the order that the operation defines.
  case objects([JSONValue])
  /// The ids of objects.
  case ids([DocumentID])
  /// A number of objects.
  case count(Int64)
  /// Objects with a member for each column.
  case groups([JSONValue])
  /// The ids of changed objects.
  case updated([DocumentID])
  /// Of `checkObjects`.
  case checked([ObjectFault])
}

/// A part of a model that is not portable to other platforms.
public struct PortabilityNote: Hashable, Sendable {
  /// The path of the part of the model.
  public var path: JSONString
  /// The reason of the warning.
  public var reason: JSONString

  /// Creates a warning.
  public init(path: JSONString, reason: JSONString) {
    self.path = path
    self.reason = reason
  }
}

/// A warning about a document that could be read.
public struct ObjectWarning: Hashable, Sendable {
  /// The kind of the warning.
  public var kind: JSONString
  /// The name of the property.
  public var property: JSONString

  /// Creates a warning.
  public init(kind: JSONString, property: JSONString) {
    self.kind = kind
    self.property = property
  }
}

/// A document that is not a valid object, with its error.
public struct ObjectFault: Hashable, Sendable {
  /// The id of the document.
  public var id: DocumentID
  /// The error, as the word of a `badObject`.
  public var what: JSONString

  /// Creates an error of a document.
  public init(id: DocumentID, what: JSONString) {
    self.id = id
    self.what = what
  }
}

/// The result of a coordination.
public struct CoordinationAnswer: Hashable, Sendable {
  /// A store that was added.
  public struct Store: Hashable, Sendable {
    /// The name of the store in the datastore.
    public var name: StoreName
    /// The default remote; nil for a store without one.
    public var remote: JSONString?

    /// Creates a store that was added.
    public init(name: StoreName, remote: JSONString?) {
      self.name = name
      self.remote = remote
    }
  }

  /// One result for each addition; a store of another type has no name.
  public var added: [Result<Store?, DatastoreError>]
  /// The name of the store type in coordinators.
  public var type: JSONString
  /// The URLs of the coordinator's object stores, in its order.
  public var stores: [JSONString]
  /// One result for each looked-up URL; nil if not found.
  public var found: [Store?]
  /// The remote for each query.
  public var targets: [Result<JSONString, DatastoreError>]

  /// Creates a result.
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
