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
    case objects
    case ids
    case count
    case groups
  }

  public var entity: JSONString
  /// The predicate in the textual format; nil for all objects.
  public var predicate: JSONString?
  /// The arguments of the predicate.
  public var arguments: [JSONValue]
  public var sort: [SortKey]
  public var offset: Int64?
  public var limit: Int64?
  public var result: Kind
  /// The columns of groups: names of attributes, and `{"function", "of", "as"}`.
  public var columns: [JSONValue]
  public var groupBy: [JSONString]

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
  case id(DocumentID)
  case identifier(JSONString)
}

/// A predicate for objects of an entity, in the textual format.
public struct ObjectPredicate: Hashable, Sendable {
  public var entity: JSONString
  public var predicate: JSONString
  /// The arguments of the predicate.
  public var arguments: [JSONValue]

  public init(_ entity: JSONString, _ predicate: JSONString, arguments: [JSONValue] = []) {
    self.entity = entity
    self.predicate = predicate
    self.arguments = arguments
  }
}

/// A class that converts bytes to values; in calls the value is the bytes.
public struct ObjectTransformer: Hashable, Sendable {
  public var name: JSONString
  /// The MIME type of its bytes; nil if not specified.
  public var mimeType: JSONString?

  public init(name: JSONString, mimeType: JSONString?) {
    self.name = name
    self.mimeType = mimeType
  }
}

/// A document to decode as an object.
public struct ObjectDecoding: Hashable, Sendable {
  public var model: JSONValue
  public var id: DocumentID
  public var body: JSONValue
  public var attachments: [RevisionAttachment]
  /// Whether a number takes precedence over an image that may have been converted to a double.
  public var trustsNumbers: Bool?
  public var transformers: [ObjectTransformer]
  /// The attribute whose value is converted by its transformer.
  public var value: JSONString?

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
    case automatic
    case times(Int64)
  }

  /// A store to add.
  public struct Addition: Hashable, Sendable {
    public var type: JSONString
    public var url: JSONString
    public var configuration: JSONString?
    public var migrates: Bool?
    public var mendsNames: Bool?

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

    public init(url: JSONString, remote: JSONString? = nil) {
      self.url = url
      self.remote = remote
    }
  }

  public var model: JSONValue
  public var registration: Registration
  /// Further registered store types.
  public var others: [JSONString]
  public var stores: [Addition]
  /// URLs of stores to look up.
  public var find: [JSONString]
  public var targets: [TargetQuestion]

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

extension ObjectAction {
  /// The name of the operation as encoded in JSON.
  public var name: String {
    switch self {
    case .describe: "describeModel"
    case .validate: "validateObject"
    case .encode: "encodeObject"
    case .decode: "decodeObject"
    case .coordinate: "coordinate"
    case .open: "openObjects"
    case .save: "saveObjects"
    case .load: "loadObject"
    case .list: "listObjects"
    case .check: "checkObjects"
    case .fetch: "fetchObjects"
    case .updateAll: "updateObjects"
    }
  }
}
