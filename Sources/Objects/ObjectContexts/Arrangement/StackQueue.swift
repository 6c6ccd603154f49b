public import JSON

/// A serial queue of the arrangement.
public enum StackQueue: String, CaseIterable, Hashable, Sendable {
  /// Another thread of the application, which makes calls.
  case caller
  /// The queue of the main context.
  case main
  /// The queue of the background context.
  case background
  /// The queue of the writer.
  case writer

  /// The index of the queue in lists.
  package var place: Int {
    switch self {
    case .caller: 0
    case .main: 1
    case .background: 2
    case .writer: 3
    }
  }

  /// The other child of the writer.
  var sibling: StackQueue? {
    switch self {
    case .main: .background
    case .background: .main
    case .caller, .writer: nil
    }
  }
}

/// A queue that is blocked by another one.
public struct QueueWait: Hashable, Sendable, CustomStringConvertible {
  /// The blocked queue.
  public let queue: StackQueue
  /// The blocked step.
  public let doing: JSONString
  /// The queue that has to finish first.
  public let waitsFor: StackQueue

  /// Creates a wait of one queue for another.
  public init(_ queue: StackQueue, doing: JSONString, waitsFor other: StackQueue) {
    self.queue = queue
    self.doing = doing
    waitsFor = other
  }

  public var description: String {
    queue == waitsFor
      ? "\(queue.rawValue) (\(doing)) waits for itself"
      : "\(queue.rawValue) (\(doing)) waits for \(waitsFor.rawValue)"
  }
}

/// A part of a block that runs without interruption; other queues may run between two parts.
package struct QueuePiece {
  package enum Kind {
    case work((ThreeContextStack) throws(ContextError) -> Void)
    /// A caller that waits for a block on another queue.
    case wait(StackQueue)
    /// An operation that waits for its turn.
    case turn(Int)
  }

  /// A name that covers all inputs of the piece: pieces with equal names do the same.
  package let name: JSONString
  package let kind: Kind
  /// Whether it uses a context that will access the writer.
  package let needsWriter: (ThreeContextStack) -> Bool

  package init(
    _ name: JSONString, needsWriter: @escaping (ThreeContextStack) -> Bool = { _ in false },
    _ work: @escaping (ThreeContextStack) throws(ContextError) -> Void
  ) {
    self.name = name
    self.needsWriter = needsWriter
    kind = .work(work)
  }

  init(waitingFor queue: StackQueue) {
    name = "wait"
    needsWriter = { _ in false }
    kind = .wait(queue)
  }

  init(turnOf operation: Int) {
    name = "turn"
    needsWriter = { _ in false }
    kind = .turn(operation)
  }
}

/// A call that has not returned.
struct QueueFrame {
  let name: JSONString
  var pieces: [QueuePiece]
  /// Whether one of its pieces is running, so that a frame without further pieces has not ended.
  var isRunning = false
  /// Called at the end; a returned error becomes an error of the outer call.
  let end: (ThreeContextStack, ContextError?) -> ContextError?

  init(
    _ name: JSONString, _ pieces: [QueuePiece],
    end: @escaping (ThreeContextStack, ContextError?) -> ContextError? = { _, error in error }
  ) {
    self.name = name
    self.pieces = pieces
    self.end = end
  }
}

/// A unit of work on a queue: calls, the innermost one last.
struct QueueBlock {
  /// Unique in the arrangement.
  let number: Int
  var frames: [QueueFrame]
  /// Whether it has started to run.
  var isBegun = false
  /// The queue that continues after its end.
  var waiter: StackQueue?

  init(_ number: Int, _ frame: QueueFrame, waiter: StackQueue? = nil) {
    self.number = number
    frames = [frame]
    self.waiter = waiter
  }
}
