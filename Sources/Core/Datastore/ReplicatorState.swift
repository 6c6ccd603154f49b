/// How far a replicator has come: the states of CDTReplicator, without its detours.
///
/// `pending` becomes `started`, or `stopped` when it is cancelled first; `started` becomes
/// `complete`, `error` or `stopping`; `stopping` becomes `stopped`, or `error` when something had
/// failed before. A replicator lives once: a second start changes nothing.
public enum ReplicatorState: String, CaseIterable, Hashable, Sendable {
  case pending
  case started
  case stopping
  case stopped
  case complete
  case error

  /// Whether nothing happens any more.
  public var isFinal: Bool {
    switch self {
    case .pending, .started, .stopping: false
    case .stopped, .complete, .error: true
    }
  }
}
