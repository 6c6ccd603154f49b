public import Datastore
public import JSON
public import ObjectMapping

/// The error of an operation of a context, which leaves the context unchanged.
public struct ContextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons for a failure.
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
    /// Objects violate rules of the model.
    case validation([InvalidObject])
    /// Other clients changed objects, and the policy does not resolve that.
    case mergeConflicts([MergeConflict])
    /// Objects violate uniqueness constraints, and the policy does not resolve that.
    case constraintConflicts([ConstraintConflict])
    /// The store rejected the operation, or failed.
    case store(StoreError)
    /// An arrangement on disk needs a path, and none was given.
    case missingStorePath
    /// A closure threw an error of its own.
    case application(JSONString)
    /// Each of the queues waits for another one.
    case deadlock([QueueWait])
  }

  /// The reason.
  public let reason: Reason
  /// The queue of an arrangement on which the failure happened; nil for a context without queues.
  public let queue: StackQueue?

  /// Creates an error.
  public init(_ reason: Reason, on queue: StackQueue? = nil) {
    self.reason = reason
    self.queue = queue
  }

  /// The error of a closure that ran on a queue.
  init(_ error: any Error, on queue: StackQueue) {
    switch error {
    case let error as ContextError: self = error.queue == nil ? error.on(queue) : error
    default: self.init(.application(JSONString("\(error)")))
    }
  }

  /// The same failure, with the queue on which it happened.
  package func on(_ queue: StackQueue) -> ContextError { ContextError(reason, on: queue) }

  /// Runs a request to the store of objects; its error becomes the reason of the error of a context.
  package static func ofStore<Value>(
    _ request: () throws(StoreError) -> Value
  ) throws(ContextError) -> Value {
    do throws(StoreError) { return try request() } catch { throw ContextError(.store(error)) }
  }

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

  public var description: String { (queue.map { "\($0.rawValue): " } ?? "") + message }

  /// The description without the queue.
  package var message: String {
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
    case .missingStorePath: return "a store on disk needs a path"
    case .application(let text): return text.string
    case .deadlock(let waits):
      return "deadlock: " + waits.map { $0.description }.joined(separator: ", ")
    }
  }
}

/// An object that cannot be saved, with all its validation failures.
public struct InvalidObject: Hashable, Sendable, CustomStringConvertible {
  /// The id of the object.
  public let id: ObjectID
  /// The violated rules, at least one.
  public let failures: [ValidationFailure]

  /// Creates an invalid object.
  public init(_ id: ObjectID, _ failures: [ValidationFailure]) {
    self.id = id
    self.failures = failures
  }

  public var description: String {
    "'\(id)': " + failures.map { $0.description }.joined(separator: ", ")
  }
}
