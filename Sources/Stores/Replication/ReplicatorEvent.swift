public import Datastore
public import JSON

/// Which of its two stores a replicator asks.
public enum ReplicationSide: String, CaseIterable, Hashable, Sendable {
  case source
  case target
}

/// The number of a request within its session, from 1; a repetition has a number of its own.
public typealias RequestNumber = Int64

/// Something that a replicator waits for beside answers.
public enum ReplicatorTimer: Hashable, Sendable {
  /// The pause before a request is repeated; the number is that of the failed one.
  case retry(RequestNumber)
  /// The pause between two checkpoints.
  case checkpoint
  /// The pause before a continuous replicator looks for new changes.
  case poll
}

/// What happens to a replicator. Answers and timers that it no longer waits for change nothing.
public enum ReplicatorEvent: Hashable, Sendable {
  /// The id of the session is new each time, for ever.
  case start(session: JSONString)
  case response(RequestNumber, PeerResponse)
  /// No answer will come; whether the request was performed, nobody knows.
  case lost(RequestNumber, reason: JSONString)
  case timer(ReplicatorTimer)
  /// The source is known to have changed; a continuous replicator looks at once.
  case poke
  case cancel
}

/// What a replicator wants to be done.
public enum ReplicatorEffect: Hashable, Sendable {
  /// Ask one side; the attempt counts the repetitions of one request, from 1.
  case send(RequestNumber, ReplicationSide, purpose: PeerRequest, attempt: Int)
  /// Deliver the timer after a delay in this range of nanoseconds; the driver chooses, so that a
  /// crowd of replicators does not come back in one instant.
  case wait(ReplicatorTimer, nanoseconds: ClosedRange<UInt64>)
}

/// A replicator as its driver sees it: a state machine without clock, socket, thread or chance.
public protocol ReplicationMachine {
  var state: ReplicatorState { get }
  var report: ReplicationReport { get }

  /// Takes note of an event and says what is to be done next, in this order.
  mutating func handle(_ event: ReplicatorEvent) -> [ReplicatorEffect]
}
