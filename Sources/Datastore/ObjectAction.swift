public import JSON

/// What is done with objects that are kept as documents.
///
/// Models and objects are JSON here: what they mean belongs to whoever maps them. An object is
/// `{"id", "entity", "values", "identifier"?, "version"?}`, its values spelled as
/// `Vectors/README.md` says.
public enum ObjectAction: Hashable, Sendable {
  /// The document of an object; nothing is stored.
  case encode(model: JSONValue, object: JSONValue, form: Text? = nil)
  /// The object of a document; nothing is stored.
  case decode(
    model: JSONValue, id: DocumentID, body: JSONValue, attachments: [RevisionAttachment] = [],
    trustsNumbers: Bool? = nil)
  /// Makes the store one of the objects of a model, and describes the model in it; with `migrates`
  /// its objects may be of an earlier one.
  case open(model: JSONValue, migrates: Bool? = nil)
  /// Writes objects: updated ones have those values only that change, null for none.
  case save(inserted: [JSONValue], updated: [JSONValue], deleted: [DocumentID])
  case load(id: DocumentID)
}

/// What comes of it.
public enum ObjectAnswer: Hashable, Sendable {
  case encoded(body: JSONValue, attachments: [RevisionAttachment])
  /// Of `decode` and `load`.
  case object(JSONValue, warnings: [ObjectWarning])
  /// The name that the store of objects keeps for ever.
  case opened(identifier: Text)
  /// The versions of inserted and updated objects, in order.
  case saved([SavedObject])
}

/// What was noticed about a document that could be read.
public struct ObjectWarning: Hashable, Sendable {
  public var kind: Text
  public var property: Text

  public init(kind: Text, property: Text) {
    self.kind = kind
    self.property = property
  }
}

/// An object as it is stored now.
public struct SavedObject: Hashable, Sendable {
  public var id: DocumentID
  public var version: Int64

  public init(id: DocumentID, version: Int64) {
    self.id = id
    self.version = version
  }
}

extension ObjectAction {
  /// The name of the operation as JSON spells it.
  public var name: String {
    switch self {
    case .encode: "encodeObject"
    case .decode: "decodeObject"
    case .open: "openObjects"
    case .save: "saveObjects"
    case .load: "loadObject"
    }
  }
}
