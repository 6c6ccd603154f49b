public import Datastore
public import JSON
public import ObjectMapping

/// The error of an operation of a context, which leaves the context unchanged.
public struct ContextError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// The model has no such entity.
    case unknownEntity(JSONString)
    /// The entity has no such property.
    case unknownProperty(JSONString, of: JSONString)
    /// An attribute is set to objects, a relationship to values, or a to-one relationship to
    /// several objects.
    case wrongKind(property: JSONString, of: JSONString)
    /// The context already has an object with this id.
    case alreadyRegistered(ObjectID)
    /// The object was deleted and cannot be changed.
    case deletedObject(ObjectID)
    /// The object does not exist in the parent.
    case faultUnfulfilled(ObjectID)
    /// The object exists only in the context that inserted it.
    case temporaryObject(ObjectID)
    case validation([InvalidObject])
    case mergeConflicts([MergeConflict])
    case constraintConflicts([ConstraintConflict])
    /// The store rejected the operation, or failed.
    case store(StoreError)
  }

  public let reason: Reason

  public init(_ reason: Reason) { self.reason = reason }

  /// The code of Core Data; nil if it has none.
  ///
  /// Source: CoreDataErrors; a single validation failure is reported with its own code, several
  /// with 1560.
  public var code: Int64? {
    switch reason {
    case .validation(let objects):
      let failures = objects.flatMap { $0.failures }
      return failures.count == 1 ? failures[0].reason.rawValue : 1560
    case .mergeConflicts: return 133020
    case .constraintConflicts: return 133021
    case .faultUnfulfilled, .temporaryObject: return 133000
    default: return nil
    }
  }

  public var description: String {
    switch reason {
    case .unknownEntity(let name): return "the model has no entity '\(name)'"
    case .unknownProperty(let name, let entity): return "\(entity) has no property '\(name)'"
    case .wrongKind(let name, let entity):
      return "the value does not have the type of \(entity).\(name)"
    case .alreadyRegistered(let id): return "the context already has an object '\(id)'"
    case .deletedObject(let id): return "'\(id)' was deleted"
    case .faultUnfulfilled(let id): return "the fault '\(id)' cannot be fulfilled: no such object"
    case .temporaryObject(let id): return "'\(id)' exists only in the context that inserted it"
    case .validation(let objects):
      return objects.map { $0.description }.joined(separator: "; ")
    case .mergeConflicts(let conflicts):
      let ids = conflicts.map { $0.id.text.string }.joined(separator: ", ")
      return "the store has changed: \(ids)"
    case .constraintConflicts(let conflicts):
      return conflicts.map { $0.description }.joined(separator: "; ")
    case .store(let error): return error.description
    }
  }
}

/// An object that cannot be saved, with all its validation failures.
public struct InvalidObject: Hashable, Sendable, CustomStringConvertible {
  public let id: ObjectID
  public let failures: [ValidationFailure]

  public init(_ id: ObjectID, _ failures: [ValidationFailure]) {
    self.id = id
    self.failures = failures
  }

  public var description: String {
    "'\(id)': " + failures.map { $0.description }.joined(separator: ", ")
  }
}
