public import JSON
public import ObjectMapping

/// An event of the arrangement: the notifications of Core Data and its own.
public enum StackEvent: Hashable, Sendable {
  /// A context saved: `NSManagedObjectContextDidSave`.
  case saved(StackQueue, SaveNotification)
  /// A context merged the changes that its sibling had saved: `DSContextSavedAndMerge`.
  case merged(StackQueue, from: StackQueue, SaveNotification)
  /// A closure or a save failed.
  case failed(StackQueue, ContextError)
}

/// A warning about a pattern that works but should be avoided.
public enum StackWarning: Hashable, Sendable, CustomStringConvertible {
  /// Two overlapping operations save the same data on two contexts.
  case sameData(SharedData)
  /// A context was used on the queue of another.
  case foreignQueue(context: StackQueue, on: StackQueue)

  public var description: String {
    switch self {
    case .sameData(let data):
      return
        "\(data) is saved on two contexts at the same time: this can duplicate it or lose an edit"
    case .foreignQueue(let context, let queue):
      return "the \(context.rawValue) context is used on the \(queue.rawValue) queue"
    }
  }
}

/// Data that two operations may share.
public enum SharedData: Hashable, Sendable, CustomStringConvertible {
  /// A value that find-or-insert searches for and inserts if it is missing.
  case value(entity: JSONString, key: JSONString, PredicateValue)
  /// An object that both operations change.
  case object(ObjectID)

  public var description: String {
    switch self {
    case .value(let entity, let key, let value): return "\(entity) with \(key) \(value.words)"
    case .object(let id): return "'\(id)'"
    }
  }
}

extension PredicateValue {
  /// The value in messages.
  var words: String {
    switch self {
    case .none: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .double(let value), .date(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .text(let value): "'\(value)'"
    case .object(let id): "'\(id)'"
    }
  }
}
