public import Datastore
public import JSON

/// An operation on objects that are stored as documents.
///
/// Models and objects are JSON here; the mapping interprets them. The encoding is defined in
/// `Vectors/README.md`.
public enum ObjectAction: Hashable, Sendable {
  /// Returns the description of a model in documents, and the portability warnings of the model and
  /// of predicates.
  case describe(
    model: JSONValue, transformers: [ObjectTransformer] = [], predicates: [ObjectPredicate] = [])
  /// Returns the validation failures of an object.
  case validate(model: JSONValue, object: JSONValue)
  /// Returns the document of an object, without storing it.
  case encode(
    model: JSONValue, object: JSONValue, form: JSONString? = nil,
    transformers: [ObjectTransformer] = [])
  /// Returns the object of a document, without storing it.
  case decode(ObjectDecoding)
  /// Adds stores to a coordinator, one after the other, and queries it.
  case coordinate(ObjectCoordination)

  /// Turns the store into an object store, and writes the description of the model; with
  /// `migrates`, objects of an earlier model are migrated.
  case open(model: JSONValue, migrates: Bool? = nil, form: JSONString? = nil)
  /// Writes objects; updated ones contain only the changed values, with null for removed ones.
  case save(inserted: [JSONValue], updated: [JSONValue], deleted: [DocumentID])
  /// Returns a stored object.
  case load(ObjectReference)
  /// Returns the objects of an entity, in byte order of their ids.
  case list(entity: JSONString)
  /// Returns documents that are neither the metadata nor objects of the model.
  case check
  /// Returns the objects for which a predicate is true, or aggregates over them.
  case fetch(ObjectFetch)
  /// Changes properties of all objects for which a predicate is true; null removes a value.
  case updateAll(
    entity: JSONString, predicate: JSONString?, arguments: [JSONValue], values: JSONValue)
}

/// A fetch: entity, predicate, order, page and kind of result.
public struct ObjectFetch: Hashable, Sendable {
  /// The kind of the result.
  public enum Kind: String, CaseIterable, Sendable {
    /// The objects.
    case objects
    /// The ids of the objects.
    case ids
    /// The number of objects.
    case count
    /// Aggregates over groups of objects.
    case groups
  }

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
  /// The kind of the result.
  public var result: Kind
  /// The columns of groups: names of attributes, and `{"function", "of", "as"}`.
  public var columns: [JSONValue]
  /// The grouping attributes.
  public var groupBy: [JSONString]

  /// Creates a fetch; by default of all objects of the entity.
  public init(
    _ entity: JSONString, predicate: JSONString? = nil, arguments: [JSONValue] = [],
    sort: [SortKey] = [],
    offset: Int64? = nil, limit: Int64? = nil, result: Kind = .objects,
    columns: [JSONValue] = [], groupBy: [JSONString] = []
  ) {
    self.entity = entity
    self.predicate = predicate
    self.arguments = arguments
    self.sort = sort
    self.offset = offset
    self.limit = limit
    self.result = result
    self.columns = columns
    self.groupBy = groupBy
  }
}

/// An object by its document or by its URI.
public enum ObjectReference: Hashable, Sendable {
  /// The id of the document.
  case id(DocumentID)
  /// The URI of the object.
  case identifier(JSONString)
}

/// A predicate for objects of an entity, in the textual format.
public struct ObjectPredicate: Hashable, Sendable {
  /// The name of the entity.
  public var entity: JSONString
  /// The predicate.
  public var predicate: JSONString
  /// The arguments of the predicate.
  public var arguments: [JSONValue]

  /// Creates a predicate; by default without arguments.
  public init(_ entity: JSONString, _ predicate: JSONString, arguments: [JSONValue] = []) {
    self.entity = entity
    self.predicate = predicate
    self.arguments = arguments
  }
}

/// A class that converts bytes to values; in calls the value is the bytes.
public struct ObjectTransformer: Hashable, Sendable {
  /// The name of the class.
  public var name: JSONString
  /// The MIME type of its bytes; nil if not specified.
  public var mimeType: JSONString?

  /// Creates a transformer.
  public init(name: JSONString, mimeType: JSONString?) {
    self.name = name
    self.mimeType = mimeType
  }
}

/// A document to decode as an object.
public struct ObjectDecoding: Hashable, Sendable {
  /// The model of the object.
  public var model: JSONValue
  /// The id of the document.
  public var id: DocumentID
  /// The body of the document.
  public var body: JSONValue
  /// The attachments of the document.
  public var attachments: [RevisionAttachment]
  /// Whether a number takes precedence over an image that may have been converted to a double.
  public var trustsNumbers: Bool?
  /// The transformers of the application.
  public var transformers: [ObjectTransformer]
  /// The attribute whose value is converted by its transformer.
  public var value: JSONString?

  /// Creates the parameters of a decoding.
  public init(
    model: JSONValue, id: DocumentID, body: JSONValue, attachments: [RevisionAttachment] = [],
    trustsNumbers: Bool? = nil, transformers: [ObjectTransformer] = [], value: JSONString? = nil
  ) {
    self.model = model
    self.id = id
    self.body = body
    self.attachments = attachments
    self.trustsNumbers = trustsNumbers
    self.transformers = transformers
    self.value = value
  }
}

/// The stores of a coordinator, and the queries to it.
public struct ObjectCoordination: Hashable, Sendable {
  /// The number of manual registrations of the store type; `automatic` for as many as needed.
  public enum Registration: Hashable, Sendable {
    /// Registered as often as needed.
    case automatic
    /// Registered this number of times.
    case times(Int64)
  }

  /// A store to add.
  public struct Addition: Hashable, Sendable {
    /// The name of the store type.
    public var type: JSONString
    /// The URL of the store.
    public var url: JSONString
    /// The name of the configuration; nil for the complete model.
    public var configuration: JSONString?
    /// True if objects of an earlier model are migrated.
    public var migrates: Bool?
    /// True if an invalid name of a database in the URL is repaired as in the released versions.
    public var mendsNames: Bool?

    /// Creates an addition.
    public init(
      type: JSONString, url: JSONString, configuration: JSONString? = nil, migrates: Bool? = nil,
      mendsNames: Bool? = nil
    ) {
      self.type = type
      self.url = url
      self.configuration = configuration
      self.migrates = migrates
      self.mendsNames = mendsNames
    }
  }

  /// A query for the remote of a store.
  public struct TargetQuestion: Hashable, Sendable {
    /// The URL of the store.
    public var url: JSONString
    /// The remote given by the caller; nil for the default of the store.
    public var remote: JSONString?

    /// Creates a query.
    public init(url: JSONString, remote: JSONString? = nil) {
      self.url = url
      self.remote = remote
    }
  }

  /// The model of the coordinator.
  public var model: JSONValue
  /// The registration of the store type.
  public var registration: Registration
  /// Further registered store types.
  public var others: [JSONString]
  /// The stores to add, in order.
  public var stores: [Addition]
  /// URLs of stores to look up.
  public var find: [JSONString]
  /// The queries for remotes.
  public var targets: [TargetQuestion]

  /// Creates the parameters of a coordination.
  public init(
    model: JSONValue, registration: Registration = .times(1), others: [JSONString] = [],
    stores: [Addition], find: [JSONString] = [], targets: [TargetQuestion] = []
  ) {
    self.model = model
    self.registration = registration
    self.others = others
    self.stores = stores
    self.find = find
    self.targets = targets
  }
}
