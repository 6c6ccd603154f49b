public import JSON
public import ObjectMapping

/// The error of an operation of the arrangement.
public struct StackError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// A store on disk requires a path, but none was given.
    case missingStorePath
    /// The store could not be opened.
    case store(StoreError)
    /// An error of a context: in a closure, or in a save.
    case context(StackQueue, ContextError)
    /// A closure threw an error of the application.
    case application(JSONString)
    /// All callers wait for each other.
    case deadlock([QueueWait])
  }

  public let reason: Reason

  public init(_ reason: Reason) { self.reason = reason }

  /// The error thrown by a closure on a queue.
  init(_ error: any Error, on queue: StackQueue) {
    switch error {
    case let error as StackError: self = error
    case let error as ContextError: self.init(.context(queue, error))
    default: self.init(.application(JSONString("\(error)")))
    }
  }

  public var description: String {
    switch reason {
    case .missingStorePath: return "a store on disk requires a path"
    case .store(let error): return error.description
    case .context(let queue, let error): return "\(queue.rawValue): \(error)"
    case .application(let text): return text.string
    case .deadlock(let waits):
      return "deadlock: " + waits.map { $0.description }.joined(separator: ", ")
    }
  }
}
