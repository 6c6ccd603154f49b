public import Datastore

/// One operation of a client, with its beginning and its end.
public struct ClientOperation: Hashable, Sendable {
  /// The connection that the client used, 1 or more.
  public var connection: Int
  /// What the client requested.
  public var operation: StoreOperation
  /// The place of the request in the order of all requests and responses of the history.
  public var call: Int64
  /// The place of the response in that order; nil if no response arrived.
  public var end: Int64?
  /// The response; nil if none arrived.
  public var outcome: Outcome?

  /// Creates an operation with its response.
  public init(
    connection: Int, _ operation: StoreOperation, call: Int64, end: Int64?, outcome: Outcome?
  ) {
    self.connection = connection
    self.operation = operation
    self.call = call
    self.end = end
    self.outcome = outcome
  }

  /// Whether the operation may have happened, or may still happen, without anyone knowing.
  ///
  /// An error without effect, and every other outcome, is an answer.
  public var isUnanswered: Bool { end == nil || outcome == nil || outcome == .unknown }

  /// The place after which the operation cannot happen any more.
  var deadline: Int64 { isUnanswered ? .max : end ?? .max }
}

/// The operations of all clients of one store, in the order of their requests.
public struct ClientHistory: Hashable, Sendable {
  /// In the order of `call`, which is different for all.
  public var operations: [ClientOperation]

  /// Creates a history; the operations may be in any order.
  public init(_ operations: [ClientOperation]) {
    self.operations = operations.sorted { $0.call < $1.call }
  }

  /// The number of operations with a response.
  public var answeredCount: Int { operations.count { !$0.isUnanswered } }
}
