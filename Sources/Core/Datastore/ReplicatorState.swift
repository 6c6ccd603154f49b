/// The state of a replicator: the states of CDTReplicator, without its intermediate ones.
///
/// `pending` becomes `started`, or `stopped` if it is cancelled first; `started` becomes
/// `complete`, `error` or `stopping`; `stopping` becomes `stopped`, or `error` after an earlier
/// failure. A replicator runs once: a second start has no effect.
public enum ReplicatorState: String, CaseIterable, Hashable, Sendable {
  case pending
  case started
  case stopping
  case stopped
  case complete
  case error

  /// Whether the state is final.
  public var isFinal: Bool {
    switch self {
    case .pending, .started, .stopping: false
    case .stopped, .complete, .error: true
    }
  }
}
