public import Datastore
public import JSON

/// What is done with objects that are kept as documents.
///
/// Models and objects are JSON here: what they mean belongs to whoever maps them. How they are spelled
/// is said in `Vectors/README.md`.
public enum ObjectAction: Hashable, Sendable {
  /// How a model is described in documents, and what other platforms find hard about it and about
  /// predicates.
  case describe(
    model: JSONValue, transformers: [ObjectTransformer] = [], predicates: [ObjectPredicate] = [])
  /// What would keep an object from being saved.
  case validate(model: JSONValue, object: JSONValue)
  /// The document of an object; nothing is stored.
  case encode(
    model: JSONValue, object: JSONValue, form: JSONString? = nil,
    transformers: [ObjectTransformer] = [])
  /// The object of a document; nothing is stored.
  case decode(ObjectDecoding)
  /// Adds stores to a coordinator, one after the other, and asks it about them.
  case coordinate(ObjectCoordination)

  /// Makes the store one of the objects of a model, and describes the model in it; with `migrates`
  /// its objects may be of an earlier one.
  case open(model: JSONValue, migrates: Bool? = nil, form: JSONString? = nil)
  /// Writes objects: updated ones have those values only that change, null for none.
  case save(inserted: [JSONValue], updated: [JSONValue], deleted: [DocumentID])
  case load(ObjectReference)
  /// The objects of an entity, by the bytes of their ids.
  case list(entity: JSONString)
  /// Documents that are neither the metadata nor objects of the model.
  case check
  /// The objects that a predicate is true of, or what is reckoned over them.
  case fetch(ObjectFetch)
  /// Changes properties of all objects that a predicate is true of; null takes a value away.
  case updateAll(
    entity: JSONString, predicate: JSONString?, arguments: [JSONValue], values: JSONValue)
}

/// Which objects are wanted, in which order, how many, and as what.
public struct ObjectFetch: Hashable, Sendable {
  /// What comes of it.
  public enum Kind: String, CaseIterable, Sendable {
    case objects
    case ids
    case count
    case groups
  }

  public var entity: JSONString
  /// In the textual format; nil is all objects.
  public var predicate: JSONString?
  /// For the places of the predicate.
  public var arguments: [JSONValue]
  public var sort: [SortKey]
  public var offset: Int64?
  public var limit: Int64?
  public var result: Kind
  /// Of groups: names of attributes, and `{"function", "of", "as"}`.
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

/// A predicate about the objects of an entity, in the textual format.
public struct ObjectPredicate: Hashable, Sendable {
  public var entity: JSONString
  public var predicate: JSONString
  /// For the places of the predicate.
  public var arguments: [JSONValue]

  public init(_ entity: JSONString, _ predicate: JSONString, arguments: [JSONValue] = []) {
    self.entity = entity
    self.predicate = predicate
    self.arguments = arguments
  }
}

/// A class that makes values out of bytes; in calls the value is the bytes.
public struct ObjectTransformer: Hashable, Sendable {
  public var name: JSONString
  /// What its bytes are; nil when it does not say.
  public var mimeType: JSONString?

  public init(name: JSONString, mimeType: JSONString?) {
    self.name = name
    self.mimeType = mimeType
  }
}

/// A document that is to be read as an object.
public struct ObjectDecoding: Hashable, Sendable {
  public var model: JSONValue
  public var id: DocumentID
  public var body: JSONValue
  public var attachments: [RevisionAttachment]
  /// Whether a number counts for more than its image where the image may have come through doubles.
  public var trustsNumbers: Bool?
  public var transformers: [ObjectTransformer]
  /// The attribute whose value is asked of its transformer.
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

/// What a coordinator is made of, and what it is asked.
public struct ObjectCoordination: Hashable, Sendable {
  /// How often the type of the stores is registered by hand; `automatic` for as often as is needed.
  public enum Registration: Hashable, Sendable {
    case automatic
    case times(Int64)
  }

  /// A store that is added.
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

  /// A question for where a store would replicate.
  public struct TargetQuestion: Hashable, Sendable {
    /// Of the store.
    public var url: JSONString
    /// Said by whoever replicates; nil for the store's own remote.
    public var remote: JSONString?

    public init(url: JSONString, remote: JSONString? = nil) {
      self.url = url
      self.remote = remote
    }
  }

  public var model: JSONValue
  public var registration: Registration
  /// Types of stores of others that are registered as well.
  public var others: [JSONString]
  public var stores: [Addition]
  /// URLs of stores that are looked for.
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
  /// The name of the operation as JSON spells it.
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
