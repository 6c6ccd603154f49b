public import JSON
public import ObjectMapping

/// Why the arrangement could not do what it was asked for.
public struct StackError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// A store on disk needs a path, and none was given.
    case missingStorePath
    /// The store could not be opened.
    case store(StoreError)
    /// A context refused: in a closure, or when it was saved.
    case context(StackQueue, ContextError)
    /// A closure threw an error of its own.
    case application(JSONString)
    /// Nobody can go on.
    case deadlock([QueueWait])
  }

  public let reason: Reason

  public init(_ reason: Reason) { self.reason = reason }

  /// What a closure on a queue threw.
  init(_ error: any Error, on queue: StackQueue) {
    switch error {
    case let error as StackError: self = error
    case let error as ContextError: self.init(.context(queue, error))
    default: self.init(.application(JSONString("\(error)")))
    }
  }

  public var description: String {
    switch reason {
    case .missingStorePath: return "a store on disk needs a path"
    case .store(let error): return error.description
    case .context(let queue, let error): return "\(queue.rawValue): \(error)"
    case .application(let text): return text.string
    case .deadlock(let waits):
      return "nobody can go on: " + waits.map { $0.description }.joined(separator: ", ")
    }
  }
}
