public import Datastore
public import JSON

/// Why a store of objects cannot do what it is asked for.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// Nobody registered the type.
    case unknownType(JSONString)
    /// The URL names no database.
    case badURL
    /// The coordinator has a store at this URL already.
    case alreadyAdded
    /// The stored objects are of another model, and nobody asked to migrate them.
    case modelMismatch
    /// What the two models say does not fit.
    case cannotMigrate(entity: JSONString, property: JSONString?)
    /// The model has no such entity.
    case unknownEntity(JSONString)
    /// There is no such object.
    case missingObject(ObjectID)
    /// The URI is none of an object.
    case badIdentifier(JSONString)
    /// No remote is known.
    case noRemote
    /// The model is misspelt, or not sound.
    case badModel
    /// The object is misspelt.
    case badObject
    /// The document and the object cannot be made out of each other.
    case mapping(ObjectID, MappingError)
    /// The predicate, or the sort, cannot be used.
    case predicate(PredicateError)
    /// The datastore refused.
    case datastore(ObjectID?, DatastoreError)
    /// There was no answer: what was asked for may have been done.
    case unanswered
    /// The datastore could not be asked.
    case harness(HarnessError)
  }

  public let reason: Reason
  public let message: String
  /// Which objects of a save were written all the same; empty when it was all or nothing.
  public var written: [ObjectID]

  public init(_ reason: Reason, _ message: String, written: [ObjectID] = []) {
    self.reason = reason
    self.message = message
    self.written = written
  }

  public var description: String {
    let rest = written.map { $0.text.string }.joined(separator: ", ")
    return written.isEmpty ? message : "\(message); written all the same: \(rest)"
  }
}
