public import Datastore
public import JSON

/// One of the two stores of a replicator.
public enum ReplicationSide: String, CaseIterable, Hashable, Sendable {
  case source
  case target
}

/// The number of a request within its session, from 1; a repetition has a new number.
public typealias RequestNumber = Int64

/// A timer of a replicator.
public enum ReplicatorTimer: Hashable, Sendable {
  /// The pause before a request is repeated; the number is that of the failed request.
  case retry(RequestNumber)
  /// The pause between two checkpoints.
  case checkpoint
  /// The pause before a continuous replicator looks for new changes.
  case poll
}

/// An event for a replicator. Responses and timers that it no longer waits for have no effect.
public enum ReplicatorEvent: Hashable, Sendable {
  /// The id of the session is never reused.
  case start(session: JSONString)
  case response(RequestNumber, PeerResponse)
  /// No response will arrive; the request may or may not have been performed.
  case lost(RequestNumber, reason: JSONString)
  case timer(ReplicatorTimer)
  /// The source has changed; a continuous replicator looks for changes immediately.
  case poke
  case cancel
}

/// An action requested by a replicator.
public enum ReplicatorEffect: Hashable, Sendable {
  /// Send a request to one side; the attempt counts the repetitions of one request, from 1.
  case send(RequestNumber, ReplicationSide, purpose: PeerRequest, attempt: Int)
  /// Deliver the timer after a delay in this range of nanoseconds. The driver chooses the delay, so
  /// that many replicators do not retry at the same instant.
  case wait(ReplicatorTimer, nanoseconds: ClosedRange<UInt64>)
}

/// The interface between a replicator and its driver: a deterministic state machine without clock,
/// sockets or threads.
public protocol ReplicationMachine {
  var state: ReplicatorState { get }
  var report: ReplicationReport { get }

  /// Processes an event and returns the requested actions in their order.
  mutating func handle(_ event: ReplicatorEvent) -> [ReplicatorEffect]
}
