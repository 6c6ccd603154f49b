public import JSON
public import ObjectMapping

/// What happened in the arrangement; the notifications of Core Data and those of its own.
public enum StackEvent: Hashable, Sendable {
  /// A context saved: `NSManagedObjectContextDidSave`.
  case saved(StackQueue, SaveNotification)
  /// A context took over what its sibling had saved: `DSContextSavedAndMerge`.
  case merged(StackQueue, from: StackQueue, SaveNotification)
  /// A closure or a save failed.
  case failed(StackQueue, ContextError)
}

/// Something that works, and should not be done so.
public enum StackWarning: Hashable, Sendable, CustomStringConvertible {
  /// Two operations whose times overlap save the same data on two contexts.
  case sameData(SharedData)
  /// A context was used on the queue of another.
  case foreignQueue(context: StackQueue, on: StackQueue)

  public var description: String {
    switch self {
    case .sameData(let data):
      return
        "\(data) is saved on two contexts at the same time: there may be two of it, or one edit lost"
    case .foreignQueue(let context, let queue):
      return "the \(context.rawValue) context is used on the \(queue.rawValue) queue"
    }
  }
}

/// What two operations may have in common.
public enum SharedData: Hashable, Sendable, CustomStringConvertible {
  /// A value that is searched for, and inserted where it is not found.
  case value(entity: JSONString, key: JSONString, PredicateValue)
  case object(ObjectID)

  public var description: String {
    switch self {
    case .value(let entity, let key, let value): return "\(entity) with \(key) \(value.words)"
    case .object(let id): return "'\(id)'"
    }
  }
}

extension PredicateValue {
  /// The value in words.
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
