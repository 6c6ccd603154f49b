public import JSON

/// A queue of the arrangement: blocks run on it one after the other.
public enum StackQueue: String, CaseIterable, Hashable, Sendable {
  /// Another thread of the application, which calls.
  case caller
  case main
  case background
  case writer

  /// Where it stands in lists.
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

/// One queue that cannot go on before another has.
public struct QueueWait: Hashable, Sendable, CustomStringConvertible {
  public let queue: StackQueue
  /// What it is about to do.
  public let doing: JSONString
  public let waitsFor: StackQueue

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

/// What a queue does without being interrupted; other queues run between two of them.
package struct QueuePiece {
  package enum Kind {
    case work((ThreeContextStack) throws(ContextError) -> Void)
    /// A caller that waits for a block on another queue.
    case wait(StackQueue)
    /// An operation that waits until it is its turn.
    case turn(Int)
  }

  /// Says all that the piece depends on: pieces of one name do the same.
  package let name: JSONString
  package let kind: Kind
  /// Whether it works on a context that will ask the writer.
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
  /// Whether a piece of it is running now, so that it has not ended without pieces.
  var isRunning = false
  /// What happens at its end; an error that comes out of it is one of the call below.
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

/// What is put on a queue as a whole: calls, the innermost one last.
struct QueueBlock {
  /// Tells it from all others of the arrangement.
  let number: Int
  var frames: [QueueFrame]
  /// Whether it has the queue.
  var isBegun = false
  /// Who goes on when it has ended.
  var waiter: StackQueue?

  init(_ number: Int, _ frame: QueueFrame, waiter: StackQueue? = nil) {
    self.number = number
    frames = [frame]
    self.waiter = waiter
  }
}
