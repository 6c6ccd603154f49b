public import Datastore
public import JSON

/// The error of an operation of an object store.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons for a failure.
  public enum Reason: Hashable, Sendable {
    /// The type is not registered.
    case unknownType(JSONString)
    /// The URL does not name a database.
    case badURL
    /// The coordinator already has a store at this URL.
    case alreadyAdded
    /// The stored objects belong to another model, and migration was not requested.
    case modelMismatch
    /// The two models are incompatible.
    case cannotMigrate(entity: JSONString, property: JSONString?)
    /// The model has no such entity.
    case unknownEntity(JSONString)
    /// The object does not exist.
    case missingObject(ObjectID)
    /// The URI is not that of an object.
    case badIdentifier(JSONString)
    /// No remote is known.
    case noRemote
    /// The model is malformed or invalid.
    case badModel
    /// The object is malformed.
    case badObject
    /// The document and the object cannot be converted.
    case mapping(ObjectID, MappingError)
    /// The predicate or the sort order is not valid.
    case predicate(FetchPredicateError)
    /// The datastore rejected the operation.
    case datastore(ObjectID?, DatastoreError)
    /// The outcome is unknown: the operation may have been performed.
    case unanswered
    /// The datastore failed without an outcome.
    case harness(HarnessError)
  }

  /// The reason.
  public let reason: Reason
  /// A message for people.
  public let message: String
  /// The objects of a failed save that were written; empty if saves are atomic.
  public var written: [ObjectID]

  /// Creates an error.
  public init(_ reason: Reason, _ message: String, written: [ObjectID] = []) {
    self.reason = reason
    self.message = message
    self.written = written
  }

  public var description: String {
    let rest = written.map { $0.text.string }.joined(separator: ", ")
    return written.isEmpty ? message : "\(message); written nevertheless: \(rest)"
  }
}
