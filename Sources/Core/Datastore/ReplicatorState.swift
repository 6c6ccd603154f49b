/// The state of a replicator: the states of CDTReplicator, without its intermediate ones.
///
/// `pending` becomes `started`, or `stopped` if it is cancelled first; `started` becomes
/// `complete`, `error` or `stopping`; `stopping` becomes `stopped`, or `error` after an earlier
/// failure. A replicator runs once: a second start has no effect.
public enum ReplicatorState: String, CaseIterable, Hashable, Sendable {
  /// Created, not started.
  case pending
  /// Running.
  case started
  /// Cancelled, but still running.
  case stopping
  /// Ended by a cancellation.
  case stopped
  /// Ended after everything was copied.
  case complete
  /// Ended by a failure.
  case error

  /// Whether the state is final.
  public var isFinal: Bool {
    switch self {
    case .pending, .started, .stopping: false
    case .stopped, .complete, .error: true
    }
  }
}
